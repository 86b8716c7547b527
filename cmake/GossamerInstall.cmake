# make install: the program with completion and manual pages, gossamer-mpicc and its archive (GossamerMpi.cmake), libgossamer.a, the headers, the
# transport plugins, the documents, the CMake package gossamer, and gossamer.pc.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gossamer)
set(plugin_folder ${CMAKE_INSTALL_LIBDIR}/gossamer)

install(TARGETS gossamer EXPORT gossamer_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
foreach(plugin IN LISTS GOSSAMER_PLUGINS)  # of an MPI: a component of its own, since it needs that MPI
  string(REGEX REPLACE "^gossamer-transport-" "" component ${plugin})
  if(component STREQUAL node)
    set(component program)
  endif()
  install(TARGETS ${plugin} LIBRARY DESTINATION ${plugin_folder} COMPONENT ${component})
endforeach()
if(TARGET gossamer_cli)
  # The program finds the libraries that a relocatable archive brings along (GossamerPackage.cmake), and those find each other.
  file(RELATIVE_PATH bundled /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${plugin_folder})
  set_target_properties(gossamer_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bundled}")
  target_link_options(gossamer_cli PRIVATE -Wl,--disable-new-dtags)
  install(TARGETS gossamer_cli RUNTIME_DEPENDENCY_SET gossamer_libraries
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/gossamer DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
export(EXPORT gossamer_targets NAMESPACE gossamer:: FILE ${PROJECT_BINARY_DIR}/gossamerTargets.cmake)  # wheels (GossamerBuilt.cmake)
install(EXPORT gossamer_targets NAMESPACE gossamer:: FILE gossamerTargets.cmake DESTINATION ${package_folder} COMPONENT dev)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gossamerConfig.cmake.in
  ${PROJECT_BINARY_DIR}/gossamerConfig.cmake INSTALL_DESTINATION ${package_folder} PATH_VARS plugin_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gossamerConfig.cmake ${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake
        ${PROJECT_SOURCE_DIR}/cmake/gossamer_package.cpp DESTINATION ${package_folder} COMPONENT dev)
if(TARGET gossamer_manual)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program)
endif()
file(RELATIVE_PATH gossamer_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)  # also where the package is moved to
configure_file(${PROJECT_SOURCE_DIR}/cmake/gossamer.pc.in ${PROJECT_BINARY_DIR}/gossamer.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gossamer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program PATTERN adr EXCLUDE PATTERN "*.json" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
