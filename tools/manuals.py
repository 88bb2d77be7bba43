#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual pages and shell completions, made from the programs' own tables of arguments (`--help=table`).

usage: manuals.py FOLDER           writes man/ and completion/ for the programs in FOLDER
       manuals.py FOLDER --check   says what would change; exit code 1 if anything would

A manual is written by hand but for what stands between its lines `.\\" table: ...` and `.\\" end`: the synopsis and the
commands with their options. Completions are made as a whole."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LICENCE = 'SPDX-License-Identifier: GPL-3.0-or-later'
PROGRAMS = ('samara', 'samara-match', 'samara-train')
FILES = re.compile(r'FILE|PREFIX|GAMES|BOOK|PROGRAM|ENGINE')


class Option:
    """An option of a command, or a key=value setting of one."""

    def __init__(self, name, value, text, is_setting):
        self.name, self.value, self.text, self.is_setting = name, value, text, is_setting
        self.choices = value.split('|') if re.fullmatch(r'[a-z0-9-]+(\|[a-z0-9-]+)+', value) else []
        self.is_file, self.is_folder = bool(FILES.match(value)), value == 'FOLDER'

    def left(self):
        joint = '' if not self.value or self.name.endswith('.') else '=' if self.is_setting else ' '
        return self.name + joint + self.value

    def brief(self):
        """What a menu has room for, without characters that a shell's quotes could take amiss."""
        return plain(re.split(r' ?[;(]', self.text)[0])


class Command:
    """One table of arguments: what `program command --help=table` says."""

    def __init__(self, path, *words):
        done = subprocess.run([path, *words, '--help=table'], stdout=subprocess.PIPE, text=True, check=True)
        self.parts = []  # headings and options in order
        self.summary, self.notes, self.commands, self.operands, self.usage = [], [], {}, '', ''
        for line in done.stdout.splitlines():
            kind, *fields = line.split('\t')
            if kind in ('option', 'setting'):
                self.parts.append(Option(*fields, kind == 'setting'))
            elif kind == 'heading':
                self.parts.append(fields[0])
            elif kind == 'command':
                self.commands[fields[0]] = fields[1]
            elif kind == 'summary':
                self.summary.append(fields[0])
            elif kind == 'note':
                self.notes.append(fields[0])
            else:
                setattr(self, kind, fields[0])
        everything = [part for part in self.parts if isinstance(part, Option)]
        self.options = [o for o in everything if not o.is_setting]
        self.settings = [o for o in everything if o.is_setting]
        self.takes_files = bool(FILES.search(self.operands))

    def names(self):
        return ' '.join([o.name for o in self.options] + ['--help'])


class Program:
    def __init__(self, folder, name):
        path = os.path.join(folder, name)
        self.name, self.function = name, '_' + name.replace('-', '_')
        self.top = Command(path)
        self.commands = {command: Command(path, command) for command in self.top.commands}

    def all(self):
        return [self.top, *self.commands.values()]


def plain(text):
    return re.sub(r"[\[\]:'\"\\$]", '', text)


# --- the manual ---

def roff(text):
    return re.sub(r"^([.'])", r'\\&\1', text.replace('\\', r'\e').replace('-', r'\-'))


def roff_command(command):
    """Summary, options and notes."""
    lines = []
    for paragraph in command.summary:
        lines += ['.PP', roff(paragraph)]
    for part in command.parts:
        if isinstance(part, str):
            lines.append('.PP\n.I ' + roff(part))
        else:
            lines += ['.RS\n.TP' if part.is_setting else '.TP',
                      '.B "%s"' % roff(part.left()).replace('"', r'\(dq'), roff(part.text)]
            if part.is_setting:
                lines.append('.RE')
    for note in command.notes:
        lines += ['.PP', roff(note)]
    return lines


def synopsis(program):
    uses = [command.usage for command in program.all()]
    return ['.nf'] + [roff(use) for use in uses] + ['.fi']


def commands(program):
    """Each command with what it does and its options; a program that works without one comes first."""
    lines = []
    if program.top.options:
        lines += ['.SH OPTIONS'] + roff_command(program.top)[2 * len(program.top.summary):]
    for name, command in program.commands.items():
        lines += ['.SH "%s %s"' % (roff(program.name).upper(), roff(name).upper())] + roff_command(command)
    text = '\n'.join(lines)
    return re.sub(r'(?m)^(\.SH .*\n)\.PP\n', r'\1', text).split('\n')


def manual(program):
    """The page as it is, with the parts between its marks made anew."""
    page = read('man/%s.6' % program.name)
    for mark, lines in (('synopsis', synopsis(program)), ('commands', commands(program))):
        begin, end = '.\\" table: %s\n' % mark, '.\\" end\n'
        if begin not in page:
            raise SystemExit('man/%s.6 has no line %s' % (program.name, begin))
        before, rest = page.split(begin, 1)
        page = before + begin + '\n'.join(lines) + '\n' + end + rest.split(end, 1)[1]
    return page


# --- the shells ---

def valued(program):
    """For each option with a value, how bash completes it."""
    cases = {}
    for option in (o for command in program.all() for o in command.options if o.value and o.value != 'SETTINGS'):
        action = 'COMPREPLY=($(compgen -W "%s" -- "$word")); ' % ' '.join(option.choices) if option.choices else \
            'COMPREPLY=($(compgen -d -- "$word")); ' if option.is_folder else \
            'COMPREPLY=($(compgen -f -- "$word")); ' if option.is_file else ''
        cases.setdefault(action, set()).add(option.name)
    return ['    %s) %sreturn ;;' % (' | '.join(sorted(names)), action) for action, names in sorted(cases.items())]


def bash(program):
    top = program.top
    first = ' '.join(list(program.commands) + [o.name for o in top.options] + ['--help'])
    help_words = ['    help) COMPREPLY=($(compgen -W "%s" -- "$word")); return ;;' % ' '.join(program.commands)]
    lines = ['# ' + LICENCE, '# bash completion for %s(6), made by tools/manuals.py' % program.name,
             program.function + '()', '{',
             '    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}',
             '    local options="%s" files=%s' % (top.names(), 'yes' if top.settings else ''),
             '    if ((COMP_CWORD == 1)); then',
             '        COMPREPLY=($(compgen -W "%s" -- "$word"))' % (first + (' help' if program.name == 'samara' else '')),
             '        return', '    fi', '    case $command in']
    lines += help_words if program.name == 'samara' else []
    lines += ['    %s) options="%s" files=%s ;;' % (name, command.names(), 'yes' if command.takes_files else '')
              for name, command in program.commands.items()]
    lines += ['    esac', '    case $previous in'] + valued(program) + ['    esac']
    if top.settings:
        keys = ' '.join(dict.fromkeys(o.name for o in engine_settings(top)))
        lines += ['    local i=$COMP_CWORD', '    while ((i > 1)) && [[ ${COMP_WORDS[i]} != -* ]]; do ((i--)); done',
                  '    if [[ $word != -* && $previous != "=" && $word != "=" && ${COMP_WORDS[i]} =~ ^--?(engine|each)$ ]]; then',
                  '        compopt -o nospace',
                  '        COMPREPLY=($(compgen -S = -W "%s" -- "$word"))' % keys,
                  '        return', '    fi', '    [[ $word == "=" ]] && word= files=yes']
    lines += ['    COMPREPLY=($(compgen -W "$options" -- "$word"))',
              '    [[ $files ]] && COMPREPLY+=($(compgen -f -- "$word"))', '    return 0', '}',
              'complete -o filenames -F %s %s' % (program.function, program.name)]
    return '\n'.join(lines) + '\n'


def engine_settings(command):
    """The settings that follow the first option that has some."""
    found = []
    for part in command.parts:
        if isinstance(part, Option) and part.is_setting:
            found.append(part)
        elif found:
            break
    return found


def zsh_options(command):
    words = ["'*:file:_files'"] if command.takes_files else []
    for option in command.options:
        value = '' if not option.value or option.value == 'SETTINGS' else \
            ':word:(%s)' % ' '.join(option.choices) if option.choices else \
            ':folder:_files -/' if option.is_folder else ':file:_files' if option.is_file else ':' + plain(option.value)
        again = '*' if option.value == 'SETTINGS' else ''
        words.append("'%s%s[%s]%s'" % (again, option.name, option.brief(), value))
    return words + ["'--help[show the options]'"]


def zsh(program):
    lines = ['#compdef ' + program.name, '# ' + LICENCE,
             '# zsh completion for %s(6), made by tools/manuals.py' % program.name,
             program.function + '() {', '    local -a commands', '    commands=(']
    lines += ["        '%s:%s'" % (name, plain(brief)) for name, brief in program.top.commands.items()]
    lines += ['    )', '    if ((CURRENT == 2)); then', '        _describe command commands', '    fi', '    case $words[2] in']
    if program.name == 'samara':
        lines.append('    help) _describe command commands ;;')
    for name, command in program.commands.items():
        lines.append('    %s)\n        _arguments %s\n        ;;' % (name, ' \\\n            '.join(zsh_options(command))))
    lines.append('    *)\n        _arguments %s\n        ;;' % ' \\\n            '.join(zsh_options(program.top)))
    return '\n'.join(lines + ['    esac', '}', program.function + ' "$@"']) + '\n'


def fish_options(program, command, condition):
    lines = []
    for option in command.options:
        kind = '-l ' + option.name[2:] if option.name.startswith('--') else '-o ' + option.name[1:]
        value = '' if not option.value or option.value == 'SETTINGS' else \
            " -x -a '%s'" % ' '.join(option.choices) if option.choices else \
            " -x -a '(__fish_complete_directories)'" if option.is_folder else ' -r' if option.is_file else ' -x'
        lines.append("complete -c %s -n '%s'%s %s -d '%s'" % (program.name, condition, value, kind, option.brief()))
    return lines


def fish(program):
    outside = 'not __fish_seen_subcommand_from ' + ' '.join(program.commands)
    lines = ['# ' + LICENCE, '# fish completion for %s(6), made by tools/manuals.py' % program.name]
    lines += ["complete -c %s -n '%s' -f -a %s -d '%s'" % (program.name, outside, name, plain(brief))
              for name, brief in program.top.commands.items()]
    if program.name == 'samara':
        lines.append("complete -c samara -n '__fish_seen_subcommand_from help' -f -a '%s'" % ' '.join(program.commands))
    lines += fish_options(program, program.top, outside)
    for name, command in program.commands.items():
        lines += fish_options(program, command, '__fish_seen_subcommand_from ' + name)
    return '\n'.join(lines) + '\n'


# --- what is there, and what should be ---

def all_texts(folder):
    texts = {}
    for name in PROGRAMS:
        program = Program(folder, name)
        texts['man/%s.6' % name] = manual(program)
        texts['completion/%s.bash' % name] = bash(program)
        texts['completion/_' + name] = zsh(program)
        texts['completion/%s.fish' % name] = fish(program)
    return texts


def read(path):
    try:
        with open(os.path.join(ROOT, path), encoding='utf-8') as file:
            return file.read()
    except FileNotFoundError:
        return ''


def main():
    folder, check = sys.argv[1], '--check' in sys.argv[2:]
    complaints = []
    for path, text in all_texts(folder).items():
        if read(path) == text:
            continue
        if check:
            complaints.append('%s is not what the table of arguments says: run tools/manuals.py' % path)
            continue
        with open(os.path.join(ROOT, path), 'w', encoding='utf-8') as file:
            file.write(text)
    print('\n'.join(complaints) if complaints else 'manuals and completions are complete')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main())
