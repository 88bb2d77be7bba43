#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# uci.sh PACKAGE COMMAND...: runs the command, or skips (77) where there is no package.
[ -e "$1/samara.wasm" ] || { echo "skipped: there is no package (cmake --preset wasm)"; exit 77; }
shift
exec "$@"
