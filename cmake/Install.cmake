# SPDX-License-Identifier: GPL-3.0-or-later
# The engine and all below it as libraries: libsamara.a and libsamara.so. Both show the functions of samara.h and
# nothing else. `cmake --install` copies them, the header and the programs.
include(GNUInstallDirs)

set(objects "")
set(owners "")
foreach(layer engine ${SAMARA_USES_engine})
    get_target_property(type samara_${layer} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
        list(APPEND objects $<TARGET_OBJECTS:samara_${layer}>)
        list(APPEND owners samara_${layer})
    endif()
endforeach()
if(objects)
    # An archive of single objects would show every name that one object uses of another, so they become one object
    # first, in which all names but those of samara.h are made local. clang's link-time objects cannot be joined so.
    if(CMAKE_OBJCOPY AND NOT samara_lto STREQUAL "on")
        set(one ${CMAKE_BINARY_DIR}/libsamara.o)
        set(join -r -nostdlib)
        if(samara_lto STREQUAL "gcc")
            list(APPEND join -flto=auto -O3 -flinker-output=nolto-rel)
        endif()
        # Paths of this machine stay out of it, as the flags of the build say.
        separate_arguments(maps UNIX_COMMAND "${CMAKE_C_FLAGS}")
        list(FILTER maps INCLUDE REGEX "^-f(file|debug|macro)-prefix-map=")
        list(APPEND join ${maps})
        add_custom_command(OUTPUT ${one} VERBATIM COMMAND_EXPAND_LISTS
            COMMAND ${CMAKE_C_COMPILER} ${join} -o ${one} ${objects}
            COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${one}
            DEPENDS ${objects})
        add_custom_target(libsamara_object DEPENDS ${one})
        add_dependencies(libsamara_object ${owners})
        set_source_files_properties(${one} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
        set(objects ${one})
        set(owners libsamara_object)
    endif()
    add_library(libsamara STATIC ${objects})
    add_library(libsamara_shared SHARED ${objects})
    foreach(library libsamara libsamara_shared)
        add_dependencies(${library} ${owners})
        set_target_properties(${library} PROPERTIES OUTPUT_NAME samara LINKER_LANGUAGE C)
    endforeach()
    samara_flags(libsamara_shared)
    set_target_properties(libsamara_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

    set(needed "-lpthread -lm") # by the library itself
    # It names its folders from where it lies, so that `cmake --install --prefix` and moving the tree keep it right.
    cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR fixed)
    if(fixed)
        set(pc_prefix ${CMAKE_INSTALL_PREFIX})
        set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
    else()
        file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
        string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
        set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    endif()
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/samara.pc CONTENT
"prefix=${pc_prefix}
libdir=${pc_libdir}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}

Name: samara
Description: ${PROJECT_DESCRIPTION}
Version: ${PROJECT_VERSION}
Cflags: -I\${includedir}
Libs: -L\${libdir} -lsamara
Libs.private: ${needed}
")
    install(TARGETS libsamara libsamara_shared COMPONENT library
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES include/samara.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
    install(FILES ${CMAKE_BINARY_DIR}/samara.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
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

if(SAMARA_PACKAGING)
    install(FILES packaging/samara.service DESTINATION lib/systemd/system)
    install(FILES packaging/samara.eng DESTINATION ${CMAKE_INSTALL_DATADIR}/games/plugins/xboard) # XBoard, PyChess
    install(FILES packaging/gnome-chess.conf DESTINATION ${CMAKE_INSTALL_DATADIR}/samara)
    install(FILES packaging/samara.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES packaging/samara.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES web/static/icon.svg RENAME samara.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
