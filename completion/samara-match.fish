# SPDX-License-Identifier: GPL-3.0-or-later
# fish completion for samara-match(6), made by tools/manuals.py
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -f -a spsa -d 'Tunes numeric options of one engine by SPSA'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -f -a compliance -d 'Holds a UCI conversation with the engine and reports'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o engine -d 'of one engine'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o each -d 'of all of them'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o openings
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -x -o rounds -d 'encounters of each pairing'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -x -o games -d 'games per encounter'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o norepeat -d 'every game has its own opening'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o tournament
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o variant -d 'Chess960'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -x -o concurrency -d 'games at a time'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o pin -d 'each worker and its engines on a core of their own'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -x -o seed -d 'of the shuffled openings'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o draw -d 'both engines agree'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o resign
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -x -o maxmoves -d 'then it is a draw'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -r -o tb -d 'Syzygy tablebases'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o tbpieces
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o tbignore50
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o sprt
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -r -o pgnout -d 'appends every game'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -r -o json -d 'the result for programs'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -r -o resume -d 'keeps a journal there and goes on from it if it exists'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -x -o report -d 'a table every N games'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -x -o event -d 'for the PGN'
complete -c samara-match -n 'not __fish_seen_subcommand_from spsa compliance' -o quiet -d 'only the final table'
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -r -o params -d 'lines name, int, start, min, max, c_end, r_end or PARAM'
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -x -o iterations -d 'pairs of games to play'
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -r -o resume -d 'keeps a journal of all results there and goes on from it if it exists'
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -r -o out -d 'the values reached so far, as a new file for -params'
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -x -o report -d 'writes -out and a line every N iterations'
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o list -d 'prints the engines numeric options as a file for -params'
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o engine
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o each
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o openings
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o concurrency
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o pin
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o seed
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o draw
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o resign
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o maxmoves
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o tb
complete -c samara-match -n '__fish_seen_subcommand_from spsa' -o quiet
complete -c samara-match -n '__fish_seen_subcommand_from compliance' -o check
