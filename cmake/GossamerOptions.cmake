# What can be chosen, and the flags that follow from it. Presets (CMakePresets.json) name the usual sets.

option(GOSSAMER_BUILD_CLI "Build the program gossamer" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_BUILD_STUDIES "Build the program gossamer-studies, which the papers' figures need" OFF)
option(GOSSAMER_BUILD_TESTS "Build the tests, the fuzz targets and header_check" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_BUILD_BENCH "Build the benchmarks" OFF)
option(GOSSAMER_BUILD_PYTHON "Build the Python package (needs nanobind: tools/python-env)" OFF)
option(GOSSAMER_MODULE_CODE "Compile as for a module of Python, without one, too: packages and wheels share what is compiled" OFF)
option(GOSSAMER_NATIVE "Use every instruction of this processor" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_CHECKS "Costly assertions and the search for stack addresses in captures" OFF)
option(GOSSAMER_FUZZ "Build the fuzz targets with libFuzzer (clang only)" OFF)
option(GOSSAMER_WERROR "Warnings are errors" OFF)
option(GOSSAMER_LONG_TESTS "Build the tests that a change rarely breaks and that take minutes (GossamerTests.cmake)" ON)
set(GOSSAMER_TESTS_ELSEWHERE "" CACHE STRING "Layers whose own test programs another build runs: they are left out")
set(GOSSAMER_SANITIZE "" CACHE STRING "Sanitizers: empty, address,undefined or thread")
set(GOSSAMER_VERTEX_BITS 32 CACHE STRING "Bits of a vertex number: 32 or 64")
set_property(CACHE GOSSAMER_SANITIZE PROPERTY STRINGS "" "address,undefined" thread)
set_property(CACHE GOSSAMER_VERTEX_BITS PROPERTY STRINGS 32 64)

if(NOT GOSSAMER_VERTEX_BITS MATCHES "^(32|64)$")
  message(FATAL_ERROR "GOSSAMER_VERTEX_BITS is ${GOSSAMER_VERTEX_BITS}; it can be 32 or 64")
endif()
if(GOSSAMER_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "GOSSAMER_FUZZ needs clang; this compiler is ${CMAKE_CXX_COMPILER_ID}")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(GOSSAMER_CCACHE ccache)
  if(GOSSAMER_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${GOSSAMER_CCACHE})
  endif()
  # gcc collects its own garbage from 128 MiB on. From 512 MiB on (less on small computers) it takes less time: 7 to 10 % less on
  # two processors at once, more where the other is idle; with 2 GiB it gains less, since two such heaps share a cache.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
    cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR heap_kib "${memory_mib} * 1024 / (4 * ${processors})")
    if(heap_kib GREATER 524288)
      set(heap_kib 524288)
    endif()
    if(heap_kib GREATER 131072)
      add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=${heap_kib}>)
    endif()
  endif()
  # Assertions and cheap checks stay in every build: no NDEBUG.
  set(CMAKE_CXX_FLAGS_RELEASE "-O3")
  # Functions and lines, no variables: a third less compile time and objects of a third (gcc 12). -DCMAKE_CXX_FLAGS=-g2
  # adds them where a debugger shall show them.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra> $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>)
# gcc 12 finds accesses out of bounds in fmt and std::string at -O3 that are none (its bugs 105329 and 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow> $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overread>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # std::stable_sort of gcc 12's library uses what that library deprecates
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
endif()
if(GOSSAMER_WERROR)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# A module of Python is loaded while the process runs: its code lies anywhere. Thread-local variables are few and small, and
# stay as fast as in a program.
if(GOSSAMER_BUILD_PYTHON OR GOSSAMER_MODULE_CODE)
  add_compile_options(-fPIC -ftls-model=initial-exec)
  if(NOT GOSSAMER_BUILD_TESTS)  # tests look for names of functions in backtraces
    add_compile_options(-fvisibility=hidden $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
  endif()
endif()

if(GOSSAMER_NATIVE)
  add_compile_options(-march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()

if(GOSSAMER_FUZZ)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
if(GOSSAMER_SANITIZE)
  add_compile_options(-fsanitize=${GOSSAMER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GOSSAMER_SANITIZE})
  # The address sanitizer finds accesses through null and beyond objects; casts to a wrong derived class (vptr) stay unchecked.
  if(GOSSAMER_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=null,vptr,object-size)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # gcc has neither: an offset from null, which is what prefetches take; types of functions
      add_compile_options(-fno-sanitize=pointer-overflow,function)
    endif()
  endif()
  # Variables stay on the stack of their fiber, where the capture check looks for them.
  if(GOSSAMER_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_compile_options(-fsanitize-address-use-after-return=never)
  endif()
endif()
