# Transport plugins, lib/gossamer/libgossamer-transport-<name>.so beside bin/: plugins/node/transport_node.c, and
# plugins/mpi/transport_mpi.c once per MPI found, and once for the ABI of the MPI standard, for which no MPI has to be here (ADR 0082).
# Neither the library nor the program links an MPI.
# Not find_package(MPI), which picks one: Debian's Open MPI and MPICH lie side by side.
enable_language(C)
pkg_check_modules(GOSSAMER_OPENMPI QUIET ompi-c)
pkg_check_modules(GOSSAMER_MPICH QUIET mpich)

add_custom_target(plugins)
set(GOSSAMER_PLUGINS)
set(GOSSAMER_MPI_PLUGINS)

# gossamer_add_plugin(NAME SOURCE INCLUDES... LINK...): from lists, so that nothing of this build's flags (instruction
# set, sanitizers) gets into code that runs inside somebody else's MPI.
function(gossamer_add_plugin name source includes link_options libraries)
  set(target gossamer-transport-${name})
  add_library(${target} MODULE ${PROJECT_SOURCE_DIR}/plugins/${source})
  set_target_properties(${target} PROPERTIES COMPILE_OPTIONS "-O2;-Wall;-Wextra;-Wshadow;-Werror=implicit-function-declaration"
    LINK_OPTIONS "-Wl,-z,defs;${link_options}"  # a function that its MPI does not have is found here, not when it is called
    INSTALL_RPATH_USE_LINK_PATH ON  # an MPI in a folder of its own
    C_STANDARD 11 C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/gossamer)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PRIVATE ${includes})
  target_link_libraries(${target} PRIVATE ${libraries})
  add_dependencies(plugins ${target})
  if(NOT GOSSAMER_BUILT)
    foreach(library gossamer gossamer_runtime)
      add_dependencies(${library} ${target})  # programs that link the library find them beside it
    endforeach()
  endif()
  set(GOSSAMER_PLUGINS ${GOSSAMER_PLUGINS} ${target} PARENT_SCOPE)
  if(libraries)
    set(GOSSAMER_MPI_PLUGINS ${GOSSAMER_MPI_PLUGINS} ${target} PARENT_SCOPE)
  endif()
endfunction()

gossamer_add_plugin(node node/transport_node.c "" "" "")
if(GOSSAMER_OPENMPI_FOUND)
  gossamer_add_plugin(openmpi mpi/transport_mpi.c "${GOSSAMER_OPENMPI_INCLUDE_DIRS}" "" "${GOSSAMER_OPENMPI_LINK_LIBRARIES}")
endif()
if(GOSSAMER_MPICH_FOUND)
  # Only libmpich itself: what pkg-config adds (hwloc, ucx) is for static linking.
  find_library(GOSSAMER_MPICH_LIBRARY mpich HINTS ${GOSSAMER_MPICH_LIBRARY_DIRS})
  gossamer_add_plugin(mpich mpi/transport_mpi.c "${GOSSAMER_MPICH_INCLUDE_DIRS}" "" "${GOSSAMER_MPICH_LIBRARY}")
endif()
# The linker takes the name of the library from a stub, which is nowhere beside the plugin and in no search path of it.
add_library(gossamer-mpi-abi-stub SHARED ${PROJECT_SOURCE_DIR}/plugins/mpi/standard_abi_stub.c)
set_target_properties(gossamer-mpi-abi-stub PROPERTIES OUTPUT_NAME mpi_abi SOVERSION 1 COMPILE_OPTIONS "-O2" LINK_OPTIONS ""
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stub)
gossamer_add_plugin(mpi-abi mpi/transport_mpi.c "" "" "")
target_compile_definitions(gossamer-transport-mpi-abi PRIVATE GOSSAMER_MPI_ABI=1)
target_link_libraries(gossamer-transport-mpi-abi PRIVATE gossamer-mpi-abi-stub)
set_target_properties(gossamer-transport-mpi-abi PROPERTIES SKIP_BUILD_RPATH ON INSTALL_RPATH_USE_LINK_PATH OFF)
if(DEFINED SKBUILD_PROJECT_NAME)  # a wheel: MPIs from PyPI lie in the lib of the environment, four folders above the plugins
  foreach(plugin IN LISTS GOSSAMER_PLUGINS)
    set_target_properties(${plugin} PROPERTIES INSTALL_RPATH "$ORIGIN/../../../.." INSTALL_RPATH_USE_LINK_PATH OFF)
  endforeach()
endif()
message(STATUS "transport plugins: ${GOSSAMER_PLUGINS}")

set_source_files_properties(${PROJECT_SOURCE_DIR}/gossamer/fabric/plugin_transport.cpp PROPERTIES COMPILE_DEFINITIONS
  "GOSSAMER_LIBDIR=\"${CMAKE_INSTALL_LIBDIR}\";GOSSAMER_PLUGIN_FOLDER=\"${CMAKE_INSTALL_FULL_LIBDIR}/gossamer\"")
