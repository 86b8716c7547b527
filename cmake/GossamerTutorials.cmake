# The programs of README.md, docs/guide.md and docs/combining.md, as they stand there, compiled and run: a block with a main() is
# a whole program. The others of docs/guide.md are what stands inside of run(); those of docs/combining.md make a structure.
function(gossamer_add_document_program name text)
  string(REPLACE "<semicolon>" ";" text "${text}")
  set(source ${PROJECT_BINARY_DIR}/tutorial/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "@text@" @ONLY)
  add_executable(tutorial_${name} ${source})
  target_link_libraries(tutorial_${name} PRIVATE gossamer)
  add_test(NAME tutorial/${name} COMMAND tutorial_${name})
  set_tests_properties(tutorial/${name} PROPERTIES LABELS check TIMEOUT 120)
endfunction()

# gossamer_add_document(DOCUMENT PREFIX REST [BEFORE AFTER]): what is no whole program is put together in the variable REST,
# each block between BEFORE and AFTER.
function(gossamer_add_document document prefix rest)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${document})
  file(READ ${PROJECT_SOURCE_DIR}/${document} text)
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REGEX MATCHALL "```cpp\n[^`]*```" blocks "${text}")
  set(parts "")
  set(number 0)
  foreach(block IN LISTS blocks)
    string(REGEX REPLACE "```(cpp)?" "" block "${block}")
    if(block MATCHES "int main\\(")
      math(EXPR number "${number} + 1")
      gossamer_add_document_program(${prefix}_${number} "${block}")
    else()
      string(APPEND parts "${ARGV3}${block}${ARGV4}")
    endif()
  endforeach()
  set(${rest} "${parts}" PARENT_SCOPE)
endfunction()

gossamer_add_document(README.md readme ignored)
gossamer_add_document(docs/guide.md guide parts "  gossamer::finish([] {\n" "  })<semicolon>\n")
string(CONCAT parts "#include <cmath>\n#include <functional>\n#include <gossamer/gossamer.hpp>\n#include <gossamer/graph/engine/traversal.hpp>\n#include <gossamer/graph/formats/load.hpp>\n#include <gossamer/mapreduce/map_reduce.hpp>\n#include <vector>\n"
  "namespace gs = gossamer<semicolon>\nint main(int argc, char** argv) {\n  return gs::run(argc, argv, [] {\n" "${parts}"
  "  })<semicolon>\n}\n")
gossamer_add_document_program(guide_parts "${parts}")
gossamer_add_document(docs/combining.md combining structure)
file(READ ${PROJECT_SOURCE_DIR}/tests/combining/tutorial/around.cpp around)
string(REPLACE ";" "<semicolon>" around "${around}")
string(REPLACE "// <the blocks of docs/combining.md>" "${structure}" structure "${around}")
gossamer_add_document_program(structure "${structure}")
