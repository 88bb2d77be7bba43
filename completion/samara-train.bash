# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for samara-train(6), made by tools/manuals.py
_samara_train()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options=""
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "datagen info filter merge shuffle rescore train texel wdl bench --help --version" -- "$word"))
        return
    fi
    case $command in
    datagen) options="--out --games --nodes --hard-nodes --net --classical --threads --seed --chess960 --double --random-plies --opening-score --hash --help" ;;
    info) options="--help" ;;
    filter) options="--out --min-plies --max-plies --games --standard --decisive --help" ;;
    merge) options="--out --help" ;;
    shuffle) options="--out --seed --help" ;;
    rescore) options="--out --nodes --hard-nodes --net --classical --threads --hash --help" ;;
    train) options="--out --hidden --buckets --epochs --batch --rate --rate-end --warmup --result --result-end --decay --clip --min-ply --max-score --keep-checks --keep-noisy --keep-duplicates --imitate --teacher --validation --seed --threads --from --resume --help" ;;
    texel) options="--out --epochs --batch --rate --prior --result --take --valid --min-ply --max-score --threads --seed --help" ;;
    wdl) options="--player --help" ;;
    bench) options="--threads --hidden --time --help" ;;
    esac
    case $previous in
    --from | --net | --out | --player | --teacher) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --batch | --buckets | --chess960 | --clip | --decay | --double | --epochs | --games | --hard-nodes | --hash | --hidden | --imitate | --max-plies | --max-score | --min-plies | --min-ply | --nodes | --opening-score | --prior | --random-plies | --rate | --rate-end | --result | --result-end | --seed | --take | --threads | --time | --valid | --validation | --warmup) return ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _samara_train samara-train
