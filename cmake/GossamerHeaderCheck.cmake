# header_check: every public header compiles alone. One generated source per header, nothing kept.
file(GLOB_RECURSE public_headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/include/*.hpp)
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
target_compile_options(header_check PRIVATE -O0 -g0 -Werror)
add_test(NAME check/headers-compile-alone COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target header_check)
set_tests_properties(check/headers-compile-alone PROPERTIES LABELS check TIMEOUT 900 RESOURCE_LOCK build)
