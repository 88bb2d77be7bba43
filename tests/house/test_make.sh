#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test_make.sh FOLDER SAMARA: plain `make` builds and installs an engine that searches as CMake's does, with the network
# that it is given or not at all; `make run` speaks to a client and says nothing else.
set -eu
cd "$(dirname "$0")/../.."
out=$1/make-test
rm -rf "$out"
mkdir -p "$out"

bench() { "$1" bench 5 2>&1 | sed -n 's/^Nodes searched *: *//p'; }

make EXE="$out/samara" CFLAGS='-O0 -fno-lto'
make EXE="$out/samara" DESTDIR="$out/root" PREFIX=/usr install
ours=$(bench "$out/root/usr/bin/samara")
theirs=$(bench "$2")
echo "make: $ours nodes, cmake: $theirs nodes"
[ -n "$ours" ] && [ "$ours" = "$theirs" ]

answer=$(echo quit | make EXE="$out/samara" CFLAGS='-O0 -fno-lto' run 2>"$out/log")
[ -z "$answer" ] || { echo "make run said: $answer"; exit 1; }
printf 'uci\nquit\n' | make EXE="$out/samara" CFLAGS='-O0 -fno-lto' run 2>/dev/null | grep -qx uciok

if make EXE="$out/none" EVALFILE="$out/no.nnue" 2>"$out/log"; then
    echo "make took a network that is not there"
    exit 1
fi
grep -q 'there is no file .*no.nnue' "$out/log"
# Not a network: the program that has it built in cannot use it, and so it is not the shipped one.
echo rubbish >"$out/other.nnue"
make -n EXE="$out/other" EVALFILE="$out/other.nnue" | grep -q "SAMARA_NET_FILE='\"$out/other.nnue\"'"
