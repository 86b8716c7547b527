# Protocols under seeds (tests/simulation/protocols), and that they find what is broken on purpose
# (tests/simulation/broken/variants.cmake): each variant is the same program, linked with a copy of one of the
# library's sources in which one line says something else. GOSSAMER_SEEDS=A..B: other seeds than 1..1000.
if(GOSSAMER_SANITIZE MATCHES thread)
  return()
endif()

file(GLOB protocol_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/simulation/protocols/*.cpp)
add_library(protocol_parts OBJECT ${protocol_sources})
target_link_libraries(protocol_parts PRIVATE gossamer)
target_include_directories(protocol_parts PRIVATE ${PROJECT_SOURCE_DIR}/tests)
gossamer_precompile(protocol_parts)
set_target_properties(protocol_parts PROPERTIES UNITY_BUILD OFF)  # their files have the same names inside
add_executable(protocols)
target_link_libraries(protocols PRIVATE protocol_parts gossamer)
foreach(protocol completion stealing flow_control matching collective frozen_view stall_report fork_join transfers)
  add_test(NAME simulation/protocol_${protocol} COMMAND protocols ${protocol})
  set_tests_properties(simulation/protocol_${protocol} PROPERTIES LABELS simulation TIMEOUT 600)
endforeach()

# gossamer_break(NAME PROTOCOL SOURCE LINE REPLACEMENT [PLAIN]): LINE is text that SOURCE has exactly once. PLAIN:
# a mistake that most plain runs find, too.
include(${CMAKE_CURRENT_LIST_DIR}/GossamerBroken.cmake)
function(gossamer_break name protocol source line replacement)
  gossamer_broken_copy(${name} ${source} "${line}" "${replacement}" "" copy)
  get_filename_component(folder ${PROJECT_SOURCE_DIR}/${source} DIRECTORY)
  add_executable(broken_${name} ${copy})
  target_include_directories(broken_${name} PRIVATE ${folder})
  target_link_libraries(broken_${name} PRIVATE protocol_parts gossamer)
  gossamer_precompile(broken_${name})
  if("PLAIN" IN_LIST ARGN)
    add_test(NAME simulation/broken_${name} COMMAND broken_${name} ${protocol} 1..20)
    set_tests_properties(simulation/broken_${name} PROPERTIES WILL_FAIL TRUE)
  else()
    add_test(NAME simulation/broken_${name} COMMAND broken_${name} ${protocol} --find)
  endif()
  set_tests_properties(simulation/broken_${name} PROPERTIES LABELS simulation TIMEOUT 600)
endfunction()
if(GOSSAMER_CHECKS)  # without, no core comes in between where protocols are open
  include(${PROJECT_SOURCE_DIR}/tests/simulation/broken/variants.cmake)
endif()
