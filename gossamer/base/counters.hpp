#pragma once
// The counters of a core: plain integers, written by their core only, read by others
// after the core has stopped or at a phase boundary. `gossamer --stats` prints them.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace gossamer {

struct counters {
  std::uint64_t fibers_created = 0;    // stacks taken for the first time or reused
  std::uint64_t fibers_peak = 0;       // most fibers alive at once
  std::uint64_t stack_deepest =
      0;  // most bytes that a fiber has used of its stack (measured by statistics())
  std::uint64_t switches = 0;  // context switches
  std::uint64_t tasks = 0;  // tasks run
  std::uint64_t messages = 0;  // records issued
  std::uint64_t runs = 0;  // typed runs issued
  std::uint64_t packets = 0;  // packets sent (to itself included)
  std::uint64_t bytes = 0;  // payload bytes in those packets
  std::uint64_t packet_room = 0;  // capacity of those packets; bytes/packet_room is the fill
  std::uint64_t flush_full = 0;  // why packets left: full,
  std::uint64_t flush_idle = 0;  //   the core ran out of ready fibers,
  std::uint64_t flush_age = 0;  //   the oldest record had waited for flush_delay,
  std::uint64_t flush_request = 0;  //   a fiber waits
  std::uint64_t pool_waits = 0;  // times a fiber waited for a packet or for a slot of a lane
  std::uint64_t steals = 0;  // tasks or chunks of loops taken from another core
  std::uint64_t steal_attempts = 0;  // attempts to steal, successful or not
  std::uint64_t sleeps = 0;  // times the core went to sleep in the kernel
  std::uint64_t wakes_remote = 0;  // fibers woken from another core
  std::uint64_t handled = 0;  // records run for the core that issued them
  std::uint64_t received_bytes = 0;  // payload bytes in packets received
  std::uint64_t wire_packets = 0;  // packets given to the wire for other processes; also in `packets`
  std::uint64_t wire_joined =
      0;  // of these, packets merged into another one (at the first core of a process)
  std::uint64_t wire_bytes = 0;  // bytes in them, heads included
  std::uint64_t wire_room = 0;  // their capacity
  std::uint64_t combine_requests = 0;  // requests of structures that combine (combining/)
  std::uint64_t combine_commits = 0;  // batches committed; requests / commits is the gain of combining
  std::uint64_t combine_matched = 0;  // pairs that met on a core and needed no commit
  std::uint64_t combine_messages = 0;  // messages sent by commits
  std::uint64_t combine_bytes = 0;  //   and their bytes
  std::uint64_t combine_wait_ns = 0;  // from a batch's first request to its answer, summed over batches
  std::uint64_t work_ns =
      0;  // computing that the program declared (charge_work()): what a simulation charges
  std::uint64_t steals_of_1 = 0;  // times that one task or chunk was taken at once,
  std::uint64_t steals_of_2 = 0;  //   2 or 3,
  std::uint64_t steals_of_4 = 0;  //   4 to 7,
  std::uint64_t steals_of_8 = 0;  //   and so on
  std::uint64_t steals_of_16 = 0;
  std::uint64_t steals_of_32 = 0;
  std::uint64_t steals_of_64 = 0;
  std::uint64_t steals_of_128 = 0;  //   128 or more

  std::uint64_t idle_ns = 0;  // idle time: asleep, or polling without success (statistics() fills it in)

  /// Counts that n tasks, at least one, were taken at once. By the core that knows n: the thief inside a process, else the victim.
  void count_steal_of(std::uint64_t n) {
    constexpr std::array<std::uint64_t counters::*, 8> sizes{
        &counters::steals_of_1,  &counters::steals_of_2,  &counters::steals_of_4,  &counters::steals_of_8,
        &counters::steals_of_16, &counters::steals_of_32, &counters::steals_of_64, &counters::steals_of_128};
    ++(this->*sizes[std::min<std::size_t>(std::bit_width(n) - 1, sizes.size() - 1)]);
  }
};

/// Name and member of every counter, in print order.
struct counter_field {
  std::string_view name;
  std::uint64_t counters::* member;
};
inline constexpr std::array<counter_field, 41> k_counter_fields{{
    {"fibers_created", &counters::fibers_created},
    {"fibers_peak", &counters::fibers_peak},
    {"stack_deepest", &counters::stack_deepest},
    {"switches", &counters::switches},
    {"tasks", &counters::tasks},
    {"messages", &counters::messages},
    {"runs", &counters::runs},
    {"packets", &counters::packets},
    {"bytes", &counters::bytes},
    {"packet_room", &counters::packet_room},
    {"flush_full", &counters::flush_full},
    {"flush_idle", &counters::flush_idle},
    {"flush_age", &counters::flush_age},
    {"flush_request", &counters::flush_request},
    {"pool_waits", &counters::pool_waits},
    {"steals", &counters::steals},
    {"steal_attempts", &counters::steal_attempts},
    {"steals_of_1", &counters::steals_of_1},
    {"steals_of_2", &counters::steals_of_2},
    {"steals_of_4", &counters::steals_of_4},
    {"steals_of_8", &counters::steals_of_8},
    {"steals_of_16", &counters::steals_of_16},
    {"steals_of_32", &counters::steals_of_32},
    {"steals_of_64", &counters::steals_of_64},
    {"steals_of_128", &counters::steals_of_128},
    {"sleeps", &counters::sleeps},
    {"wakes_remote", &counters::wakes_remote},
    {"handled", &counters::handled},
    {"received_bytes", &counters::received_bytes},
    {"wire_packets", &counters::wire_packets},
    {"wire_joined", &counters::wire_joined},
    {"wire_bytes", &counters::wire_bytes},
    {"wire_room", &counters::wire_room},
    {"combine_requests", &counters::combine_requests},
    {"combine_commits", &counters::combine_commits},
    {"combine_matched", &counters::combine_matched},
    {"combine_messages", &counters::combine_messages},
    {"combine_bytes", &counters::combine_bytes},
    {"combine_wait_ns", &counters::combine_wait_ns},
    {"work_ns", &counters::work_ns},
    {"idle_ns", &counters::idle_ns},
}};

}  // namespace gossamer
