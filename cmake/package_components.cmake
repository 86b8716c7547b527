# Read by CPack before it makes each form: Debian has a package for each component, an archive has all of them. No MPI of Debian has the
# standard's ABI.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_ALL program dev ${CPACK_GOSSAMER_MPI_COMPONENTS})
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  set(CPACK_COMPONENTS_ALL program dev bundle mpi-abi ${CPACK_GOSSAMER_MPI_COMPONENTS})
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
endif()
