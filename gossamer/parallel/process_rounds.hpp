#pragma once
// Collectives of the processes of a job without their other cores: a barrier, and an all-gather of the parts
// of an array that has the same address everywhere. By one fiber on the first core of each process, in the
// same order in all of them.
//
// Algorithm: ceil(log2 P) rounds; in each, a process sends all parts that it has to another one [J. Bruck et
// al., "Efficient algorithms for all-to-all communications in multiport message-passing systems", 1997].
// Parts are written in place there.
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

/// One object in every process, at the same address (scoped_per_process).
class process_rounds {
 public:
  /// Suspends until every process has called it. No completion counts the messages.
  void meet() { run({}, {}); }
  /// Suspends until every process has the parts of all. Part p, the bytes [begins[p], begins[p + 1]) of
  /// `data`, comes from process p, or is in memory shared with it.
  void all_gather(std::byte* data, std::span<const std::uint64_t> begins) { run(data, begins); }

 private:
  static constexpr unsigned k_most_rounds = 16;  // processes are numbered by 16 bits

  static constexpr std::size_t k_chunk_bytes =
      7 << 10;  // sent at once: networks accept that many bytes without a rendezvous

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
