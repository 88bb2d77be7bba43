# SPDX-License-Identifier: GPL-3.0-or-later
# For Windows, by Debian's gcc-mingw-w64-x86-64-posix. Tests run under wine, if there is one.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(SAMARA_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(SAMARA_WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${SAMARA_WINE})
endif()
