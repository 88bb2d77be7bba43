# SPDX-License-Identifier: GPL-3.0-or-later
# For Linux on 64-bit ARM, by Debian's gcc-aarch64-linux-gnu. Tests run under qemu-user, if there is one. Libraries for
# the server and the unit tests come from build/sysroot-aarch64: script/sysroot fetches them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
cmake_path(SET samara_sysroot NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot-aarch64)
set(ENV{PKG_CONFIG_LIBDIR} ${samara_sysroot}/usr/lib/aarch64-linux-gnu/pkgconfig) # not those of this machine
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${samara_sysroot})
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu ${samara_sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(SAMARA_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(SAMARA_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${SAMARA_QEMU} -L /usr/aarch64-linux-gnu)
endif()
