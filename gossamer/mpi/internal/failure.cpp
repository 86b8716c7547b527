#include "gossamer/mpi/internal/failure.hpp"

#include <cstdio>
#include <cstdlib>

#include "gossamer/fabric/peer_watch.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/mpi/include/mpi.h"

namespace gossamer::mpi {

namespace {

struct class_text {
  int number;
  const char* name;
  const char* meaning;
};
constexpr class_text k_classes[] = {
    {MPI_SUCCESS, "MPI_SUCCESS", "no error"},
    {MPI_ERR_BUFFER, "MPI_ERR_BUFFER", "a buffer is missing"},
    {MPI_ERR_COUNT, "MPI_ERR_COUNT", "a count is negative"},
    {MPI_ERR_TYPE, "MPI_ERR_TYPE", "no data type of this subset"},
    {MPI_ERR_TAG, "MPI_ERR_TAG", "a tag is out of range"},
    {MPI_ERR_COMM, "MPI_ERR_COMM", "no communicator, or one that was freed"},
    {MPI_ERR_RANK, "MPI_ERR_RANK", "a rank is out of range"},
    {MPI_ERR_REQUEST, "MPI_ERR_REQUEST", "no request, or one that is in use or was waited for"},
    {MPI_ERR_ROOT, "MPI_ERR_ROOT", "a root is out of range"},
    {MPI_ERR_OP, "MPI_ERR_OP", "no operation of this subset, or none for this data type"},
    {MPI_ERR_ARG, "MPI_ERR_ARG", "an argument is wrong"},
    {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN", "an unknown error"},
    {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE", "a message was longer than the buffer of its receive"},
    {MPI_ERR_OTHER, "MPI_ERR_OTHER", "the call is not allowed here"},
    {MPI_ERR_INTERN, "MPI_ERR_INTERN", "an error inside the runtime"},
    {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS", "the statuses hold the errors"},
    {MPI_ERR_PENDING, "MPI_ERR_PENDING", "the request is still open"},
    {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM", "memory is short"},
};

const class_text* find(int error_class) {
  for (const class_text& c : k_classes)
    if (c.number == error_class) return &c;
  return nullptr;
}

}  // namespace

const char* name_of_class(int error_class) {
  const auto* c = find(error_class);
  return c != nullptr ? c->name : "an unknown error class";
}

const char* meaning_of_class(int error_class) {
  const auto* c = find(error_class);
  return c != nullptr ? c->meaning : nullptr;
}

void end_job(const std::string& what) {
  constexpr int k_code = 2;
  std::fflush(stdout);
  if (auto* const others = fabric::peers()) others->fail(what.c_str());
  machine::print_error(what);
  std::_Exit(k_code);
}

}  // namespace gossamer::mpi
