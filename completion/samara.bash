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
    ladder) options="--depth --movetime --play --from --to --eval --threads --minimax --passes --json --markdown --svg --save" ;;
    serve) options="--help" ;;
    help) COMPREPLY=($(compgen -W "bench perft eval analyse book ladder serve" -- "$word")); return ;;
    esac
    case $previous in
    --syzygy) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --build | --save) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --eval) COMPREPLY=($(compgen -W "material first second points classical" -- "$word")); return ;;
    --depth | --nodes | --movetime | --mate | --multipv | --threads | --hash | --plies | --min-games | --minimax | --play | --from | --to | --passes) return ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    if [[ $command == bench || $command == analyse || $command == book ]]; then
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _samara samara
