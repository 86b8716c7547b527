// The functions of mpi.h that send, receive and wait.
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/mpi/include/mpi.h"
#include "gossamer/mpi/internal/call.hpp"

namespace gossamer::mpi {
namespace {

void set_status(MPI_Status* status, int source, int tag, std::size_t bytes) {
  if (status == nullptr) return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  status->gossamer_bytes = static_cast<MPI_Count>(bytes);
}
/// Writes the status of a send.
void set_sent(MPI_Status* status) { set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0); }
/// Writes the status of a null request, whose error the standard gives, too.
void set_empty(MPI_Status* status) {
  set_sent(status);
  if (status != nullptr) status->MPI_ERROR = MPI_SUCCESS;
}
void set_status_of(const operation& op, MPI_Status* status) {
  if (op.receives)
    set_status(status, op.met.source, op.met.tag, op.got);
  else
    set_sent(status);
}

std::string too_long(const operation& op) {
  return fmt::format("a message of {} bytes from rank {}, tag {}, has come for a buffer of {} bytes", op.got,
                     op.met.source, op.met.tag, op.bytes);
}
void check_received(const operation& op) {
  if (op.error != MPI_SUCCESS) throw failure{op.error, too_long(op)};
}

std::span<const std::byte> bytes_at(const void* data, std::size_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}
std::span<std::byte> bytes_at(void* data, std::size_t bytes) {
  return {static_cast<std::byte*>(data), bytes};
}

/// Starts a message to or from no rank, which is done at once.
void start_null(operation& op, const char* name, bool receives) {
  op.call = name;
  op.receives = receives;
  op.error = MPI_SUCCESS;
  op.what = {};
  op.met = {0, MPI_PROC_NULL, MPI_ANY_TAG};
  op.got = 0;
  op.at = progress::done;
}

void start_send(engine& e, operation& op, const char* name, std::uint32_t comm, int to, int tag,
                const void* data, std::size_t bytes) {
  if (to == MPI_PROC_NULL) return start_null(op, name, false);
  e.send(op, name, 2 * comm, to, tag, bytes_at(data, bytes));
}

void start_receive(engine& e, operation& op, const char* name, std::uint32_t comm, int from, int tag,
                   void* into, std::size_t bytes) {
  if (from == MPI_PROC_NULL) return start_null(op, name, true);
  e.receive(op, name, 2 * comm, from, tag, bytes_at(into, bytes));
}

/// Returns the communicator of a request, for its error handler.
MPI_Comm comm_of(const operation& op) {
  return reinterpret_cast<MPI_Comm>(std::uintptr_t{op.what.context / 2} + 1);
}

/// Ends a request that is done: its status is written, its handle becomes null. Returns its error.
int finish(engine& e, MPI_Request& handle, operation& op, MPI_Status* status) {
  set_status_of(op, status);
  const int error = op.error;
  e.close(handle);
  handle = MPI_REQUEST_NULL;
  return error;
}

/// Reports an error of a request to its own communicator.
void fail_request(engine& e, const char* name, const operation& op) {
  if (op.error != MPI_SUCCESS) (void)report(e, name, comm_of(op), {op.error, too_long(op)});
}

/// Calls one(i) for every request of a list and gathers their errors. The statuses hold them where there is one.
template <class One>
void for_all(engine& e, const char* name, int count, MPI_Status* statuses, One one) {
  const auto error_of = [&](int i) {
    try {
      return one(i, statuses != nullptr ? statuses + i : nullptr);
    } catch (const failure& what) {  // no such request
      return report(e, name, MPI_COMM_WORLD, what);
    }
  };
  bool failed = false;
  for (int i = 0; i < count; ++i) {
    const int error = error_of(i);
    if (error != MPI_SUCCESS && !std::exchange(failed, true) && statuses != nullptr)
      for (int before = 0; before < i; ++before) statuses[before].MPI_ERROR = MPI_SUCCESS;
    if (failed && statuses != nullptr) statuses[i].MPI_ERROR = error;
  }
  if (failed) throw returned{MPI_ERR_IN_STATUS};
}

/// Lets the other fibers run: for calls that have nothing to look for, of which a program may make a loop.
void let_others_run() { fiber::scheduler::current()->yield(); }

/// Returns whether a request has nothing to wait for: it is done, null, or one that find() or test() refuses.
bool is_over(engine& e, MPI_Request request) {
  try {
    return request == MPI_REQUEST_NULL || e.test(e.find(request), false);
  } catch (const failure&) {
    return true;
  }
}

void check_list(int count, const MPI_Request* requests) {
  check_count(count);
  if (count > 0) check_pointer(requests, "the list of requests");
}

}  // namespace
}  // namespace gossamer::mpi

using namespace gossamer::mpi;

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return call("MPI_Send", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = bytes_of(data, count, type);
    check_tag(tag, false);
    check_rank(e, to, false);
    if (to != MPI_PROC_NULL && e.send_at_once(2 * c, to, tag, bytes_at(data, bytes))) return;
    operation op;
    start_send(e, op, "MPI_Send", c, to, tag, data, bytes);
    e.wait(op);
  });
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return call("MPI_Recv", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = bytes_of(data, count, type);
    check_tag(tag, true);
    check_rank(e, from, true);
    operation op;
    start_receive(e, op, "MPI_Recv", c, from, tag, data, bytes);
    e.wait(op);
    set_status_of(op, status);
    check_received(op);
  });
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return call("MPI_Isend", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    check_pointer(request, "the request");
    const std::size_t bytes = bytes_of(data, count, type);
    check_tag(tag, false);
    check_rank(e, to, false);
    start_send(e, e.open(*request), "MPI_Isend", c, to, tag, data, bytes);
  });
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return call("MPI_Irecv", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    check_pointer(request, "the request");
    const std::size_t bytes = bytes_of(data, count, type);
    check_tag(tag, true);
    check_rank(e, from, true);
    start_receive(e, e.open(*request), "MPI_Irecv", c, from, tag, data, bytes);
  });
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into, int into_count,
                 MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm, MPI_Status* status) {
  return call("MPI_Sendrecv", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = bytes_of(data, count, type), room = bytes_of(into, into_count, into_type);
    check_tag(tag, false);
    check_tag(from_tag, true);
    check_rank(e, to, false);
    check_rank(e, from, true);
    operation out, in;
    start_receive(e, in, "MPI_Sendrecv", c, from, from_tag, into, room);
    start_send(e, out, "MPI_Sendrecv", c, to, tag, data, bytes);
    e.wait(in);
    e.wait(out);
    set_status_of(in, status);
    check_received(in);
  });
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return call("MPI_Wait", MPI_COMM_WORLD, [&](engine& e) {
    check_pointer(request, "the request");
    if (*request == MPI_REQUEST_NULL) return set_empty(status);
    operation& op = e.find(*request);
    e.wait(op);
    fail_request(e, "MPI_Wait", op);
    if (const int error = finish(e, *request, op, status); error != MPI_SUCCESS) throw returned{error};
  });
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return call("MPI_Test", MPI_COMM_WORLD, [&](engine& e) {
    check_pointer(request, "the request");
    check_pointer(flag, "the flag");
    *flag = 1;
    if (*request == MPI_REQUEST_NULL) {
      let_others_run();
      return set_empty(status);
    }
    const MPI_Request handle = *request;
    operation& op = e.find(handle);
    *flag = e.test(op) ? 1 : 0;
    (void)e.find(handle);  // other fibers ran: one may have completed it
    if (*flag == 0) return;
    fail_request(e, "MPI_Test", op);
    if (const int error = finish(e, *request, op, status); error != MPI_SUCCESS) throw returned{error};
  });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return call("MPI_Waitall", MPI_COMM_WORLD, [&](engine& e) {
    check_list(count, requests);
    for_all(e, "MPI_Waitall", count, statuses, [&](int i, MPI_Status* status) {
      if (requests[i] == MPI_REQUEST_NULL) {
        set_empty(status);
        return MPI_SUCCESS;
      }
      operation& op = e.find(requests[i]);
      e.wait(op);
      fail_request(e, "MPI_Waitall", op);
      return finish(e, requests[i], op, status);
    });
  });
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return call("MPI_Testall", MPI_COMM_WORLD, [&](engine& e) {
    check_list(count, requests);
    check_pointer(flag, "the flag");
    *flag = 0;
    let_others_run();
    for (int i = 0; i < count; ++i)
      if (!is_over(e, requests[i])) return;
    *flag = 1;
    for_all(e, "MPI_Testall", count, statuses, [&](int i, MPI_Status* status) {
      if (requests[i] == MPI_REQUEST_NULL) {
        set_empty(status);
        return MPI_SUCCESS;
      }
      operation& op = e.find(requests[i]);
      (void)e.test(op, false);  // throws where another fiber waits for it
      fail_request(e, "MPI_Testall", op);
      return finish(e, requests[i], op, status);
    });
  });
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return call("MPI_Probe", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    check_tag(tag, true);
    check_rank(e, from, true);
    if (from == MPI_PROC_NULL) return set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    const message_kept& m = e.probe("MPI_Probe", {2 * c, from, tag});
    set_status(status, m.what.source, m.what.tag, m.bytes);
  });
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return call("MPI_Iprobe", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    check_tag(tag, true);
    check_rank(e, from, true);
    check_pointer(flag, "the flag");
    *flag = 1;
    if (from == MPI_PROC_NULL) {
      let_others_run();
      return set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    }
    const message_kept* const m = e.look({2 * c, from, tag});
    *flag = m != nullptr ? 1 : 0;
    if (m != nullptr) set_status(status, m->what.source, m->what.tag, m->bytes);
  });
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  return call("MPI_Get_count", MPI_COMM_WORLD, [&](engine&) {
    check_pointer(status, "the status");
    check_pointer(count, "the count");
    const auto size = static_cast<MPI_Count>(size_of(type));
    const MPI_Count whole = status->gossamer_bytes / size;
    *count =
        status->gossamer_bytes % size != 0 || whole > 0x7fffffff ? MPI_UNDEFINED : static_cast<int>(whole);
  });
}

int MPI_Type_size(MPI_Datatype type, int* bytes) {
  return call("MPI_Type_size", MPI_COMM_WORLD, [&](engine&) {
    check_pointer(bytes, "the size");
    *bytes = static_cast<int>(size_of(type));
  });
}
