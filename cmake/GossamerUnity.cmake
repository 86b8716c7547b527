# Unity builds (CMAKE_UNITY_BUILD; tools/build turns them on): several sources make one translation unit. Left out are sources whose own names are other sources' names, too.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/gossamer/kernels/uts_memory.cpp ${PROJECT_SOURCE_DIR}/studies/task_bfs.cpp  # classes with members without linkage
  ${PROJECT_SOURCE_DIR}/tests/instructions/operations.cpp  # what is counted shall not depend on its neighbours
  ${PROJECT_SOURCE_DIR}/gossamer/graph/formats/internal/read_text.cpp  # its class has a base without linkage
  ${PROJECT_SOURCE_DIR}/gossamer/mpi/program.cpp  # only programs of gossamer-mpicc take it from the archive
  ${PROJECT_SOURCE_DIR}/gossamer/parallel/hard_cases_test.cpp ${PROJECT_SOURCE_DIR}/gossamer/parallel/internal/job_memory_test.cpp
  ${PROJECT_SOURCE_DIR}/gossamer/machine/memory_test.cpp
  ${PROJECT_SOURCE_DIR}/gossamer/message/two_sided_test.cpp
  ${PROJECT_SOURCE_DIR}/gossamer/mapreduce/containers_test.cpp ${PROJECT_SOURCE_DIR}/gossamer/mapreduce/inputs_test.cpp  # each job is a second of work
  ${PROJECT_SOURCE_DIR}/gossamer/mapreduce/map_reduce_bench.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
