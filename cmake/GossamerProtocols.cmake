# Protocols under seeds (tests/simulation/protocols), and that they find what is broken on purpose
# (tests/simulation/broken/variants.cmake): each variant is the same program, linked with a copy of one of the
# library's sources in which one line says something else. GOSSAMER_SEEDS=A..B: other seeds than 1..1000.
if(GOSSAMER_SANITIZE MATCHES thread)
  return()
endif()

file(GLOB protocol_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/simulation/protocols/*.cpp)
add_library(protocol_parts OBJECT ${protocol_sources})
target_link_libraries(protocol_parts PRIVATE gossamer_mpi gossamer)
target_include_directories(protocol_parts PRIVATE ${PROJECT_SOURCE_DIR}/tests)
gossamer_precompile(protocol_parts)
set_target_properties(protocol_parts PROPERTIES UNITY_BUILD OFF)  # their files have the same names inside
add_executable(protocols)
target_link_libraries(protocols PRIVATE protocol_parts gossamer_mpi gossamer)
foreach(protocol completion stealing flow_control matching collective frozen_view stall_report fork_join transfers mpi progress)
  add_test(NAME simulation/protocol_${protocol} COMMAND protocols ${protocol})
  set_tests_properties(simulation/protocol_${protocol} PROPERTIES LABELS simulation TIMEOUT 600)
endforeach()

# gossamer_break(NAME PROTOCOL FILE LINE REPLACEMENT [PLAIN] [COMPILED SOURCE]): LINE is text that FILE has exactly once. PLAIN:
# a mistake that most plain runs find, too. A header is broken for SOURCE, the one source that has its code.
include(${CMAKE_CURRENT_LIST_DIR}/GossamerBroken.cmake)
function(gossamer_break name protocol file line replacement)
  cmake_parse_arguments(PARSE_ARGV 5 asked "PLAIN" "COMPILED" "")
  get_filename_component(folder ${file} DIRECTORY)
  if(asked_COMPILED)
    gossamer_broken_copy(${name} ${file} "${line}" "${replacement}" ${folder}/ header)
    set(source ${PROJECT_SOURCE_DIR}/${asked_COMPILED})
    set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  else()
    gossamer_broken_copy(${name} ${file} "${line}" "${replacement}" "" source)
  endif()
  add_executable(broken_${name} ${source})
  target_include_directories(broken_${name} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/broken/${name}
                                                           ${PROJECT_SOURCE_DIR}/${folder})
  target_link_libraries(broken_${name} PRIVATE protocol_parts gossamer_mpi gossamer)
  gossamer_precompile(broken_${name})
  if(asked_PLAIN)
    add_test(NAME simulation/broken_${name} COMMAND broken_${name} ${protocol} 1..20)
    set_tests_properties(simulation/broken_${name} PROPERTIES WILL_FAIL TRUE)
  else()
    add_test(NAME simulation/broken_${name} COMMAND broken_${name} ${protocol} 1..2000 --find)
  endif()
  set_tests_properties(simulation/broken_${name} PROPERTIES LABELS simulation TIMEOUT 600)
endfunction()
if(GOSSAMER_CHECKS AND GOSSAMER_LONG_TESTS)  # without checks, no core comes in between where protocols are open
  include(${PROJECT_SOURCE_DIR}/tests/simulation/broken/variants.cmake)
endif()
