# SPDX-License-Identifier: GPL-3.0-or-later
# fish completion for samara(6)
set -l commands bench perft eval analyse book ladder serve help
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -l version -d 'show version and build'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a bench -d 'search a fixed set of positions'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a perft -d 'count the tree of legal moves'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a eval -d 'explain the static evaluation'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a analyse -d 'analyse a position, a suite or games'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a book -d 'look up or build an opening book'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a ladder -d 'measure the classic searches'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a serve -d 'serve HTTP and the board page'
complete -c samara -n "not __fish_seen_subcommand_from $commands" -f -a help -d 'list or explain the commands'
complete -c samara -n '__fish_seen_subcommand_from help' -f -a "$commands"
complete -c samara -n '__fish_seen_subcommand_from bench' -l nnue -d 'time the network'
for option in threads hash
    complete -c samara -n '__fish_seen_subcommand_from perft analyse' -x -l $option
end
complete -c samara -n '__fish_seen_subcommand_from perft' -l no-divide -d 'only the sum'
complete -c samara -n '__fish_seen_subcommand_from perft eval analyse book' -l chess960
for option in depth nodes movetime mate multipv
    complete -c samara -n '__fish_seen_subcommand_from analyse' -x -l $option
end
complete -c samara -n '__fish_seen_subcommand_from analyse' -r -l syzygy -d 'folder of tablebases'
complete -c samara -n '__fish_seen_subcommand_from analyse' -l json -d 'one object per line'
complete -c samara -n '__fish_seen_subcommand_from book' -r -l build -d 'new book'
complete -c samara -n '__fish_seen_subcommand_from book' -x -l plies
complete -c samara -n '__fish_seen_subcommand_from book' -x -l min-games
for option in depth movetime play from to threads minimax passes
    complete -c samara -n '__fish_seen_subcommand_from ladder' -x -l $option
end
complete -c samara -n '__fish_seen_subcommand_from ladder' -x -l eval -a 'material first second points classical'
for option in json markdown svg
    complete -c samara -n '__fish_seen_subcommand_from ladder' -l $option
end
complete -c samara -n '__fish_seen_subcommand_from ladder' -r -l save -d 'NAME.json, NAME.md, NAME.svg'
