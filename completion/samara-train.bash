# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for samara-train(6), made by tools/manuals.py
_samara_train()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options=""
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "datagen info filter merge shuffle rescore train loop quality texel wdl bench --help --version" -- "$word"))
        return
    fi
    case $command in
    datagen) options="--out --games --nodes --hard-nodes --net --classical --threads --seed --chess960 --double --random-plies --opening-score --hash --help" ;;
    info) options="--help" ;;
    filter) options="--out --min-plies --max-plies --games --standard --decisive --help" ;;
    merge) options="--out --help" ;;
    shuffle) options="--out --seed --help" ;;
    rescore) options="--out --nodes --hard-nodes --net --classical --threads --hash --help" ;;
    train) options="--out --hidden --buckets --epochs --batch --rate --rate-end --warmup --result --result-end --fit-scale --decay --clip --min-ply --max-score --keep-checks --keep-noisy --keep-duplicates --imitate --validation --seed --threads --from --resume --help" ;;
    loop) options="--dir --hours --generations --from --from-nothing --positions --window --nodes --hard-nodes --hidden --epochs --rate --gate-pairs --gate-nodes --seed --threads --status --pause --resume --help" ;;
    quality) options="--set --make --positions --nodes --net --seed --threads --classical --help" ;;
    texel) options="--out --epochs --batch --rate --prior --result --take --valid --min-ply --max-score --threads --seed --help" ;;
    wdl) options="--player --help" ;;
    bench) options="--threads --hidden --time --help" ;;
    esac
    case $previous in
    --dir | --from | --net | --out | --player | --set) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --batch | --buckets | --chess960 | --clip | --decay | --double | --epochs | --games | --gate-nodes | --gate-pairs | --generations | --hard-nodes | --hash | --hidden | --hours | --imitate | --max-plies | --max-score | --min-plies | --min-ply | --nodes | --opening-score | --positions | --prior | --random-plies | --rate | --rate-end | --result | --result-end | --seed | --take | --threads | --time | --valid | --validation | --warmup | --window) return ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _samara_train samara-train
