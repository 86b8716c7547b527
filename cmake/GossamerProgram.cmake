# The program gossamer from cli/. Everything but main.cpp is an object library, so that
# tests/cli can link the pieces; the micro-benchmarks behind `gossamer bench` are another: x_bench.cpp beside what it measures,
# their harness in bench/micro.
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp)
if(NOT cli_sources)
  return()
endif()
find_package(CLI11 REQUIRED)

file(GLOB micro_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/micro/*.cpp)
file(GLOB_RECURSE layer_benches CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gossamer/*_bench.cpp)
list(APPEND micro_sources ${layer_benches})
add_library(gossamer_micro OBJECT ${micro_sources})
set_target_properties(gossamer_micro PROPERTIES UNITY_BUILD_BATCH_SIZE 16)  # as of the library
target_include_directories(gossamer_micro PUBLIC ${PROJECT_SOURCE_DIR}/bench)
target_link_libraries(gossamer_micro PUBLIC gossamer PRIVATE nlohmann_json::nlohmann_json)
gossamer_precompile(gossamer_micro)

set(cli_main ${PROJECT_SOURCE_DIR}/cli/main.cpp)
list(REMOVE_ITEM cli_sources ${cli_main})
add_library(gossamer_cli_parts OBJECT ${cli_sources})
set_target_properties(gossamer_cli_parts PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
target_include_directories(gossamer_cli_parts PUBLIC ${PROJECT_SOURCE_DIR}/cli ${PROJECT_SOURCE_DIR}/bench)
# Commands compute nothing themselves, and wheels carry the program: 16 % less code than by -O3.
target_compile_options(gossamer_cli_parts PRIVATE $<$<CONFIG:Release>:-O2>)
target_sources(gossamer_cli_parts INTERFACE $<TARGET_OBJECTS:gossamer_micro>)
# gossamer_embed(FILE NAME): the text of a file is part of the program, as k_NAME in NAME.hpp.
function(gossamer_embed file name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  file(READ ${PROJECT_SOURCE_DIR}/${file} GOSSAMER_EMBEDDED)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${name}.hpp @ONLY CONTENT
"#pragma once
// Made of ${file}.
inline constexpr char k_${name}[] = R\"script(@GOSSAMER_EMBEDDED@)script\";
")
endfunction()
gossamer_embed(cli/output/scale_figure.py scale_figure_script)  # draws what `gossamer scale` found
gossamer_embed(cli/output/sweep_figure.py sweep_figure_script)  # and what `gossamer sweep` found
gossamer_embed(cli/output/report_page.html report_page_text)
target_include_directories(gossamer_cli_parts PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(gossamer_cli_parts PUBLIC gossamer CLI11::CLI11 nlohmann_json::nlohmann_json)
target_compile_definitions(gossamer_cli_parts PUBLIC GOSSAMER_VERSION="${PROJECT_VERSION}")
gossamer_precompile(gossamer_cli_parts)

if(EXISTS ${cli_main})
  add_executable(gossamer_cli ${cli_main})
  set_target_properties(gossamer_cli PROPERTIES OUTPUT_NAME gossamer)
  target_link_libraries(gossamer_cli PRIVATE gossamer_cli_parts)
  # Completion and manual pages come from the commands' own declarations.
  if(NOT CMAKE_CROSSCOMPILING)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/share/bash-completion/completions/gossamer
      COMMAND gossamer_cli --write-manual ${PROJECT_BINARY_DIR}/share DEPENDS gossamer_cli VERBATIM)
    add_custom_target(gossamer_manual ALL DEPENDS ${PROJECT_BINARY_DIR}/share/bash-completion/completions/gossamer)
  endif()
endif()
