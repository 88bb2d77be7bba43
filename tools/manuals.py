#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual pages and shell completions of samara-match and samara-train, made from what their --help says.

usage: manuals.py FOLDER           writes man/ and completion/ for the programs in FOLDER
       manuals.py FOLDER --check   says what would change; also whether those of samara, which are
                                   written by hand, name every command and option. Exit code 1 if not."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LICENCE = 'SPDX-License-Identifier: GPL-3.0-or-later'
OPTION = re.compile(r'(?<![\w-])--?[a-z][a-z0-9-]*')
PROGRAMS = {
    'samara-match': ('plays chess engines against each other and judges the result',
                     ['spsa', 'compliance'], ['samara', 'samara-train']),
    'samara-train': ('plays and keeps games, and trains the networks of Samara on them',
                     None, ['samara', 'samara-match']),
}


def help_of(program, *words):
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    # The default of --threads is the machine's, not the program's.
    return re.sub(r'( --threads .*) \[\d+\]', r'\1', done.stdout)


def plain(text):
    return re.sub(r"[\[\]:'\"\\]", '', text)


class Item:
    """An option, or a setting of one: `-word ARGS  what it means`."""

    def __init__(self, line):
        columns = re.split(r' {2,}', line.strip())
        self.left, self.text = columns[0], ''
        if len(columns) > 1:  # the last one is the explanation
            self.left, self.text = ' '.join(columns[:-1]), columns[-1]
        self.is_option = self.left.startswith('-')
        self.names = OPTION.findall(self.left) if self.is_option else [re.match(r'[a-z]*', self.left)[0]]
        rest = self.left.split(' ', 1)[1] if ' ' in self.left else ''
        self.takes_value = self.is_option and bool(re.match(r'[A-Z]', rest)) and rest != 'SETTINGS'
        self.takes_file = self.takes_value and not re.match(r'(N|X|NAME)\b', rest)

    def brief(self):
        """What a menu has room for, without characters that a shell's quotes could take amiss."""
        return plain(re.split(r' ?[;(\[]', self.text)[0])


class Help:
    """A text of --help: its usage, and below it headings, paragraphs and items."""

    def __init__(self, text):
        first, *rest = text.rstrip('\n').split('\n')
        self.usage = [first.split(':', 1)[1].strip()]
        while rest and rest[0].startswith('     '):
            self.usage.append(rest.pop(0).strip())
        self.parts, self.shared = [], OPTION.findall(' '.join(re.findall(r'\[(-.*?)\]', ' '.join(self.usage))))
        for line, after in zip(rest, rest[1:] + ['']):
            indent = len(line) - len(line.lstrip())
            last = self.parts[-1] if self.parts else None
            if not line.strip():
                self.parts.append(None)
            elif indent in (2, 4):
                self.parts.append(Item(line))
            elif indent > 4:
                last.text += ' ' + line.strip()
            elif after.startswith('  -') and not line.endswith('.'):
                self.parts.append(('heading', line))
            elif isinstance(last, tuple) and last[0] == 'text':
                self.parts[-1] = ('text', last[1] + ' ' + line)
            else:
                self.parts.append(('text', line))
            if indent == 0 and line.startswith('-'):
                self.shared += OPTION.findall(line)  # "-engine, -each and so on are those of a match"
        self.items = [part for part in self.parts if isinstance(part, Item)]

    def options(self):
        return [name for item in self.items if item.is_option for name in item.names] + self.shared

    def settings(self):
        return [item.names[0] for item in self.items if not item.is_option]


class Program:
    def __init__(self, folder, name):
        path = os.path.join(folder, name)
        self.name, (self.purpose, commands, self.see_also) = name, PROGRAMS[name]
        top = help_of(path, '--help')
        self.brief = dict(re.findall(r'(?m)^  ([a-z]+) {2,}(\S.*)$', top)) if commands is None else {}
        self.help = Help(top) if commands else None
        self.commands = {c: Help(help_of(path, c, '--help')) for c in commands or self.brief}

    def brief_of(self, command):
        """Its line in the list of commands, or the first sentence of its own help."""
        text = self.brief.get(command) or next(p[1] for p in self.commands[command].parts if isinstance(p, tuple))
        return plain(re.split(r'[.:,]( |$)', text)[0])


# --- the manual ---

def roff(text):
    return re.sub(r"^([.'])", r'\\&\1', text.replace('\\', r'\e').replace('-', r'\-'))


def roff_help(text, lines):
    for part in text.parts:
        if part is None:
            lines.append('.PP')
        elif isinstance(part, Item):
            lines += ['.TP', '.B "%s"' % roff(part.left).replace('"', r'\(dq'), roff(part.text)]
        else:
            lines += ['.SS ' + roff(part[1]) if part[0] == 'heading' else roff(part[1])]


def manual(program):
    lines = ['.\\" ' + LICENCE, '.\\" Made by tools/manuals.py from the words of --help.',
             '.TH %s 6 "" "Samara" "Games"' % program.name.upper().replace('-', r'\-'), '.SH NAME',
             roff(program.name) + r' \- ' + roff(program.purpose), '.SH SYNOPSIS', '.nf']
    helps = ([program.help] if program.help else []) + list(program.commands.values())
    lines += [roff(('' if use.startswith(program.name) else '    ') + use)
              for text in helps for use in text.usage if ' --help' not in use and '(each' not in use]
    lines.append('.fi')
    if program.help:
        lines.append('.SH DESCRIPTION')
        roff_help(program.help, lines)
    for command, text in program.commands.items():
        lines.append('.SH ' + command.upper())
        roff_help(text, lines)
    lines += ['.SH SEE ALSO', ',\n'.join('.BR %s (6)' % roff(name) for name in program.see_also)]
    page = '\n'.join(line for line in lines if line) + '\n'
    page = re.sub(r'(?:\.PP\n)+(?=\.(?:PP|SS|SH|TP))', '', page)
    return re.sub(r'(?m)^(\.S[SH] .*\n)\.PP\n', r'\1', page)


# --- the shells ---

def word_list(words):
    return ' '.join(dict.fromkeys(words))


def valued(program, file):
    """Options that want a value: a file, or something that cannot be guessed."""
    helps = ([program.help] if program.help else []) + list(program.commands.values())
    return sorted({item.names[0] for text in helps for item in text.items
                   if item.takes_value and item.takes_file == file})


def bash(program):
    name, function = program.name, '_' + program.name.replace('-', '_')
    first = list(program.commands) + (program.help.options() if program.help else ['--help', '--version'])
    lines = ['# ' + LICENCE, '# bash completion for %s(6), made by tools/manuals.py' % name, function + '()', '{',
             '    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}',
             '    local options="%s"' % word_list(program.help.options() if program.help else []),
             '    if ((COMP_CWORD == 1)); then',
             '        COMPREPLY=($(compgen -W "%s" -- "$word"))' % word_list(first), '        return', '    fi',
             '    case $command in']
    lines += ['    %s) options="%s" ;;' % (command, word_list(text.options() + ['--help']))
              for command, text in program.commands.items()]
    lines += ['    esac', '    case $previous in']
    if valued(program, True):
        lines.append('    %s) COMPREPLY=($(compgen -f -- "$word")); return ;;' % ' | '.join(valued(program, True)))
    lines += ['    %s) return ;;' % ' | '.join(valued(program, False)), '    esac']
    if program.help:
        lines += ['    local i=$COMP_CWORD', '    while ((i > 1)) && [[ ${COMP_WORDS[i]} != -* ]]; do ((i--)); done',
                  '    if [[ $word != -* && $previous != "=" && $word != "=" && ${COMP_WORDS[i]} =~ ^--?(engine|each)$ ]]; then',
                  '        compopt -o nospace',
                  '        COMPREPLY=($(compgen -S = -W "%s" -- "$word"))' % word_list(program.help.settings()),
                  '        return', '    fi', '    [[ $word == "=" ]] && word=']
    lines += ['    COMPREPLY=($(compgen -W "$options" -- "$word") $(compgen -f -- "$word"))', '}',
              'complete -o filenames -F %s %s' % (function, name)]
    return '\n'.join(lines) + '\n'


def zsh_options(text):
    words = []
    for item in text.items:
        for option in item.names if item.is_option else []:
            value = ':file:_files' if item.takes_file else ':number' if item.takes_value else ''
            first = option == item.names[0]
            again = '*' if 'SETTINGS' in item.left else ''
            words.append("'%s%s[%s]%s'" % (again, option, item.brief() if first else '', value if first else ''))
    return words + ["'%s'" % option for option in text.shared]


def zsh(program):
    function = '_' + program.name.replace('-', '_')
    lines = ['#compdef ' + program.name, '# ' + LICENCE, '# zsh completion for %s(6), made by tools/manuals.py' % program.name,
             function + '() {', '    local -a commands', '    commands=(']
    lines += ["        '%s:%s'" % (command, program.brief_of(command)) for command in program.commands]
    lines += ['    )', '    if ((CURRENT == 2)); then', '        _describe command commands', '    fi', '    case $words[2] in']
    for command, text in program.commands.items():
        lines.append('    %s)\n        _arguments %s\n        ;;' % (command, ' \\\n            '.join(
            ["'*:file:_files'"] + zsh_options(text))))
    lines.append('    *)\n        _arguments %s\n        ;;' % ' \\\n            '.join(
        ["'*:file:_files'"] + zsh_options(program.help) if program.help else
        ["'--help[list the commands]'", "'--version[show the version]'"]))
    return '\n'.join(lines + ['    esac', '}', function + ' "$@"']) + '\n'


def fish_options(program, text, condition):
    lines = []
    for item in text.items:
        for option in item.names if item.is_option else []:
            kind = '-l ' + option[2:] if option.startswith('--') else '-o ' + option[1:]
            first = option == item.names[0]
            value = ' -r' if item.takes_file and first else ' -x' if item.takes_value and first else ''
            about = " -d '%s'" % item.brief() if item.brief() and first else ''
            lines.append("complete -c %s -n '%s'%s %s%s" % (program.name, condition, value, kind, about))
    return lines + ["complete -c %s -n '%s' -o %s" % (program.name, condition, option[1:]) for option in text.shared]


def fish(program):
    outside = 'not __fish_seen_subcommand_from ' + ' '.join(program.commands)
    lines = ['# ' + LICENCE, '# fish completion for %s(6), made by tools/manuals.py' % program.name]
    lines += ["complete -c %s -n '%s' -f -a %s -d '%s'" % (program.name, outside, command, program.brief_of(command))
              for command in program.commands]
    if program.help:
        lines += fish_options(program, program.help, outside)
    else:
        lines += ["complete -c %s -n '%s' -f -l %s" % (program.name, outside, option) for option in ('help', 'version')]
    for command, text in program.commands.items():
        lines += fish_options(program, text, '__fish_seen_subcommand_from ' + command)
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


def missing_of_samara(folder):
    """Commands and options of samara that its handwritten pages do not name."""
    path = os.path.join(folder, 'samara')
    commands = re.findall(r'(?m)^  ([a-z]+) {2,}', help_of(path, '--help'))
    words = set(commands)
    for command in commands:
        if command not in ('help', 'serve'):  # serve has a long --help of its own
            words |= set(OPTION.findall(help_of(path, 'help', command).split('\n\n')[0]))
    for page in 'man/samara.6', 'completion/samara.bash', 'completion/_samara', 'completion/samara.fish':
        text = read(page).replace(r'\-', '-')
        known = set(re.findall(r'[a-z0-9-]+', text))
        for word in sorted(words):
            if word not in known and not (page.endswith('.fish') and word.lstrip('-') in known):
                yield '%s does not name %s' % (page, word)


def main():
    folder, check = sys.argv[1], '--check' in sys.argv[2:]
    complaints = list(missing_of_samara(folder)) if check else []
    for path, text in all_texts(folder).items():
        if read(path) == text:
            continue
        if check:
            complaints.append('%s is not what --help says: run tools/manuals.py' % path)
            continue
        with open(os.path.join(ROOT, path), 'w', encoding='utf-8') as file:
            file.write(text)
    print('\n'.join(complaints) if complaints else 'manuals and completions are complete')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main())
