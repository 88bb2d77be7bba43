#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test_signature.sh SAMARA: every set of kernels that the processor has, forced by option and by environment, searches
# the same nodes; a set that it lacks, and a word that means none, are answered in words. An emulator or wine may stand
# before the program, as words of their own.
set -eu
run() { "$@" bench 7 2>/dev/null | tr -d '\r' | sed -n 's/^Nodes searched *: *//p'; }
failed=0
complain() { echo "FAILED: $1" && failed=1; }

words=$("$@" --simd nonsense bench 2>&1 | tr -d '\r' | sed -n 's/.*takes one of \(.*\), not .*/\1/p')
[ -n "$words" ] || complain "an unknown word is refused with a list of those that exist"
"$@" --simd nonsense bench >/dev/null 2>&1 && complain "an unknown word fails"

best=$(run "$@")
[ -n "$best" ] || complain "bench says no number"
tried=0
for word in $words; do
    note=$("$@" --simd "$word" --version 2>&1 >/dev/null)
    if [ -n "$note" ]; then
        echo "$word: $note"
        case $note in *wrong*) complain "$word computes wrong numbers" ;; esac
        continue
    fi
    tried=$((tried + 1))
    number=$(run "$@" --simd="$word")
    [ "$number" = "$best" ] || complain "$word: ${number:-no} nodes instead of $best"
    number=$(SAMARA_SIMD=$word run "$@")
    [ "$number" = "$best" ] || complain "SAMARA_SIMD=$word: ${number:-no} nodes instead of $best"
    name=$(SAMARA_SIMD=$word "$@" --version | tr -d '\r' | sed -n 's/.*kernels //p')
    echo "$word: $name, $number nodes"
done
[ "$tried" -ge 1 ] || complain "no set of kernels ran"
[ "$(SAMARA_SIMD=scalar "$@" --version | grep -c 'kernels scalar')" -eq 1 ] || complain "plain C can be asked for"
SAMARA_SIMD=mmx "$@" --version 2>&1 >/dev/null | grep -q 'mmx is no instruction set' ||
    complain "the environment's mistakes are answered in words"
exit $failed
