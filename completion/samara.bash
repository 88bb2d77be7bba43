# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for samara(6)
_samara()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local commands="bench perft eval analyse book ladder serve help --version" options=""
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$commands" -- "$word"))
        return
    fi
    case $command in
    bench) options="--nnue" ;;
    perft) options="--threads --hash --no-divide --chess960" ;;
    eval) options="--chess960" ;;
    analyse) options="--depth --nodes --movetime --mate --multipv --threads --hash --syzygy --chess960 --json" ;;
    book) options="--build --plies --min-games --chess960" ;;
    ladder) options="--depth --minimax --eval" ;;
    serve) options="--help" ;;
    help) COMPREPLY=($(compgen -W "bench perft eval analyse book ladder serve" -- "$word")); return ;;
    esac
    case $previous in
    --syzygy) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --build) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --eval) COMPREPLY=($(compgen -W "classical first second third points" -- "$word")); return ;;
    --depth | --nodes | --movetime | --mate | --multipv | --threads | --hash | --plies | --min-games | --minimax) return ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    if [[ $command == bench || $command == analyse || $command == book ]]; then
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _samara samara
