# make install: the program with completion and manual pages, gossamer-mpicc and its archive (GossamerMpi.cmake), libgossamer.a, the headers, the
# transport plugins, the documents, the CMake package gossamer, and gossamer.pc.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gossamer)
set(plugin_folder ${CMAKE_INSTALL_LIBDIR}/gossamer)

install(TARGETS gossamer EXPORT gossamer_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(GOSSAMER_PLUGINS)
  install(TARGETS ${GOSSAMER_PLUGINS} LIBRARY DESTINATION ${plugin_folder})
endif()
if(TARGET gossamer_cli)
  install(TARGETS gossamer_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/gossamer DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT gossamer_targets NAMESPACE gossamer:: FILE gossamerTargets.cmake DESTINATION ${package_folder})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gossamerConfig.cmake.in
  ${PROJECT_BINARY_DIR}/gossamerConfig.cmake INSTALL_DESTINATION ${package_folder} PATH_VARS plugin_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gossamerConfig.cmake ${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake
        ${PROJECT_SOURCE_DIR}/cmake/gossamer_package.cpp DESTINATION ${package_folder})
if(TARGET gossamer_manual)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()
file(RELATIVE_PATH gossamer_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)  # also where the package is moved to
configure_file(${PROJECT_SOURCE_DIR}/cmake/gossamer.pc.in ${PROJECT_BINARY_DIR}/gossamer.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gossamer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN adr EXCLUDE PATTERN "*.json" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
