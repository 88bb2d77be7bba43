#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the package, or skips (77) where its compiler is missing.
for tool in clang wasm-ld; do
    command -v $tool > /dev/null || { echo "skipped: $tool is missing (script/install wasm)"; exit 77; }
done
[ -e /usr/lib/wasm32-wasi/libc.a ] || { echo "skipped: wasi-libc is missing (script/install wasm)"; exit 77; }
cmake --preset wasm > /dev/null && cmake --build build/wasm --parallel 2
