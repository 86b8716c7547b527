#pragma once
// One collective call: its messages go in a context of their own, under the number of the call, so that they meet no others.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gossamer/mpi/internal/engine.hpp"

namespace gossamer::mpi {

/// Combines `count` elements: into[i] = from[i] op into[i]. The result has the same bits where from and into change places.
using combiner = void (*)(const std::byte* from, std::byte* into, std::size_t count);

class collective {
 public:
  collective(engine& e, const char* call, std::uint32_t communicator)
      : e_(e),
        call_(call),
        context_(2 * communicator + 1),
        tag_(static_cast<int>(e.at(communicator).collectives++ & MPI_TAG_UPPER_BOUND)) {}

  /// Waits for all ranks: dissemination in log2 P rounds.
  void barrier();
  /// Sends the root's data along a binomial tree.
  void broadcast(std::byte* data, std::size_t bytes, int root);
  /// Combines along a binomial tree to the root, whose `data` holds the result; that of others is overwritten.
  void reduce(std::byte* data, std::size_t count, std::size_t element, combiner with, int root);
  /// Combines by recursive doubling where the number of ranks is a power of two; else reduces and broadcasts. Every rank gets the
  /// same bits: at each step partners combine the same two values, and with() does not tell which comes first.
  void reduce_to_all(std::byte* data, std::size_t count, std::size_t element, combiner with);
  /// Sends every rank's block to the root. own: null where it lies in place.
  void gather(const std::byte* own, std::byte* all, std::size_t bytes, int root);
  /// Blocks travel around the ring; this rank's lies in place.
  void gather_to_all(std::byte* all, std::size_t bytes);
  /// Exchanges all blocks at once.
  void exchange(const std::byte* from, std::byte* into, std::size_t bytes);

 private:
  void start_send(operation& op, int to, std::span<const std::byte> data) {
    e_.send(op, call_, context_, to, tag_, data);
  }
  void start_receive(operation& op, int from, std::span<std::byte> into) {
    e_.receive(op, call_, context_, from, tag_, into);
  }
  /// Waits for an operation and notes the first failure: other operations of the call may be open.
  void finish(operation& op, std::size_t expected);
  /// Throws it. After the end of all operations that were started.
  void check() const;
  void send(int to, std::span<const std::byte> data);
  void receive(int from, std::span<std::byte> into);
  void swap(int to, std::span<const std::byte> data, int from, std::span<std::byte> into);

  engine& e_;
  const char* call_;
  std::uint32_t context_;
  int tag_;
  std::optional<failure> failed_;
};

/// Returns the combiner of an operation and a type; throws failure where there is none.
combiner combiner_of(MPI_Op op, MPI_Datatype type);

}  // namespace gossamer::mpi
