#include "gossamer/mpi/internal/call.hpp"

#include <array>
#include <cstdint>

#include "gossamer/machine/standard_error.hpp"

namespace gossamer::mpi {

void refuse_caller(const char* name) {
  end_job(fmt::format("{}: called outside of the fibers of a program that gossamer-mpicc has built", name));
}

int report(engine& e, const char* name, MPI_Comm comm, const failure& f) {
  if (e.returns_errors(comm) && f.error_class != MPI_ERR_OTHER) return f.error_class;
  const auto handle = reinterpret_cast<std::uintptr_t>(comm);
  const std::string where = handle == 0 || f.error_class == MPI_ERR_COMM
                                ? ""
                                : ", " + engine::name_of(static_cast<std::uint32_t>(handle - 1));
  end_job(
      fmt::format("{} on rank {}{}: {} ({})", name, process(), where, f.what, name_of_class(f.error_class)));
}

void refuse_count(int count) { throw failure{MPI_ERR_COUNT, fmt::format("the count is {}", count)}; }

void refuse_tag(int tag, bool of_receive) {
  throw failure{MPI_ERR_TAG, fmt::format("tag {} is out of range: expected 0 to {}{}", tag,
                                         MPI_TAG_UPPER_BOUND, of_receive ? " or MPI_ANY_TAG" : "")};
}

void refuse_rank(const engine& e, int rank) {
  throw failure{MPI_ERR_RANK, fmt::format("rank {} is out of range: the communicator has {} rank{}", rank,
                                          e.size(), e.size() == 1 ? "" : "s")};
}

void check_root(const engine& e, int root) {
  if (root < 0 || root >= e.size())
    throw failure{MPI_ERR_ROOT, fmt::format("root {} is out of range: the communicator has {} rank{}", root,
                                            e.size(), e.size() == 1 ? "" : "s")};
}

void refuse_buffer() { throw failure{MPI_ERR_BUFFER, "the buffer is a null pointer"}; }

std::size_t size_of(MPI_Datatype type) {
  static constexpr std::array<std::uint8_t, 24> k_sizes = {0,
                                                           1,
                                                           1,
                                                           1,
                                                           1,
                                                           sizeof(short),
                                                           sizeof(short),
                                                           sizeof(int),
                                                           sizeof(int),
                                                           sizeof(long),
                                                           sizeof(long),
                                                           sizeof(long long),
                                                           sizeof(long long),
                                                           sizeof(float),
                                                           sizeof(double),
                                                           sizeof(long double),
                                                           1,
                                                           2,
                                                           4,
                                                           8,
                                                           1,
                                                           2,
                                                           4,
                                                           8};
  const auto handle = reinterpret_cast<std::uintptr_t>(type);
  if (handle == 0) throw failure{MPI_ERR_TYPE, "the data type is MPI_DATATYPE_NULL"};
  if (handle >= k_sizes.size())
    throw failure{MPI_ERR_TYPE, fmt::format("{:#x} is no data type of this subset", handle)};
  return k_sizes[handle];
}

}  // namespace gossamer::mpi
