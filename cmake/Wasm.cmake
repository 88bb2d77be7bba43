# SPDX-License-Identifier: GPL-3.0-or-later
# The engine as WebAssembly, twice: samara.wasm for one thread, samara-threads.wasm for a memory that several workers share.
# Both, with the JavaScript around them, become the npm package in ${CMAKE_BINARY_DIR}/package. wasm-ld is called by itself: where
# binaryen is installed, clang would run its optimiser, which breaks the second one (docs/DECISIONS.md).
include(Layers)
find_program(WASM_LD NAMES wasm-ld wasm-ld-14 REQUIRED)
find_program(NODE NAMES node nodejs)
execute_process(COMMAND ${CMAKE_C_COMPILER} --target=${CMAKE_C_COMPILER_TARGET} --print-libgcc-file-name
    OUTPUT_VARIABLE builtins OUTPUT_STRIP_TRAILING_WHITESPACE)

set(sources "")
foreach(layer base chess nnue classical probe search engine review wasm)
    file(GLOB files CONFIGURE_DEPENDS src/${layer}/*.c)
    list(APPEND sources ${files})
endforeach()
# What needs processes, sockets or descriptors has no meaning here.
list(FILTER sources EXCLUDE REGEX "/base/(app|channel|child|poller|process_name|socket)\\.c$|_windows\\.c$|/windows_text\\.c$")
foreach(module analysis_json board command_loop event_queue lag recognise uci uci_commands uci_go uci_job uci_position uci_report)
    list(APPEND sources src/front/${module}.c)
endforeach()

file(GLOB nets CONFIGURE_DEPENDS nets/*.nnue)
list(POP_BACK nets net_file)
if(NOT SAMARA_NET STREQUAL "newest")
    get_filename_component(net_file "${SAMARA_NET}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
endif()

set(package ${CMAKE_BINARY_DIR}/package)
set(outputs "")

# samara_wasm(name memory_options FLAGS...): build/wasm/package/<name>.wasm
function(samara_wasm name options)
    add_library(${name} OBJECT ${sources})
    target_include_directories(${name} PRIVATE src include)
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE SAMARA_VERSION="${PROJECT_VERSION}" SAMARA_NET_FILE="${net_file}"
        SAMARA_BOOK_FILE="${CMAKE_SOURCE_DIR}/books/samara.bin")
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
        -ffp-contract=off -fvisibility=hidden -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext ${ARGN})
    # Optimised across files, the linker would lose the type of what the assembler includes.
    set_property(SOURCE src/nnue/embedded.c src/probe/book.c PROPERTY COMPILE_OPTIONS -fno-lto)
    set_property(SOURCE src/nnue/embedded.c APPEND PROPERTY OBJECT_DEPENDS "${net_file}")
    set_property(SOURCE src/probe/book.c APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_SOURCE_DIR}/books/samara.bin)
    set(file ${package}/${name}.wasm)
    add_custom_command(OUTPUT ${file} VERBATIM COMMAND_EXPAND_LISTS
        COMMAND ${CMAKE_COMMAND} -E make_directory ${package}
        COMMAND ${WASM_LD} -m wasm32 -L/usr/lib/wasm32-wasi -O2 --lto-O3 --no-entry --gc-sections --strip-all
            -z stack-size=8388608 --stack-first --export=__wasm_call_ctors --export=__stack_pointer ${options}
            $<TARGET_OBJECTS:${name}> -lc -lm ${builtins} -o ${file}
        DEPENDS ${name} $<TARGET_OBJECTS:${name}> COMMENT "Linking ${name}.wasm")
    set(outputs ${outputs} ${file} PARENT_SCOPE)
endfunction()

set(heap "")
foreach(function malloc calloc realloc posix_memalign free)
    list(APPEND heap --wrap=${function})
endforeach()
if(SAMARA_LTO)
    set(lto -flto)
endif()
samara_wasm(samara "--max-memory=1073741824" ${lto})
# wasi-libc was compiled for one thread, which the linker would refuse: its heap gets a lock (memory_wasm.c), its errno is shared.
samara_wasm(samara-threads "--import-memory;--shared-memory;--max-memory=1073741824;--no-check-features;${heap}"
    ${lto} -matomics -DSAMARA_WASM_THREADS -D_Thread_local=)

file(GLOB scripts CONFIGURE_DEPENDS web/engine/*.js web/engine/*.ts web/engine/*.json web/engine/*.md web/engine/example/*)
add_custom_command(OUTPUT ${package}/package.json VERBATIM
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${CMAKE_SOURCE_DIR}/web/engine ${package}
    DEPENDS ${scripts} COMMENT "Copying the package's scripts")
add_custom_target(package_engine ALL DEPENDS ${outputs} ${package}/package.json)
