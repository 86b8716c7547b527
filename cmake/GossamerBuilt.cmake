# A wheel of a library and a program that are built already: GOSSAMER_BUILT is their build folder (tools/wheel: that of the preset portable).
# Only the module of Python is compiled, which differs from interpreter to interpreter, and the plugins, which find MPIs elsewhere.
if(NOT EXISTS ${GOSSAMER_BUILT}/gossamerTargets.cmake)
  message(FATAL_ERROR "GOSSAMER_BUILT is ${GOSSAMER_BUILT}, where no library has been built: expected gossamerTargets.cmake there")
endif()
include(${GOSSAMER_BUILT}/gossamerTargets.cmake)
add_library(gossamer ALIAS gossamer::gossamer)
if(GOSSAMER_BUILD_CLI)
  add_executable(gossamer_cli IMPORTED)
  set_target_properties(gossamer_cli PROPERTIES IMPORTED_LOCATION ${GOSSAMER_BUILT}/bin/gossamer)
endif()
