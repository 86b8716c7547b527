# Headers that most sources include, compiled once: gossamer_precompile(TARGET [test_headers]). None of our own, so that editing
# one compiles no more than before, and a broken copy of one (GossamerBroken.cmake) is found first. Only in our own builds.
# Examples and tutorials do without, since they must compile as they stand. A forgotten include is found by header_check in a
# header and by tools/check-tidy in a source. Left out under ccache, which would not keep such files, but in header_check, which
# no cache serves.
set(gossamer_standard_headers <algorithm> <array> <atomic> <bit> <chrono> <concepts> <cstdint> <cstring> <deque> <exception>
    <functional> <limits> <map> <memory> <memory_resource> <mutex> <new> <numeric> <optional> <ranges> <span> <stdexcept>
    <string> <string_view> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
set(GOSSAMER_PRECOMPILES OFF)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(GOSSAMER_PRECOMPILES ON)
endif()

# gossamer_precompiled_set(NAME LIBRARIES HEADERS...)
function(gossamer_precompiled_set name libraries)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE ${libraries})
  target_precompile_headers(${name} PRIVATE ${ARGN})
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()

if(PROJECT_IS_TOP_LEVEL)
  gossamer_precompiled_set(standard_headers fmt::fmt ${gossamer_standard_headers})
endif()

# gossamer_reuse_precompiled(TARGET NAME): under ccache, too.
function(gossamer_reuse_precompiled target name)
  target_precompile_headers(${target} REUSE_FROM ${name})
  # gcc 12 finds places out of bounds in std::string::operator+ that are none (its bug 105651); here only with these headers.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>)
  endif()
endfunction()

function(gossamer_precompile target)
  set(headers standard_headers ${ARGN})
  list(GET headers -1 headers)
  if(GOSSAMER_PRECOMPILES)
    gossamer_reuse_precompiled(${target} ${headers})
  endif()
endfunction()
