# SPDX-License-Identifier: GPL-3.0-or-later
# libsamara.a holds the engine and all below it in one file; `cmake --install` copies it, the header and the programs.
include(GNUInstallDirs)

set(objects "")
foreach(layer engine ${SAMARA_USES_engine})
    get_target_property(type samara_${layer} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
        list(APPEND objects $<TARGET_OBJECTS:samara_${layer}>)
    endif()
endforeach()
add_library(libsamara STATIC EXCLUDE_FROM_ALL ${objects})
set_target_properties(libsamara PROPERTIES OUTPUT_NAME samara LINKER_LANGUAGE C)
install(TARGETS libsamara OPTIONAL ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/samara.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

file(GLOB mains src/apps/*.c)
foreach(main IN LISTS mains)
    cmake_path(GET main STEM app)
    install(TARGETS ${app} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()

file(GLOB manuals man/*.6)
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man6)
