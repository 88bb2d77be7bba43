# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for samara-match(6), made by tools/manuals.py
_samara_match()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options="-engine -each -openings -rounds -games -norepeat -tournament -variant -concurrency -pin -broker -broker-password-file -broker-exposed -seed -draw -resign -maxmoves -tb -tbpieces -tbignore50 -sprt -pgnout -json -resume -report -event -quiet --help" files=yes
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "spsa compliance -engine -each -openings -rounds -games -norepeat -tournament -variant -concurrency -pin -broker -broker-password-file -broker-exposed -seed -draw -resign -maxmoves -tb -tbpieces -tbignore50 -sprt -pgnout -json -resume -report -event -quiet --help" -- "$word"))
        return
    fi
    case $command in
    spsa) options="-params -iterations -out -list -engine -each -openings -concurrency -pin -seed -draw -resign -maxmoves -tb -tbpieces -tbignore50 -resume -report -quiet --help" files= ;;
    compliance) options="-check --help" files=yes ;;
    esac
    case $previous in
    -broker | -check | -concurrency | -event | -games | -iterations | -maxmoves | -report | -rounds | -seed | -tbpieces) return ;;
    -tournament) COMPREPLY=($(compgen -W "round-robin gauntlet" -- "$word")); return ;;
    -variant) COMPREPLY=($(compgen -W "standard fischerandom" -- "$word")); return ;;
    -tb) COMPREPLY=($(compgen -d -- "$word")); return ;;
    -broker-password-file | -json | -out | -params | -pgnout | -resume) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    local i=$COMP_CWORD
    while ((i > 1)) && [[ ${COMP_WORDS[i]} != -* ]]; do ((i--)); done
    if [[ $word != -* && $previous != "=" && $word != "=" && ${COMP_WORDS[i]} =~ ^--?(engine|each)$ ]]; then
        compopt -o nospace
        COMPREPLY=($(compgen -S = -W "cmd name arg args proto option. tc st nodes depth timemargin hang dir stderr init ponder restart linegap" -- "$word"))
        return
    fi
    [[ $word == "=" ]] && word= files=yes
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    [[ $files ]] && COMPREPLY+=($(compgen -f -- "$word"))
    return 0
}
complete -o filenames -F _samara_match samara-match
