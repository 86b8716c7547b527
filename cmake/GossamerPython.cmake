# The Python package (python/, ADR 0028): the module gossamer/_core from python/src, and in PROJECT/python of the build folder the
# package around it, so that PYTHONPATH is all that tests need. A wheel holds the component `python`: pyproject.toml.
# Needs nanobind, which tools/python-env fetches; Python_EXECUTABLE says for which interpreter.
set(Python_FIND_VIRTUALENV FIRST)
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
execute_process(COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/python-supported RESULT_VARIABLE refused ERROR_VARIABLE why)
if(refused)
  message(FATAL_ERROR "${why}")
endif()
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
find_package(nanobind CONFIG REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.cpp)
# NB_STATIC: nothing of nanobind is shared with other modules. STABLE_ABI counts from Python 3.12 on.
nanobind_add_module(gossamer_python NB_STATIC STABLE_ABI NB_SUPPRESS_WARNINGS ${python_sources})
# What runs for every node, row or number is compiled for speed: nanobind asks for small code.
set(hot_sources node_index adjacency answers arrow_table arrow_graph row_keys group_table sort global_array hash_tables)
list(TRANSFORM hot_sources PREPEND ${PROJECT_SOURCE_DIR}/python/src/)
list(TRANSFORM hot_sources APPEND .cpp)
set_source_files_properties(${hot_sources} PROPERTIES COMPILE_OPTIONS -O2)
foreach(library nanobind-static nanobind-static-abi3)  # its own sources are not ours to mend
  if(TARGET ${library})
    target_compile_options(${library} PRIVATE -w)
  endif()
endforeach()
set(python_folder ${PROJECT_BINARY_DIR}/python/gossamer)
set_target_properties(gossamer_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${python_folder} UNITY_BUILD OFF)
target_include_directories(gossamer_python PRIVATE ${PROJECT_SOURCE_DIR}/python/src)
target_compile_definitions(gossamer_python PRIVATE GOSSAMER_VERSION="${PROJECT_VERSION}")
# The library's symbols are its own affair: another module of the process may hold another Gossamer.
target_link_options(gossamer_python PRIVATE LINKER:--exclude-libs,ALL)
target_link_libraries(gossamer_python PRIVATE gossamer)

# The types of _core, for editors and type checkers.
nanobind_add_stub(gossamer_python_stub MODULE _core OUTPUT ${python_folder}/_core.pyi PYTHON_PATH ${python_folder}
                  DEPENDS gossamer_python)

# The methods that ask questions about graphs, of the library's descriptions.
set(question_files gossamer/_questions.py gossamer/networkx_backend/_questions.py gossamer_networkx/_questions.py)
list(TRANSFORM question_files PREPEND ${PROJECT_BINARY_DIR}/python/ OUTPUT_VARIABLE made_files)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/python/questions.stamp BYPRODUCTS ${made_files}
  COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/python-questions ${PROJECT_BINARY_DIR}/python
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/python/questions.stamp
  DEPENDS gossamer_python ${PROJECT_SOURCE_DIR}/tools/python-questions VERBATIM)
add_custom_target(gossamer_python_questions ALL DEPENDS ${PROJECT_BINARY_DIR}/python/questions.stamp)
foreach(file IN LISTS question_files)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${PROJECT_BINARY_DIR}/python/${file} DESTINATION ${folder} COMPONENT python EXCLUDE_FROM_ALL)
endforeach()

install(TARGETS gossamer_python LIBRARY DESTINATION gossamer COMPONENT python EXCLUDE_FROM_ALL)
set(report_page ${PROJECT_SOURCE_DIR}/cli/output/report_page.html)  # the program and the package write the same page
install(TARGETS ${GOSSAMER_PLUGINS} LIBRARY DESTINATION gossamer/gossamer COMPONENT python EXCLUDE_FROM_ALL)  # beside _core
install(FILES ${python_folder}/_core.pyi ${report_page} DESTINATION gossamer COMPONENT python EXCLUDE_FROM_ALL)
if(TARGET gossamer_cli)  # beside _core, where it finds the plugins, too; python/gossamer/__main__.py starts it
  install(PROGRAMS $<TARGET_FILE:gossamer_cli> RENAME _gossamer DESTINATION gossamer COMPONENT python EXCLUDE_FROM_ALL)
endif()
if(DEFINED SKBUILD_PROJECT_NAME)
  return()
endif()

# The package in the build folder: links to its files, and what pip would note of it, entry points included.
file(GLOB_RECURSE package_files RELATIVE ${PROJECT_SOURCE_DIR}/python CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/python/gossamer/*.py ${PROJECT_SOURCE_DIR}/python/gossamer/py.typed
     ${PROJECT_SOURCE_DIR}/python/gossamer_networkx/*.py)
foreach(file IN LISTS package_files)
  get_filename_component(folder ${PROJECT_BINARY_DIR}/python/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/${file} ${PROJECT_BINARY_DIR}/python/${file} SYMBOLIC)
endforeach()
file(CREATE_LINK ${report_page} ${python_folder}/report_page.html SYMBOLIC)
file(CREATE_LINK ${PROJECT_BINARY_DIR}/lib/gossamer ${python_folder}/gossamer SYMBOLIC)  # the transport plugins
if(TARGET gossamer_cli)
  file(CREATE_LINK ${PROJECT_BINARY_DIR}/bin/gossamer ${python_folder}/_gossamer SYMBOLIC)
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/pyproject.toml)
execute_process(COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/python-metadata ${PROJECT_VERSION}
                        ${PROJECT_BINARY_DIR}/python COMMAND_ERROR_IS_FATAL ANY)

# Beside what is in one process: jobs of several under every launcher, which take most of the time.
if(GOSSAMER_BUILD_TESTS)
  set(python_tests ${PROJECT_SOURCE_DIR}/python/tests)
  add_test(NAME python/package COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${python_tests}
           --ignore ${python_tests}/test_processes.py)
  add_test(NAME python/processes COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider
           ${python_tests}/test_processes.py)
  set_tests_properties(python/package python/processes PROPERTIES LABELS python TIMEOUT 900 COST 1000
    ENVIRONMENT "${gossamer_test_environment};PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1")
endif()
