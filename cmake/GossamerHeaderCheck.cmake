# header_check: every public header compiles alone. Builds one generated source per header and keeps nothing.
file(GLOB_RECURSE public_headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/*.hpp)
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
set_tests_properties(check/headers-compile-alone PROPERTIES LABELS check TIMEOUT 1800 COST 1000 RESOURCE_LOCK build)
