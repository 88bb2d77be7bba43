#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test_make.sh FOLDER SAMARA: plain `make` builds and installs an engine that searches as CMake's does.
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
