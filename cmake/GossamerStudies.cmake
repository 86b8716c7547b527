# The program gossamer-studies from studies/, of the parts of the program gossamer. It is not installed. Its kernels are an object
# library, so that the tests beside them link the same.
file(GLOB_RECURSE study_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studies/*.cpp)
list(FILTER study_sources EXCLUDE REGEX "_test\\.cpp$")
set(studies_main ${PROJECT_SOURCE_DIR}/studies/main.cpp)
list(REMOVE_ITEM study_sources ${studies_main})
add_library(gossamer_studies_parts OBJECT ${study_sources})
target_link_libraries(gossamer_studies_parts PUBLIC gossamer_cli_parts)
gossamer_precompile(gossamer_studies_parts)

add_executable(gossamer_studies ${studies_main})
set_target_properties(gossamer_studies PROPERTIES OUTPUT_NAME gossamer-studies)
target_link_libraries(gossamer_studies PRIVATE gossamer_studies_parts gossamer_cli_parts)
