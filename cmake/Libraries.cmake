# SPDX-License-Identifier: GPL-3.0-or-later
# What only some builds have. src/front/http describes itself: it defines samara_http, with SAMARA_HTTP as its public
# definition, where the libraries of the server are found.
find_package(PkgConfig)

add_subdirectory(src/queue/redis)
add_subdirectory(src/queue/sqlite)
if(EXISTS ${CMAKE_SOURCE_DIR}/src/front/http/CMakeLists.txt)
    add_subdirectory(src/front/http)
endif()
get_target_property(front_type samara_front TYPE)
if(TARGET samara_http AND front_type STREQUAL "STATIC_LIBRARY")
    target_link_libraries(samara_front PUBLIC samara_http)
endif()

# The network is part of the program. The layer nnue is compiled with SAMARA_NET_FILE, the quoted absolute path of
# the file, if there is one, to take in with .incbin.
if(SAMARA_NET STREQUAL "newest")
    file(GLOB nets CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/nets/*.nnue)
    list(POP_BACK nets net_file) # by name
elseif(SAMARA_NET)
    get_filename_component(net_file "${SAMARA_NET}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
    if(NOT EXISTS "${net_file}")
        message(FATAL_ERROR "SAMARA_NET: there is no file ${net_file}")
    endif()
endif()
if(net_file)
    target_compile_definitions(samara_nnue PRIVATE SAMARA_NET_FILE="${net_file}")
    get_target_property(nnue_sources samara_nnue SOURCES)
    set_property(SOURCE ${nnue_sources} APPEND PROPERTY OBJECT_DEPENDS "${net_file}")
endif()

# So is the small opening book.
set(book_file ${CMAKE_SOURCE_DIR}/books/samara.bin)
target_compile_definitions(samara_probe PRIVATE SAMARA_BOOK_FILE="${book_file}")
set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/probe/book.c APPEND PROPERTY OBJECT_DEPENDS "${book_file}")
