# make install: the program, libgossamer.a, the headers, the transport plugins, and the CMake package gossamer.
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
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
