# gossamer_broken_copy(NAME SOURCE LINE REPLACEMENT BELOW RESULT): a copy of one of the library's files in which LINE,
# text that it has exactly once, says something else; in <build>/broken/NAME/BELOW. Its path goes to RESULT.
function(gossamer_broken_copy name source line replacement below result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${source})
  file(READ ${PROJECT_SOURCE_DIR}/${source} text)
  string(FIND "${text}" "${line}" first)
  string(FIND "${text}" "${line}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "broken variant ${name}: ${source} must have exactly once:\n${line}")
  endif()
  string(REPLACE "${line}" "${replacement}" text "${text}")
  get_filename_component(file ${source} NAME)
  set(copy ${PROJECT_BINARY_DIR}/broken/${name}/${below}${file})
  file(CONFIGURE OUTPUT ${copy} CONTENT "#line 1 \"${PROJECT_SOURCE_DIR}/${source}\"\n@text@" @ONLY)
  # The linker takes the copy instead of the library's own: that must be a member of the archive by itself.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${result} ${copy} PARENT_SCOPE)
endfunction()
