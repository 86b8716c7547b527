# Every header compiles alone. In the test (header_check) those that programs include, behind the precompiled standard headers:
# a forgotten header of our own is found, in half of the time. `make check` builds all_headers_check: all headers, with nothing
# before them. Parses one generated source per header.
file(GLOB_RECURSE all_headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/*.hpp)
if(NOT all_headers)
  return()
endif()

# gossamer_header_check(TARGET HEADERS...)
function(gossamer_header_check target)
  set(sources)
  foreach(header IN LISTS ARGN)
    string(REGEX REPLACE "[/.]" "_" name ${header})
    set(source ${PROJECT_BINARY_DIR}/header_check/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"  // twice: the guard works\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${target} PRIVATE gossamer)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF  # alone is what it is about
                        CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/tools/syntax-only)
  target_compile_options(${target} PRIVATE -Werror)
endfunction()

set(public_headers ${all_headers})
list(FILTER public_headers EXCLUDE REGEX "/internal/|^gossamer/(machine|io|fabric)/")
gossamer_header_check(header_check ${public_headers})
if(TARGET standard_headers)
  gossamer_reuse_precompiled(header_check standard_headers)
endif()
gossamer_header_check(all_headers_check ${all_headers})

# Programs of peers (GossamerBench.cmake) that need no library beyond those of the tests: a change of ours that breaks them is found.
set(peers ${PROJECT_SOURCE_DIR}/bench/peers/atomics.cpp ${PROJECT_SOURCE_DIR}/bench/peers/threads.cpp)
pkg_check_modules(PEERS_MPI QUIET IMPORTED_TARGET ompi-c)
if(PEERS_MPI_FOUND)
  list(APPEND peers ${PROJECT_SOURCE_DIR}/bench/peers/mpi.cpp)
endif()
add_library(peers_check OBJECT EXCLUDE_FROM_ALL ${peers})
target_include_directories(peers_check PRIVATE ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR})
target_link_libraries(peers_check PRIVATE fmt::fmt-header-only $<TARGET_NAME_IF_EXISTS:PkgConfig::PEERS_MPI>)
set_target_properties(peers_check PROPERTIES UNITY_BUILD OFF
                      CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/tools/syntax-only)
add_dependencies(header_check peers_check)

if(NOT GOSSAMER_LONG_TESTS)
  return()
endif()
add_test(NAME check/headers-compile-alone COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target header_check
         -- -k 0)
set_tests_properties(check/headers-compile-alone PROPERTIES LABELS check TIMEOUT 1800 COST 1000 RESOURCE_LOCK build)
