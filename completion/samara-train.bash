# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for samara-train(6), made by tools/manuals.py
_samara_train()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options="--version --help" files=
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "datagen info filter merge shuffle rescore train loop quality texel wdl bench --version --help" -- "$word"))
        return
    fi
    case $command in
    datagen) options="--out --games --nodes --hard-nodes --net --classical --threads --seed --chess960 --double --random-plies --opening-score --hash --broker --broker-password-file --broker-exposed --help" files= ;;
    info) options="--help" files=yes ;;
    filter) options="--out --min-plies --max-plies --games --standard --decisive --help" files=yes ;;
    merge) options="--out --help" files=yes ;;
    shuffle) options="--out --seed --help" files=yes ;;
    rescore) options="--out --nodes --hard-nodes --net --classical --threads --hash --help" files=yes ;;
    train) options="--out --kings --hidden --buckets --epochs --batch --rate --rate-end --warmup --result --result-end --ahead --fit-scale --decay --clip --min-ply --max-score --keep-checks --keep-noisy --keep-duplicates --imitate --validation --seed --threads --from --resume --help" files=yes ;;
    loop) options="--dir --hours --generations --from --from-nothing --positions --window --nodes --hard-nodes --hidden --epochs --rate --gate-pairs --gate-nodes --seed --threads --status --pause --resume --help" files=yes ;;
    quality) options="--set --make --positions --nodes --net --seed --threads --ahead --classical --help" files=yes ;;
    texel) options="--out --epochs --batch --rate --prior --result --take --valid --min-ply --max-score --threads --seed --help" files=yes ;;
    wdl) options="--player --help" files=yes ;;
    bench) options="--threads --hidden --time --help" files= ;;
    esac
    case $previous in
    --ahead | --batch | --broker | --buckets | --chess960 | --clip | --decay | --double | --epochs | --games | --gate-nodes | --gate-pairs | --generations | --hard-nodes | --hash | --hidden | --hours | --imitate | --kings | --max-plies | --max-score | --min-plies | --min-ply | --nodes | --opening-score | --player | --positions | --prior | --random-plies | --rate | --rate-end | --result | --result-end | --seed | --take | --threads | --time | --valid | --validation | --warmup | --window) return ;;
    --dir) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --broker-password-file | --from | --net | --out | --set) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    [[ $files ]] && COMPREPLY+=($(compgen -f -- "$word"))
    return 0
}
complete -o filenames -F _samara_train samara-train
