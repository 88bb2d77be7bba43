#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_format.sh [--fix]: is all C formatted as .clang-format says? Versions of the tool differ in details; ours is 14.
cd "$(dirname "$0")/.." || exit 1
tool=$(command -v clang-format-14 || command -v clang-format) || { echo "no clang-format"; exit 77; }
"$tool" --version | grep -q 'version 14\.' || { echo "not version 14: $("$tool" --version)"; exit 77; }

mode='--dry-run -Werror'
[ "${1:-}" = --fix ] && mode=-i
# shellcheck disable=SC2086
find include src tests -path '*/node_modules' -prune -o \( -name '*.c' -o -name '*.h' \) -print0 |
    xargs -0 "$tool" $mode || exit 1
echo "all C is formatted"
