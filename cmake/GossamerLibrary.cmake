# The library: one static archive of the sources in gossamer/<layer>/, in the order of the layers. Tests and benchmarks lie
# beside what they are for: x_test.cpp, x_bench.cpp.
# It is made of four parts, so that where few layers are tested (sanitizers) only those are compiled:
# gossamer_runtime (base to checkpoint), gossamer_graph, gossamer_mapreduce (sort, mapreduce, tables), gossamer_kernels.
# The functions of MPI are an archive of their own, gossamer_mpi: programs that call an MPI link the library, too.
set(GOSSAMER_LAYERS base machine io fiber fabric simulation message memory parallel combining host files checkpoint sort graph mapreduce tables kernels mpi)
set(GOSSAMER_PARTS runtime graph mapreduce kernels)

# What compiling and linking the library takes, the same for every part.
function(gossamer_library_properties target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # A definition whose header its source does not include compiles by itself, and fails in some unity batches only.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wmissing-declarations>)
  # A frame that is larger than the guard page touches its pages one by one. It would reach over the guard into the
  # neighbouring fiber's stack otherwise.
  target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CXX>:-fstack-clash-protection>)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Symbols are bound at the start: the first call of a function would otherwise look it up on the stack of
  # whichever fiber makes it, with up to 3 KiB of saved vector registers, and the smallest stacks have 8 KiB.
  target_link_options(${target} PUBLIC LINKER:-z,now)
  target_link_libraries(${target}
    PUBLIC Threads::Threads fmt::fmt
    PRIVATE ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA PkgConfig::HWLOC PkgConfig::ZSTD hwy::hwy_contrib
            $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
  target_compile_definitions(${target} PUBLIC GOSSAMER_VERTEX_BITS=${GOSSAMER_VERTEX_BITS}
                                       PRIVATE GOSSAMER_VERSION="${PROJECT_VERSION}")
  if(GOSSAMER_CHECKS)
    target_compile_definitions(${target} PUBLIC GOSSAMER_CHECKS=1)
  endif()
endfunction()

# gossamer_part_of(LAYER RESULT)
function(gossamer_part_of layer result)
  set(part runtime)
  if(layer IN_LIST GOSSAMER_PARTS OR layer STREQUAL mpi)
    set(part ${layer})
  elseif(layer MATCHES "^(sort|tables)$")
    set(part mapreduce)
  endif()
  set(${result} ${part} PARENT_SCOPE)
endfunction()

foreach(layer IN LISTS GOSSAMER_LAYERS)
  file(GLOB_RECURSE layer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/${layer}/*.cpp)
  list(FILTER layer_sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  gossamer_part_of(${layer} part)
  list(APPEND gossamer_${part}_sources ${layer_sources})
endforeach()

# Its answers are compared with a serial solver's to the last bit: no product and sum become one operation there.
set_source_files_properties(${PROJECT_SOURCE_DIR}/gossamer/kernels/jacobi.cpp PROPERTIES COMPILE_OPTIONS -ffp-contract=off)

add_library(gossamer STATIC)
add_library(gossamer::gossamer ALIAS gossamer)
set_target_properties(gossamer PROPERTIES LINKER_LANGUAGE CXX)
gossamer_library_properties(gossamer)
foreach(part IN LISTS GOSSAMER_PARTS)
  add_library(gossamer_${part} STATIC EXCLUDE_FROM_ALL ${gossamer_${part}_sources})
  if(NOT part STREQUAL mapreduce)  # whose sources are large; elsewhere most of the time goes to headers
    set_target_properties(gossamer_${part} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  endif()
  gossamer_library_properties(gossamer_${part})
  gossamer_precompile(gossamer_${part})
  target_sources(gossamer PRIVATE $<TARGET_OBJECTS:gossamer_${part}>)
  if(NOT part STREQUAL runtime)
    target_link_libraries(gossamer_${part} PUBLIC gossamer_runtime)
  endif()
endforeach()

add_library(gossamer_mpi STATIC ${gossamer_mpi_sources})
gossamer_library_properties(gossamer_mpi)
gossamer_precompile(gossamer_mpi)
target_link_libraries(gossamer_mpi PUBLIC gossamer_runtime)

# gossamer_libraries_of(LAYER RESULT): what a test of that layer links: of a part, that part and what lies below it;
# of everything else, and of a layer that is tested through kernels, the whole library.
function(gossamer_libraries_of layer result)
  set(libraries gossamer)
  if(layer IN_LIST GOSSAMER_LAYERS AND NOT layer MATCHES "^(simulation|kernels)$")
    gossamer_part_of(${layer} part)
    set(libraries gossamer_${part})
  endif()
  set(${result} ${libraries} PARENT_SCOPE)
endfunction()
