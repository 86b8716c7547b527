# operations: the program whose instructions tests/instructions counts. It and the runtime that it links
# are built as a release is, whatever the preset, for a processor that valgrind knows (3.19: no AVX-512).
if(GOSSAMER_SANITIZE OR NOT GOSSAMER_LONG_TESTS OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  return()
endif()
set(plain_sources)
foreach(layer base machine fiber fabric simulation message memory parallel)
  file(GLOB_RECURSE layer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/${layer}/*.cpp)
  list(FILTER layer_sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  list(APPEND plain_sources ${layer_sources})
endforeach()
add_executable(operations ${PROJECT_SOURCE_DIR}/tests/instructions/operations.cpp ${plain_sources})
target_include_directories(operations PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(operations PRIVATE cxx_std_20)
target_compile_options(operations PRIVATE -O3 -march=x86-64-v2 -g1)
target_compile_definitions(operations PRIVATE GOSSAMER_VERSION="${PROJECT_VERSION}")
target_link_options(operations PRIVATE LINKER:-z,now)
if(GOSSAMER_PRECOMPILES)  # of its own: the flags differ
  target_precompile_headers(operations PRIVATE ${gossamer_standard_headers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)  # as in GossamerPrecompiled.cmake
    target_compile_options(operations PRIVATE -Wno-array-bounds)
  endif()
endif()
target_link_libraries(operations PRIVATE Threads::Threads fmt::fmt PkgConfig::HWLOC ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA
                                         PkgConfig::ZSTD)
