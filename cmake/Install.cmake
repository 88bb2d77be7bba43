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
if(objects)
    add_library(libsamara STATIC ${objects})
    set_target_properties(libsamara PROPERTIES OUTPUT_NAME samara LINKER_LANGUAGE C)
    install(TARGETS libsamara ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES include/samara.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

    set(libraries "-lpthread -lm")
    if(FATHOM_LIBRARY)
        string(APPEND libraries " -lfathom")
        target_link_libraries(libsamara INTERFACE ${FATHOM_LIBRARY})
    endif()
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/samara.pc CONTENT
"libdir=${CMAKE_INSTALL_FULL_LIBDIR}
includedir=${CMAKE_INSTALL_FULL_INCLUDEDIR}

Name: samara
Description: ${PROJECT_DESCRIPTION}
Version: ${PROJECT_VERSION}
Cflags: -I\${includedir}
Libs: -L\${libdir} -lsamara ${libraries}
")
    install(FILES ${CMAKE_BINARY_DIR}/samara.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

file(GLOB mains src/apps/*.c)
foreach(main IN LISTS mains)
    cmake_path(GET main STEM app)
    install(TARGETS ${app} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()

file(GLOB manuals man/*.6)
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man6)
foreach(app samara samara-match samara-train)
    install(FILES completion/${app}.bash RENAME ${app} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES completion/_${app} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
    install(FILES completion/${app}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()
