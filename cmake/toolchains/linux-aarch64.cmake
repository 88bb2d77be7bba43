# SPDX-License-Identifier: GPL-3.0-or-later
# For Linux on 64-bit ARM, by Debian's gcc-aarch64-linux-gnu. Tests run under qemu-user, if there is one.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig) # libraries of this machine do not fit
find_program(SAMARA_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(SAMARA_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${SAMARA_QEMU})
endif()
