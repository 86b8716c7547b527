# Structures that are broken on purpose (tests/combining/broken): each variant is the program find.cpp with a copy of one
# file of the library in which one line says something else, and must find a history that is not linearizable.
if(GOSSAMER_SANITIZE MATCHES thread)
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/GossamerBroken.cmake)

# gossamer_break_structure(NAME STRUCTURE FILE LINE REPLACEMENT): LINE is text that FILE has exactly once.
function(gossamer_break_structure name structure source line replacement)
  set(below "")
  if(source MATCHES "^(.*/)[^/]*\\.hpp$")  # found before the library's own
    set(below ${CMAKE_MATCH_1})
  endif()
  gossamer_broken_copy(${name} ${source} "${line}" "${replacement}" "${below}" copy)
  set(program broken_${name})
  add_executable(${program} ${PROJECT_SOURCE_DIR}/tests/combining/broken/find.cpp)
  if(below)
    target_include_directories(${program} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/broken/${name})
  else()
    target_sources(${program} PRIVATE ${copy})
  endif()
  target_compile_definitions(${program} PRIVATE GOSSAMER_BROKEN_STRUCTURE="${structure}")
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${program} PRIVATE gossamer GTest::gtest)
  gossamer_precompile(${program} test_headers)
  add_test(NAME combining/${program} COMMAND ${program})
  set_tests_properties(combining/${program} PROPERTIES LABELS simulation TIMEOUT 600)
endfunction()
include(${PROJECT_SOURCE_DIR}/tests/combining/broken/variants.cmake)
