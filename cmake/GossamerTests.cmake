# Tests. gossamer/<layer>/**/*_test.cpp, of the studies studies/*_test.cpp, become one GoogleTest program <layer>_tests, whose cases ctest
# knows as <layer>/Suite.Case (label: the layer). tests/<layer>/*_test.{py,sh} become one test each:
# they find the programs and the data through GOSSAMER_PROGRAM, GOSSAMER_STUDIES, GOSSAMER_DATA, GOSSAMER_SOURCE,
# GOSSAMER_BUILD and CXX.
find_package(GTest REQUIRED)
include(GoogleTest)
find_program(GOSSAMER_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)  # Debian's: it sees python3-networkx
find_program(GOSSAMER_PYTHON NAMES python3)

set(gossamer_test_environment GOSSAMER_DATA=${PROJECT_SOURCE_DIR}/data GOSSAMER_SOURCE=${PROJECT_SOURCE_DIR}
    GOSSAMER_BUILD=${PROJECT_BINARY_DIR} CXX=${CMAKE_CXX_COMPILER} GOSSAMER_SANITIZE=${GOSSAMER_SANITIZE})
if(TARGET gossamer_cli)
  list(APPEND gossamer_test_environment GOSSAMER_PROGRAM=${PROJECT_BINARY_DIR}/bin/gossamer)
endif()
if(TARGET gossamer_studies)
  list(APPEND gossamer_test_environment GOSSAMER_STUDIES=${PROJECT_BINARY_DIR}/bin/gossamer-studies)
endif()

# Programs that share the precompiled headers of tests need the same options. Optimising what the address sanitizer has added takes
# longer than the tests gain by it; the library under test is optimised.
set(test_options)
if(GOSSAMER_SANITIZE MATCHES address)
  set(test_options -O0)
endif()

# Every test file starts with gtest.h.
if(GOSSAMER_PRECOMPILES)
  gossamer_precompiled_set(test_headers "fmt::fmt;GTest::gtest" ${gossamer_standard_headers} <gtest/gtest.h>)
  target_compile_options(test_headers PRIVATE ${test_options})
endif()

# The checker of histories, compiled once for combining_tests and the broken variants (GossamerHistories.cmake).
add_library(history_checker OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/linearizability/checker.cpp
  ${PROJECT_SOURCE_DIR}/tests/support/linearizability/program_order.cpp)
target_include_directories(history_checker PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(history_checker PRIVATE gossamer_runtime)
gossamer_precompile(history_checker)

function(gossamer_add_test_program layer)
  if(layer IN_LIST GOSSAMER_TESTS_ELSEWHERE)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${layer}/*_test.cpp)
  file(GLOB_RECURSE beside CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/${layer}/*_test.cpp)
  if(layer STREQUAL studies AND TARGET gossamer_studies)
    file(GLOB beside CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studies/*_test.cpp)
  endif()
  list(APPEND sources ${beside})
  if(NOT sources)
    return()
  endif()
  add_executable(${layer}_tests ${sources})
  target_include_directories(${layer}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  gossamer_libraries_of(${layer} libraries)
  target_link_libraries(${layer}_tests PRIVATE ${libraries} GTest::gtest_main nlohmann_json::nlohmann_json)
  target_compile_options(${layer}_tests PRIVATE ${test_options})
  if(CMAKE_UNITY_BUILD)  # names of neighbouring files are no shadows
    target_compile_options(${layer}_tests PRIVATE -Wno-shadow)
  endif()
  if(layer STREQUAL combining)
    target_link_libraries(${layer}_tests PRIVATE history_checker)
  endif()
  if(layer STREQUAL cli AND TARGET gossamer_cli_parts)
    target_link_libraries(${layer}_tests PRIVATE gossamer_cli_parts)
  endif()
  if(layer STREQUAL studies)
    target_link_libraries(${layer}_tests PRIVATE gossamer_studies_parts gossamer_cli_parts)
  endif()
  gossamer_precompile(${layer}_tests test_headers)
  if(layer IN_LIST sharded_layers)
    gossamer_add_shards(${layer})
  else()
    gossamer_discover_cases(${layer})
  endif()
endfunction()

# Layers with hundreds of cases of a few milliseconds: a process for each takes longer than the case, under the sanitizers by far.
# Each of some tests runs every so many cases; tools/test counts cases.
set(sharded_layers combining graph mapreduce memory message parallel sort studies tables)
set(shards 7)  # no multiple of the numbers of cores that cases have, so that each has some of all
set(alone_parallel "JobMemory.*")  # cases that need a process of their own: they measure its memory
# Many cases run on 1, 2, 3 and 8 cores. The address sanitizer runs them on 1 and 3, the thread sanitizer on 2 and 3: two
# processors take longest for 8, and one core has no races.
set(cores_elsewhere)
if(GOSSAMER_SANITIZE MATCHES address)
  set(cores_elsewhere "*/2cores*:*/8cores*:*on_2:*on_8")
elseif(GOSSAMER_SANITIZE MATCHES thread)
  set(cores_elsewhere "*/1cores*:*/8cores*")
endif()
function(gossamer_add_shards layer)
  string(JOIN ":" left_out ${alone_${layer}} ${cores_elsewhere})
  set(filter "*")
  if(left_out)
    set(filter "*-${left_out}")
  endif()
  if(alone_${layer})
    gossamer_discover_cases(${layer} TEST_FILTER "${alone_${layer}}")
  endif()
  math(EXPR last "${shards} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${layer}/shard_${shard} COMMAND ${layer}_tests)
    set_tests_properties(${layer}/shard_${shard} PROPERTIES LABELS ${layer} TIMEOUT 1200
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${shard};GTEST_FILTER=${filter}")
  endforeach()
endfunction()

# Makes a test for ctest of each case.
function(gossamer_discover_cases layer)
  gtest_discover_tests(${layer}_tests TEST_PREFIX ${layer}/ NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
    ${ARGN} PROPERTIES LABELS ${layer} TIMEOUT 300)
endfunction()

# Left out without GOSSAMER_LONG_TESTS, with the broken variants (GossamerBroken.cmake), which test the tests, and
# check/headers-compile-alone: another processor, counts of instructions, recordings of figures.
set(long_tests fiber/aarch64 instructions/instructions tools/papers tools/structures tools/bench_page)

function(gossamer_add_script_tests layer)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${layer}/*_test.py
       ${PROJECT_SOURCE_DIR}/tests/${layer}/*_test.sh)
  foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    string(REGEX REPLACE "_test$" "" name ${name})
    if(NOT GOSSAMER_LONG_TESTS AND ${layer}/${name} IN_LIST long_tests)
      continue()
    endif()
    if(script MATCHES "\\.py$")
      set(interpreter ${GOSSAMER_PYTHON})
    else()
      set(interpreter bash)
    endif()
    add_test(NAME ${layer}/${name} COMMAND ${interpreter} ${script})
    set_tests_properties(${layer}/${name} PROPERTIES LABELS ${layer} TIMEOUT 600 SKIP_RETURN_CODE 77
      ENVIRONMENT "${gossamer_test_environment}")
  endforeach()
endfunction()

# Every layer, and every folder of tests/ but those that hold no tests of their own.
file(GLOB test_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/tests
     ${PROJECT_SOURCE_DIR}/tests/*)
list(APPEND test_folders ${GOSSAMER_LAYERS})
list(REMOVE_DUPLICATES test_folders)
list(REMOVE_ITEM test_folders fuzz support)
if(NOT TARGET gossamer_studies)
  list(REMOVE_ITEM test_folders studies)
endif()
if(GOSSAMER_SANITIZE MATCHES thread)  # it leaves no addresses for windows, and one thread has no races
  list(REMOVE_ITEM test_folders simulation)
endif()
foreach(folder IN LISTS test_folders)
  gossamer_add_test_program(${folder})
  gossamer_add_script_tests(${folder})
endforeach()

# Programs that tests/*/*_test.py start under a launcher: tests/<layer>/*_program.cpp.
file(GLOB launched_programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*/*_program.cpp)
foreach(source IN LISTS launched_programs)
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(layer ${folder} NAME)
  add_executable(${name} ${source})
  gossamer_libraries_of(${layer} libraries)
  target_link_libraries(${name} PRIVATE ${libraries})
  gossamer_precompile(${name})
  if(TARGET ${layer}_tests)
    add_dependencies(${layer}_tests ${name})
  endif()
endforeach()

# Beside graph algorithms it runs some kernels, and not all of their library has to be compiled for that.
set(kernel_folder ${PROJECT_SOURCE_DIR}/gossamer/kernels)
target_sources(compilers_program PRIVATE ${kernel_folder}/gups.cpp ${kernel_folder}/uts.cpp ${kernel_folder}/uts_tree.cpp ${kernel_folder}/internal/sha1.cpp)

# tests/fabric/own_mpi.cpp starts MPI itself: once with every MPI that has a plugin.
if(NOT GOSSAMER_SANITIZE)
  foreach(plugin IN LISTS GOSSAMER_MPI_PLUGINS)
    string(REPLACE gossamer-transport- own_mpi_ name ${plugin})
    add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/fabric/own_mpi.cpp)
    target_include_directories(${name} SYSTEM PRIVATE $<TARGET_PROPERTY:${plugin},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(${name} PRIVATE gossamer $<TARGET_PROPERTY:${plugin},LINK_LIBRARIES>)
    if(TARGET fabric_tests)
      add_dependencies(fabric_tests ${name})
    endif()
  endforeach()
endif()

# The runtime over several processes: one program on all topologies, by both MPIs (77: that one is not here) and none;
# then with next to no packets, with small ones that have many chunks, in two hops, and as
# processes of several nodes have their arrays.
if(TARGET processes_tests)
  function(gossamer_add_topology_test mpi processes cores)
    string(JOIN "_" name ${mpi} ${processes}x${cores} ${ARGN})
    string(MAKE_C_IDENTIFIER ${name} name)
    add_test(NAME processes/${name} COMMAND ${GOSSAMER_PYTHON} ${PROJECT_SOURCE_DIR}/tests/processes/on_topology.py
      ${mpi} ${processes} ${cores} ${ARGN})
    set_tests_properties(processes/${name} PROPERTIES LABELS processes TIMEOUT 300 SKIP_RETURN_CODE 77
      PROCESSORS 2 ENVIRONMENT "${gossamer_test_environment}")
  endfunction()
  foreach(mpi openmpi mpich)
    foreach(topology "1;1" "1;2" "2;1" "2;2" "4;1" "3;2")
      gossamer_add_topology_test(${mpi} ${topology})
    endforeach()
    gossamer_add_topology_test(${mpi} 2 2 GOSSAMER_WIRE_PACKETS=4 GOSSAMER_WIRE_PACKET_BYTES=8192
      GOSSAMER_PACKETS=2 GOSSAMER_PACKET_BYTES=2048)
    gossamer_add_topology_test(${mpi} 5 1 GOSSAMER_ROUTES=grid)
    gossamer_add_topology_test(${mpi} 3 2 GOSSAMER_ROUTES=grid GOSSAMER_WIRE_PACKETS=4
      GOSSAMER_WIRE_PACKET_BYTES=8192)
    gossamer_add_topology_test(${mpi} 3 1 GOSSAMER_NODE_MEMORY=off)
    gossamer_add_topology_test(${mpi} 2 2 GOSSAMER_NODE_MEMORY=off GOSSAMER_BULK_BYTES=64)
  endforeach()
  foreach(topology "2;1" "2;2" "9;2")  # the last: lanes of many cores
    gossamer_add_topology_test(node ${topology})
  endforeach()
  gossamer_add_topology_test(node 3 2 GOSSAMER_NODE_MEMORY=off GOSSAMER_WIRE_PACKET_BYTES=1048576)
endif()

# The same on simulated clusters, also where everything that a seed may disturb is disturbed.
if(TARGET processes_tests AND NOT GOSSAMER_SANITIZE MATCHES thread)
  set(long_clusters "processes=24 cores=2")
  foreach(cluster "processes=1 cores=4" "processes=3 cores=2" "processes=8 cores=1" ${long_clusters}
          "processes=5 cores=3 network=qdr" "processes=4 cores=2 node=2" "processes=3 cores=2 node=3 lane_packets=8 faults=all seed=3"
          "processes=3 cores=2 faults=all seed=1" "processes=4 cores=3 faults=all seed=2")
    if(NOT GOSSAMER_LONG_TESTS AND cluster IN_LIST long_clusters)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER ${cluster} name)
    add_test(NAME processes/simulated_${name} COMMAND processes_tests --gtest_brief=1)
    set_tests_properties(processes/simulated_${name} PROPERTIES LABELS simulation TIMEOUT 300
      ENVIRONMENT "GOSSAMER_SIMULATE=${cluster}")
  endforeach()
endif()

include(GossamerProtocols)
include(GossamerHistories)
include(GossamerTutorials)

# Longest first, so that the last test to end is a short one.
foreach(name cli/graph_processes cli/kernels_processes cli/sort fiber/aarch64
        processes/simulated_processes_24_cores_2 processes/simulated_processes_4_cores_3_faults_all_seed_2)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST 1000)
  endif()
endforeach()

# Processes are killed and stopped at moments of a job, which other work would move: nothing else runs meanwhile.
foreach(name fabric/kills cli/kills processes/kills nodes/jobs nodes/losses nodes/checkpoints)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
  endif()
endforeach()

# The long ones of `make test-nodes`.
if(TEST nodes/jobs)
  set_tests_properties(nodes/jobs nodes/losses nodes/checkpoints PROPERTIES TIMEOUT 3600)
endif()

add_test(NAME check/layers COMMAND ${GOSSAMER_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check-layers)
add_test(NAME check/format COMMAND ${PROJECT_SOURCE_DIR}/tools/check-format)
add_test(NAME check/words COMMAND ${GOSSAMER_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check-words)
set_tests_properties(check/layers check/format check/words PROPERTIES LABELS check TIMEOUT 120)
