# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for samara-match(6), made by tools/manuals.py
_samara_match()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options="-engine -each -openings -rounds -games -norepeat -tournament -variant -concurrency -pin -seed -draw -resign -maxmoves -tb -tbpieces -tbignore50 -sprt -pgnout -json -resume -report -event -quiet"
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "spsa compliance -engine -each -openings -rounds -games -norepeat -tournament -variant -concurrency -pin -seed -draw -resign -maxmoves -tb -tbpieces -tbignore50 -sprt -pgnout -json -resume -report -event -quiet" -- "$word"))
        return
    fi
    case $command in
    spsa) options="-params -iterations -resume -out -report -list -engine -each -openings -concurrency -pin -seed -draw -resign -maxmoves -tb -quiet --help" ;;
    compliance) options="-check --help" ;;
    esac
    case $previous in
    -json | -out | -params | -pgnout | -resume | -tb) COMPREPLY=($(compgen -f -- "$word")); return ;;
    -concurrency | -event | -games | -iterations | -maxmoves | -report | -rounds | -seed) return ;;
    esac
    local i=$COMP_CWORD
    while ((i > 1)) && [[ ${COMP_WORDS[i]} != -* ]]; do ((i--)); done
    if [[ $word != -* && $previous != "=" && $word != "=" && ${COMP_WORDS[i]} =~ ^--?(engine|each)$ ]]; then
        compopt -o nospace
        COMPREPLY=($(compgen -S = -W "cmd name arg proto option tc st nodes timemargin hang dir stderr init ponder restart linegap" -- "$word"))
        return
    fi
    [[ $word == "=" ]] && word=
    COMPREPLY=($(compgen -W "$options" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _samara_match samara-match
