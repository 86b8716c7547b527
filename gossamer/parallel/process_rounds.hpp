#pragma once
// Where the processes of a job meet without their other cores: a barrier, and an all-gather of the parts of an array that has the same
// address everywhere. By one fiber on the first core of each process, in the same order in all of them.
//
// Algorithm: ceil(log2 P) rounds; in each a process sends another one all parts that it has [J. Bruck et al., "Efficient algorithms for
// all-to-all communications in multiport message-passing systems", 1997]. Parts go straight to their place there.
//
//   field      writes                    reads         protected by
//   all        handlers, the fiber       the fiber     one core: the first of the process
//
// A process may be one episode ahead of another one, never two: it cannot end an episode that another process has not begun. So two
// sets of counters are enough.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/parallel/core.hpp"

namespace gossamer::parallel {

/// One in every process, at the same address (scoped_per_process).
class process_rounds {
 public:
  /// Suspends until every process has come here. No completion counts the messages.
  void meet() { run({}, {}); }
  /// Suspends until every process has the parts of all. Part p, the bytes [begins[p], begins[p + 1]) from `data` on, comes from process p,
  /// or lies in memory in common with it.
  void all_gather(std::byte* data, std::span<const std::uint64_t> begins) { run(data, begins); }

 private:
  static constexpr unsigned k_most_rounds = 16;  // processes are numbered by 16 bits

  static constexpr std::size_t k_chunk_bytes =
      7 << 10;  // leave at once: networks send so many without asking first

  struct part_record;

  void run(std::byte* data, std::span<const std::uint64_t> begins);
  void send_part(core& self, unsigned to, unsigned round, unsigned part, std::span<std::byte> bytes);
  void wait_for(core& self, unsigned round, std::uint64_t expected);

  std::uint64_t episode_ = 0;
  std::size_t unsent_ = 0;  // bytes
  std::array<std::array<std::uint64_t, k_most_rounds>, 2> arrived_{};  // bytes, and one for each part
  fiber::fiber* waiter_ = nullptr;
};

}  // namespace gossamer::parallel
