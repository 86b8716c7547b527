# gossamer-mpicc and gossamer-mpicxx: once for this build, in bin/, and once to be installed, which finds its package wherever
# that is moved to. In the build it takes the part that tests of the layers below `graph` link.
set(mpicc_requires "fmt hwloc zlib libzstd liblzma libhwy libhwy-contrib")
function(gossamer_make_mpicc result mpicc_archive mpicc_include mpicc_library mpicc_plugins)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/gossamer-mpicc.in ${result}/gossamer-mpicc @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  file(CREATE_LINK gossamer-mpicc ${result}/gossamer-mpicxx SYMBOLIC)
endfunction()
gossamer_make_mpicc(${PROJECT_BINARY_DIR}/bin gossamer_runtime "\"${PROJECT_SOURCE_DIR}\"" "\"${PROJECT_BINARY_DIR}\""
  "\"${PROJECT_BINARY_DIR}/lib/gossamer\"")
gossamer_make_mpicc(${PROJECT_BINARY_DIR}/installed gossamer "\"$here/../${CMAKE_INSTALL_INCLUDEDIR}\""
  "\"$here/../${CMAKE_INSTALL_LIBDIR}\"" "\"$here/../${CMAKE_INSTALL_LIBDIR}/gossamer\"")
install(TARGETS gossamer_mpi ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(PROGRAMS ${PROJECT_BINARY_DIR}/installed/gossamer-mpicc ${PROJECT_BINARY_DIR}/installed/gossamer-mpicxx
        DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT dev)
