# SPDX-License-Identifier: GPL-3.0-or-later
# Flags for every target: language, warnings, instruction set, sanitizers, link-time optimisation.
include(CheckCSourceCompiles)
include(CheckIPOSupported)

add_compile_definitions(_GNU_SOURCE _FILE_OFFSET_BITS=64 SAMARA_VERSION="${PROJECT_VERSION}")
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
add_compile_options(-ffp-contract=off) # the same rounding from every compiler
add_compile_options(-fvisibility=hidden) # samara.h marks what a program may see of the library
if(WIN32)
    set(SAMARA_STATIC ON)
    add_compile_definitions(_WIN32_WINNT=0x0601) # Windows 7
    add_link_options(-Wl,--stack,8388608 -Wl,--no-insert-timestamp) # the same program every time
elseif(NOT APPLE)
    add_link_options(-Wl,--as-needed)
endif()
if(SAMARA_POSIX_ONLY)
    add_compile_definitions(SAMARA_POSIX_ONLY)
endif()
include_directories(${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)

find_package(Threads REQUIRED)
link_libraries(Threads::Threads m)

if(SAMARA_ARCH)
    add_compile_options(-march=${SAMARA_ARCH})
endif()

# PEXT is quick on processors with BMI2 except AMD before Zen 3, which run it as microcode (families 21 and
# 23). A native build knows; one for other machines asks at start.
function(choose_pext result)
    set(${result} ${SAMARA_PEXT} PARENT_SCOPE)
    if(NOT SAMARA_PEXT STREQUAL "AUTO")
        return()
    endif()
    if(NOT SAMARA_ARCH STREQUAL "native")
        set(${result} "at start" PARENT_SCOPE)
        return()
    endif()
    set(${result} OFF PARENT_SCOPE)
    set(CMAKE_REQUIRED_FLAGS -march=native)
    check_c_source_compiles("#ifndef __BMI2__\n#error\n#endif\nint main(void) { return 0; }" SAMARA_HAS_BMI2)
    set(cpu "")
    if(EXISTS /proc/cpuinfo)
        file(STRINGS /proc/cpuinfo cpu REGEX "^(vendor_id|cpu family)" LIMIT_COUNT 2)
    endif()
    if(SAMARA_HAS_BMI2 AND NOT cpu MATCHES "AuthenticAMD.*: (21|23)$")
        set(${result} ON PARENT_SCOPE)
    endif()
endfunction()
choose_pext(SAMARA_USE_PEXT)
if(SAMARA_USE_PEXT STREQUAL "ON")
    add_compile_definitions(SAMARA_PEXT)
elseif(SAMARA_USE_PEXT STREQUAL "OFF")
    add_compile_definitions(SAMARA_MAGIC)
endif()
if(SAMARA_TUNE)
    add_compile_definitions(SAMARA_TUNE)
endif()

# Builds that people run are hardened: string functions that know the size of their buffer, a guard before return addresses,
# function tables that are read-only before main() begins, marks for processors that check jumps (CET). What that costs:
# docs/DECISIONS.md. Sanitizers watch over the same things themselves.
option(SAMARA_HARDEN "Harden release builds" ON)
set(SAMARA_HARDENED 0)
set(samara_hardening "")
if(SAMARA_HARDEN AND NOT SAMARA_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$"
        AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(SAMARA_HARDENED 1)
    set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
    check_c_source_compiles("#include <string.h>\nint main(int n, char **v) { char b[9]; strcpy(b, v[0]); return b[n]; }"
        SAMARA_FORTIFY_3)
    unset(CMAKE_REQUIRED_FLAGS)
    set(samara_hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
    if(SAMARA_FORTIFY_3)
        list(TRANSFORM samara_hardening REPLACE "SOURCE=2" "SOURCE=3")
    endif()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|i.86|AMD64")
        list(APPEND samara_hardening -fcf-protection=full)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
        list(APPEND samara_hardening -mbranch-protection=standard)
    endif()
endif()

# samara_flags(target): what the layers and programs have beyond all other targets. Besides hardening, a warning of numbers that
# lose digits where they change their type; gcc alone, since clang's warning of that name is another one. Signs may change:
# half of C's own functions would have to be argued with.
function(samara_flags target)
    target_compile_options(${target} PRIVATE ${samara_hardening})
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT WIN32) # whose isfinite() and struct timespec lose digits themselves
        target_compile_options(${target} PRIVATE -Wconversion -Wno-sign-conversion)
    endif()
    get_target_property(type ${target} TYPE)
    if(SAMARA_HARDENED AND type MATCHES "EXECUTABLE|SHARED")
        target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack)
    endif()
endfunction()

if(SAMARA_SANITIZE)
    add_compile_options(-fsanitize=${SAMARA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SAMARA_SANITIZE})
    add_compile_definitions(SAMARA_SANITIZE="${SAMARA_SANITIZE}")
endif()
if(SAMARA_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "The fuzz targets need clang (CC=clang, or cmake --preset fuzz)")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# samara_link_time_optimise(target): programs are optimised as a whole; tests are not, they only have to link
# fast. That works with gcc, whose objects can hold both forms.
# SAMARA_LTO=OFF in the environment overrides the presets: for developers who link often.
if(DEFINED ENV{SAMARA_LTO})
    set(SAMARA_LTO $ENV{SAMARA_LTO})
endif()
set(samara_lto off)
if(SAMARA_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(samara_lto gcc)
    add_compile_options(-flto=auto)
    if(BUILD_TESTING) # the tests link plain code
        add_compile_options(-ffat-lto-objects)
    endif()
elseif(SAMARA_LTO)
    check_ipo_supported(RESULT ipo_works OUTPUT why LANGUAGES C)
    if(ipo_works)
        set(samara_lto on)
        set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    else()
        message(STATUS "No link-time optimisation: this compiler's linker cannot do it")
    endif()
endif()
function(samara_link_time_optimise target)
    if(samara_lto STREQUAL "gcc")
        target_link_options(${target} PRIVATE -flto=auto -O3)
    endif()
endfunction()
function(samara_link_fast target)
    if(samara_lto STREQUAL "gcc")
        target_link_options(${target} PRIVATE -fno-lto)
    endif()
endfunction()

message(STATUS "Samara ${PROJECT_VERSION}: ${CMAKE_C_COMPILER_ID} ${CMAKE_BUILD_TYPE}, arch '${SAMARA_ARCH}', "
    "PEXT ${SAMARA_USE_PEXT}, LTO ${samara_lto}, sanitizers '${SAMARA_SANITIZE}'")
