# make package: Debian packages and a relocatable archive, by CPack.
#   gossamer          the program, its manual, the documents
#   libgossamer-dev   headers, libgossamer.a, the CMake package, gossamer-mpicc
#   gossamer-MPI      the transport over one MPI each, which needs that MPI
#   gossamer-VERSION-SYSTEM-PROCESSOR.tar.zst   all of it, and the libraries that the program links but the C and C++ libraries
if(NOT TARGET gossamer_cli OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# Of the archive only: a Debian package asks for the packages of these libraries.
install(RUNTIME_DEPENDENCY_SET gossamer_libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|gcc_s|stdc\\+\\+|pthread|dl|rt)\\.so"
  LIBRARY DESTINATION ${plugin_folder} COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/bundled-licences
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${plugin_folder}\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/licences\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT bundle EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB TZST)
set(CPACK_PACKAGE_VENDOR "Gossamer")
set(CPACK_PACKAGE_CONTACT "The Gossamer developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME gossamer-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_components.cmake)  # which components each form has
set(CPACK_THREADS 0)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(mpi_packages)
set(mpi_components)
foreach(plugin IN LISTS GOSSAMER_MPI_PLUGINS)
  string(REGEX REPLACE "^gossamer-transport-" "" mpi ${plugin})
  list(APPEND mpi_components ${mpi})
  list(APPEND mpi_packages gossamer-${mpi})
  string(TOUPPER ${mpi} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME gossamer-${mpi})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "The transport over ${mpi}: jobs that its launcher starts.")
  set(CPACK_DEBIAN_${upper}_PACKAGE_ENHANCES "gossamer, libgossamer-dev")
endforeach()
list(JOIN mpi_packages ", " mpi_packages)
set(CPACK_GOSSAMER_MPI_COMPONENTS ${mpi_components})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gossamer)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "The program: questions about graphs, groups and sorts of tables, word counts, benchmarks.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "${mpi_packages}")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libgossamer-dev)
set(CPACK_COMPONENT_DEV_DESCRIPTION "The library, its headers and examples; gossamer-mpicc.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "gossamer (= ${PROJECT_VERSION}), g++, pkg-config, libhwloc-dev, libfmt-dev, zlib1g-dev, libzstd-dev, libbz2-dev, liblzma-dev, libhwy-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "cmake, ${mpi_packages}")
include(CPack)
