# Programs to copy from: examples/*.cpp, run by tests/examples. example_peers has the same computations in plain C++ with OpenMP
# (serial where there is none): bench/examples/*.cpp, oracles of the test and peers of tools/bench-examples.
file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
add_custom_target(examples)
foreach(source IN LISTS example_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE gossamer)
  add_dependencies(examples example_${name})
endforeach()

find_package(OpenMP QUIET COMPONENTS CXX)
file(GLOB peer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/examples/*.cpp)
add_executable(example_peers ${peer_sources})
target_include_directories(example_peers PRIVATE ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR})
target_link_libraries(example_peers PRIVATE $<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_CXX>)
target_compile_options(example_peers PRIVATE -Wno-unknown-pragmas)
add_dependencies(examples example_peers)
