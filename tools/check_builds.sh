#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_builds.sh [DEPTH]: every way to build the engine gives the same bench number: gcc and clang, release and debug
# (sanitizers), magic bitboards and PEXT, each instruction set this machine can run, and the Makefile.
# Builds in build/check; takes some minutes.
set -eu
cd "$(dirname "$0")/.."
depth=${1:-}
signature=

# bench NAME PROGRAM: prints the number and compares it with the first one.
bench() {
    # shellcheck disable=SC2086
    number=$("$2" bench $depth 2>&1 | sed -n 's/^Nodes searched *: *\([0-9]*\).*/\1/p')
    printf '%-28s %s\n' "$1" "${number:-no number}"
    [ -n "$number" ] || exit 1
    [ "${signature:=$number}" = "$number" ] || { echo "differs from $signature"; exit 1; }
}

# build NAME COMPILER PRESET OPTIONS...: configures, builds and benches.
build() {
    name=$1 compiler=$2 preset=$3
    shift 3
    directory=build/check/$(printf %s "$name" | tr ' ' -)
    cmake --preset "$preset" -B "$directory" -DCMAKE_C_COMPILER="$compiler" -DBUILD_TESTING=OFF \
        -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "$@" >"$directory.log" 2>&1
    if ! cmake --build "$directory" --parallel "$(nproc)" --target samara >>"$directory.log" 2>&1; then
        echo "$name does not build, see $directory.log"
        exit 1
    fi
    bench "$name" "$directory/samara"
}

mkdir -p build/check
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || { echo "no $compiler: left out"; continue; }
    for preset in release debug; do
        build "$compiler $preset magic" "$compiler" "$preset" -DSAMARA_PEXT=OFF
        grep -qsw bmi2 /proc/cpuinfo && build "$compiler $preset pext" "$compiler" "$preset" -DSAMARA_PEXT=ON
    done
done
build "gcc baseline" gcc release -DSAMARA_ARCH=
build "gcc v2" gcc v2
grep -qsw avx2 /proc/cpuinfo && build "gcc v3" gcc v3
make -s EXE=build/check/samara-make >build/check/make.log 2>&1 || { echo "make fails, see build/check/make.log"; exit 1; }
bench "make" build/check/samara-make
