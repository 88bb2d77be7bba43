# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for samara(6), made by tools/manuals.py
_samara()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options="--version --simd --help" files=
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "bench perft divide eval analyse explain puzzles book genfens play platform serve queue mcp bits work ladder --version --simd --help help" -- "$word"))
        return
    fi
    case $command in
    help) COMPREPLY=($(compgen -W "bench perft divide eval analyse explain puzzles book genfens play platform serve queue mcp bits work ladder" -- "$word")); return ;;
    bench) options="--nnue --help" files=yes ;;
    perft) options="--threads --hash --no-divide --chess960 --help" files= ;;
    divide) options="--threads --hash --no-divide --chess960 --help" files= ;;
    eval) options="--chess960 --help" files= ;;
    analyse) options="--depth --nodes --movetime --mate --multipv --threads --hash --syzygy --chess960 --json --pgn --resume --jobs --book --broker --broker-password-file --broker-exposed --language --level --help" files=yes ;;
    explain) options="--nodes --json --file --syzygy --chess960 --language --level --help" files= ;;
    puzzles) options="--nodes --jobs --player --format --syzygy --grade --help" files=yes ;;
    book) options="--build --plies --min-games --player --chess960 --help" files=yes ;;
    genfens) options="--help" files=yes ;;
    play) options="--level --white --black --depth --movetime --pgn --chess960 --help" files= ;;
    platform) options="--movetime --depth --help" files= ;;
    serve) options="--port --listen --token-file --token --no-token --host --origin --trusted-proxy --proxy-header --db --no-store --store-size --keep-days --engines --streams --hash --stream-threads --stream-hash --syzygy --book --queue --max-time --max-stream --broker --broker-password-file --broker-exposed --broker-local --connections --help" files= ;;
    queue) options="--broker --broker-password-file --broker-exposed --state --limit --json --help" files= ;;
    mcp) options="--help" files= ;;
    bits) options="--speed --help" files= ;;
    work) options="--broker --broker-password-file --broker-exposed --threads --kinds --engine --net --lease --attempts --drain --help" files= ;;
    ladder) options="--depth --movetime --play --from --to --eval --threads --minimax --passes --json --markdown --svg --save --help" files= ;;
    esac
    case $previous in
    --attempts | --broker | --connections | --depth | --drain | --engine | --engines | --from | --hash | --host | --jobs | --keep-days | --kinds | --lease | --level | --limit | --listen | --mate | --max-stream | --max-time | --min-games | --minimax | --movetime | --multipv | --nodes | --origin | --passes | --play | --player | --plies | --port | --proxy-header | --queue | --simd | --store-size | --stream-hash | --stream-threads | --streams | --syzygy | --threads | --to | --token | --trusted-proxy) return ;;
    --level) COMPREPLY=($(compgen -W "beginner club expert" -- "$word")); return ;;
    --language) COMPREPLY=($(compgen -W "en bs ro vi fi ru" -- "$word")); return ;;
    --eval) COMPREPLY=($(compgen -W "material first second points classical" -- "$word")); return ;;
    --state) COMPREPLY=($(compgen -W "ready leased done dead" -- "$word")); return ;;
    --format) COMPREPLY=($(compgen -W "text json pgn epd" -- "$word")); return ;;
    --syzygy) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --book | --broker-password-file | --build | --db | --file | --grade | --net | --pgn | --save | --token-file) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    [[ $files ]] && COMPREPLY+=($(compgen -f -- "$word"))
    return 0
}
complete -o filenames -F _samara samara
