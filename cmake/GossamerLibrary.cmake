# The library: one static archive of the sources in gossamer/<layer>/, in the order of the layers. Tests and benchmarks lie
# beside what they are for: x_test.cpp, x_bench.cpp.
set(GOSSAMER_LAYERS base machine io fiber fabric simulation message memory parallel combining graph mapreduce kernels)

set(gossamer_sources)
foreach(layer IN LISTS GOSSAMER_LAYERS)
  file(GLOB_RECURSE layer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/${layer}/*.cpp)
  list(FILTER layer_sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  list(APPEND gossamer_sources ${layer_sources})
endforeach()
if(NOT gossamer_sources)
  file(WRITE ${PROJECT_BINARY_DIR}/empty.cpp "")
  set(gossamer_sources ${PROJECT_BINARY_DIR}/empty.cpp)
endif()

add_library(gossamer STATIC ${gossamer_sources})
add_library(gossamer::gossamer ALIAS gossamer)
target_compile_features(gossamer PUBLIC cxx_std_20)
# A definition whose header its source does not include compiles by itself, and fails in some unity batches only.
target_compile_options(gossamer PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wmissing-declarations>)
target_include_directories(gossamer PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Symbols are bound at the start: the first call of a function would otherwise look it up on the stack of
# whichever fiber makes it, with up to 3 KiB of saved vector registers, and small stacks have 4 KiB in all.
target_link_options(gossamer PUBLIC LINKER:-z,now)
target_link_libraries(gossamer PUBLIC Threads::Threads fmt::fmt
                               PRIVATE ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA PkgConfig::HWLOC PkgConfig::ZSTD hwy::hwy_contrib
                                       $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
target_compile_definitions(gossamer PUBLIC GOSSAMER_VERTEX_BITS=${GOSSAMER_VERTEX_BITS}
                                    PRIVATE GOSSAMER_VERSION="${PROJECT_VERSION}")
if(GOSSAMER_CHECKS)
  target_compile_definitions(gossamer PUBLIC GOSSAMER_CHECKS=1)
endif()
