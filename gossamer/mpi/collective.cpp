// The collective functions of mpi.h.
#include <cstddef>
#include <cstring>
#include <memory>

#include "gossamer/mpi/include/mpi.h"
#include "gossamer/mpi/internal/call.hpp"
#include "gossamer/mpi/internal/collective.hpp"

namespace gossamer::mpi {
namespace {

const std::byte* at(const void* data) { return static_cast<const std::byte*>(data); }
std::byte* at(void* data) { return static_cast<std::byte*>(data); }
bool in_place(const void* data) { return data == MPI_IN_PLACE; }

/// Returns the bytes of a block that both sides name.
std::size_t same_block(const void* data, int count, MPI_Datatype type, const void* into, int into_count,
                       MPI_Datatype into_type) {
  const std::size_t room = bytes_of(into, into_count, into_type);
  if (in_place(data)) return room;
  if (bytes_of(data, count, type) != room)
    throw failure{MPI_ERR_TRUNCATE, "a block that is sent and one that is received differ in size"};
  return room;
}

void copy(std::byte* into, const void* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(into, from, bytes);
}

}  // namespace
}  // namespace gossamer::mpi

using namespace gossamer::mpi;

int MPI_Barrier(MPI_Comm comm) {
  return call("MPI_Barrier", comm,
              [&](engine& e) { collective(e, "MPI_Barrier", e.number_of(comm)).barrier(); });
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return call("MPI_Bcast", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = bytes_of(data, count, type);
    check_root(e, root);
    collective(e, "MPI_Bcast", c).broadcast(at(data), bytes, root);
  });
}

int MPI_Reduce(const void* data, void* into, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  return call("MPI_Reduce", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = bytes_of(data, count, type);
    check_root(e, root);
    const combiner with = combiner_of(op, type);
    const bool is_root = e.rank() == root;
    if (is_root) check_buffer(into, bytes);
    if (!is_root && in_place(data)) throw failure{MPI_ERR_BUFFER, "MPI_IN_PLACE is for the root"};
    const std::unique_ptr<std::byte[]> own(is_root ? nullptr : new std::byte[bytes]);
    std::byte* const result = is_root ? at(into) : own.get();
    if (!in_place(data)) copy(result, data, bytes);
    collective(e, "MPI_Reduce", c).reduce(result, static_cast<std::size_t>(count), size_of(type), with, root);
  });
}

int MPI_Allreduce(const void* data, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return call("MPI_Allreduce", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = bytes_of(data, count, type);
    check_buffer(into, bytes);
    const combiner with = combiner_of(op, type);
    if (!in_place(data)) copy(at(into), data, bytes);
    collective(e, "MPI_Allreduce", c)
        .reduce_to_all(at(into), static_cast<std::size_t>(count), size_of(type), with);
  });
}

int MPI_Gather(const void* data, int count, MPI_Datatype type, void* into, int into_count,
               MPI_Datatype into_type, int root, MPI_Comm comm) {
  return call("MPI_Gather", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    check_root(e, root);
    const bool is_root = e.rank() == root;
    if (!is_root && in_place(data)) throw failure{MPI_ERR_BUFFER, "MPI_IN_PLACE is for the root"};
    const std::size_t bytes =
        is_root ? same_block(data, count, type, into, into_count, into_type) : bytes_of(data, count, type);
    collective(e, "MPI_Gather", c).gather(in_place(data) ? nullptr : at(data), at(into), bytes, root);
  });
}

int MPI_Allgather(const void* data, int count, MPI_Datatype type, void* into, int into_count,
                  MPI_Datatype into_type, MPI_Comm comm) {
  return call("MPI_Allgather", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = same_block(data, count, type, into, into_count, into_type);
    if (!in_place(data)) copy(at(into) + static_cast<std::size_t>(e.rank()) * bytes, data, bytes);
    collective(e, "MPI_Allgather", c).gather_to_all(at(into), bytes);
  });
}

int MPI_Alltoall(const void* data, int count, MPI_Datatype type, void* into, int into_count,
                 MPI_Datatype into_type, MPI_Comm comm) {
  return call("MPI_Alltoall", comm, [&](engine& e) {
    const std::uint32_t c = e.number_of(comm);
    const std::size_t bytes = same_block(data, count, type, into, into_count, into_type);
    const std::size_t all = bytes * static_cast<std::size_t>(e.size());
    const std::unique_ptr<std::byte[]> kept(in_place(data) ? new std::byte[all] : nullptr);
    if (kept != nullptr) copy(kept.get(), into, all);
    collective(e, "MPI_Alltoall", c).exchange(kept != nullptr ? kept.get() : at(data), at(into), bytes);
  });
}
