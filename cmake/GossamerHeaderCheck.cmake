# header_check: every public header compiles alone. Builds one generated source per header and keeps nothing.
# A header that a source includes first is compiled alone with it where sources are compiled alone and without precompiled
# headers: the other compiler's build (tests/simulation/compilers_test.py) does so with runtime and graph, which are left out here.
file(GLOB_RECURSE public_headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/*.hpp)
foreach(source IN LISTS gossamer_runtime_sources gossamer_graph_sources)
  file(STRINGS ${source} first_include REGEX "^#include " LIMIT_COUNT 1)
  if(first_include MATCHES "^#include \"(.*)\"")
    list(REMOVE_ITEM public_headers "${CMAKE_MATCH_1}")
  endif()
endforeach()
set(header_sources)
foreach(header IN LISTS public_headers)
  string(REGEX REPLACE "[/.]" "_" name ${header})
  set(source ${PROJECT_BINARY_DIR}/header_check/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"  // twice: the guard works\n")
  list(APPEND header_sources ${source})
endforeach()
if(NOT header_sources)
  return()
endif()

add_library(header_check OBJECT EXCLUDE_FROM_ALL ${header_sources})
target_link_libraries(header_check PRIVATE gossamer)
set_target_properties(header_check PROPERTIES UNITY_BUILD OFF)  # alone is what it is about
target_compile_options(header_check PRIVATE -O0 -g0 -Werror)
add_test(NAME check/headers-compile-alone COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target header_check
         -- -k 0)
set_tests_properties(check/headers-compile-alone PROPERTIES LABELS check TIMEOUT 900 RESOURCE_LOCK build)
