# Fuzz targets: tests/fuzz/<name>_fuzz.cpp defines LLVMFuzzerTestOneInput. With GOSSAMER_FUZZ
# (preset fuzz, clang) libFuzzer drives it; otherwise tests/fuzz/standalone_main.cpp does, which makes
# every target a short ordinary test, whatever the compiler.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp)
set(standalone_main ${PROJECT_SOURCE_DIR}/tests/fuzz/standalone_main.cpp)
if(NOT GOSSAMER_FUZZ AND NOT EXISTS ${standalone_main})
  return()
endif()

foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE gossamer)
  if(GOSSAMER_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name} PRIVATE ${standalone_main})
    add_test(NAME fuzz/${name} COMMAND ${name})
    set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  endif()
endforeach()
