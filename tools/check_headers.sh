#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_headers.sh [COMPILER FLAGS...]: does each header compile on its own, without a warning?
# The simd_* headers are written for one instruction set each; simd.h takes the right one in.
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || set -- cc -march=native

count=0 failed=0
for header in include/*.h $(find src -name '*.h' ! -name 'simd_*' | sort); do
    count=$((count + 1))
    printf '#include "%s"\n' "${header#*/}" |
        "$@" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc -Iinclude -fsyntax-only -x c - ||
        { echo "$header does not compile on its own"; failed=$((failed + 1)); }
done
echo "$count headers, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
