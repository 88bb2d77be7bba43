# SPDX-License-Identifier: GPL-3.0-or-later
# For WebAssembly, by Debian's clang, lld and wasi-libc. No JavaScript is generated: web/engine has ours.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
