// The functions of mpi.h about the job, communicators and errors.
#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/core.h>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/mpi/include/mpi.h"
#include "gossamer/mpi/internal/call.hpp"
#include "gossamer/mpi/internal/collective.hpp"

namespace gossamer::mpi {
namespace {

int begin(const char* name) {
  engine& e = engine_for(name);
  int result = MPI_SUCCESS;
  at_home([&] {
    if (e.now() == engine::phase::before)
      e.begin();
    else
      result = report(e, name, MPI_COMM_WORLD, {MPI_ERR_OTHER, "called a second time"});
  });
  return result;
}

void copy_text(char* to, std::size_t room, std::string_view text, int* length) {
  const std::size_t n = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), n);
  to[n] = 0;
  *length = static_cast<int>(n);
}

MPI_Comm handle_of(std::uint32_t number) { return reinterpret_cast<MPI_Comm>(std::uintptr_t{number} + 1); }

}  // namespace
}  // namespace gossamer::mpi

using namespace gossamer::mpi;

int MPI_Init(int*, char***) { return begin("MPI_Init"); }

int MPI_Init_thread(int*, char***, int required, int* provided) {
  const int result = begin("MPI_Init_thread");
  (void)required;
  if (provided != nullptr) *provided = MPI_THREAD_MULTIPLE;
  return result;
}

int MPI_Initialized(int* flag) {
  *flag = engine::now() != engine::phase::before;
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  return call("MPI_Finalize", MPI_COMM_WORLD, [](engine& e) { e.end(); });
}

int MPI_Finalized(int* flag) {
  *flag = engine::now() == engine::phase::ended;
  return MPI_SUCCESS;
}

int MPI_Query_thread(int* provided) {
  return call("MPI_Query_thread", MPI_COMM_WORLD, [&](engine&) {
    check_pointer(provided, "the level");
    *provided = MPI_THREAD_MULTIPLE;
  });
}

int MPI_Abort(MPI_Comm, int code) {
  (void)engine_for("MPI_Abort");
  end_job(fmt::format("MPI_Abort on rank {} with code {}", gossamer::process(), code));
}

int MPI_Get_processor_name(char* name, int* length) {
  return call("MPI_Get_processor_name", MPI_COMM_WORLD, [&](engine&) {
    check_pointer(name, "the name");
    check_pointer(length, "the length");
    const auto self = gossamer::machine::identify(0);
    copy_text(name, MPI_MAX_PROCESSOR_NAME, self.host.data(), length);
  });
}

int MPI_Get_version(int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

double MPI_Wtime(void) {
  constexpr double k_ns = 1e-9;
  return static_cast<double>(gossamer::machine::now_ns()) * k_ns;
}

double MPI_Wtick(void) { return 1e-9; }

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  return call("MPI_Comm_rank", comm, [&](engine& e) {
    (void)e.number_of(comm);
    check_pointer(rank, "the rank");
    *rank = e.rank();
  });
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  return call("MPI_Comm_size", comm, [&](engine& e) {
    (void)e.number_of(comm);
    check_pointer(size, "the size");
    *size = e.size();
  });
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  return call("MPI_Comm_dup", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    check_pointer(made, "the new communicator");
    std::uint32_t number = e.rank() == 0 ? e.draw_number() : 0;
    collective(e, "MPI_Comm_dup", c).broadcast(reinterpret_cast<std::byte*>(&number), sizeof number, 0);
    if (number == 0) throw failure{MPI_ERR_NO_MEM, "a job makes at most a million communicators"};
    e.make(number, e.at(c).returns_errors);
    *made = handle_of(number);
  });
}

int MPI_Comm_free(MPI_Comm* comm) {
  return call("MPI_Comm_free", comm != nullptr ? *comm : MPI_COMM_NULL, [&](engine& e) {
    check_pointer(comm, "the communicator");
    const std::uint32_t c = e.number_of(*comm);
    if (c == 0) throw failure{MPI_ERR_COMM, "MPI_COMM_WORLD cannot be freed"};
    collective(e, "MPI_Comm_free", c).barrier();
    e.at(c).live = false;
    *comm = MPI_COMM_NULL;
  });
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return call("MPI_Comm_set_errhandler", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN)
      throw failure{MPI_ERR_ARG, "the handler is neither MPI_ERRORS_ARE_FATAL nor MPI_ERRORS_RETURN"};
    e.at(c).returns_errors = handler == MPI_ERRORS_RETURN;
  });
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  return call("MPI_Comm_get_errhandler", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    check_pointer(handler, "the handler");
    *handler = e.at(c).returns_errors ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL;
  });
}

int MPI_Error_class(int code, int* error_class) {
  *error_class = meaning_of_class(code) != nullptr ? code : MPI_ERR_UNKNOWN;
  return MPI_SUCCESS;
}

int MPI_Error_string(int code, char* text, int* length) {
  const char* const meaning = meaning_of_class(code);
  copy_text(text, MPI_MAX_ERROR_STRING,
            meaning != nullptr ? fmt::format("{}: {}", name_of_class(code), meaning)
                               : fmt::format("error {} is none of this subset", code),
            length);
  return meaning != nullptr ? MPI_SUCCESS : MPI_ERR_ARG;
}
