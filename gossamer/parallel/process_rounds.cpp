#include "gossamer/parallel/process_rounds.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/message/payload.hpp"

namespace gossamer::parallel {

/// A part, or a chunk of one, whose bytes follow.
struct process_rounds::part_record {
  process_rounds* at;
  std::byte* to;
  std::uint32_t bytes;
  std::uint16_t part;
  std::uint8_t set, round;
  std::uint32_t counts;

  static void run(const message::dispatch& d, std::byte* records, std::uint32_t count) {
    message::each_with_payload<part_record>(d, records, count,
                                            [](const part_record& r, const std::byte* payload) {
                                              if (r.bytes != 0 && !memory::lies_here(first_core(r.part)))
                                                std::memcpy(r.to, payload, r.bytes);
                                              process_rounds& mine = *r.at;
                                              mine.arrived_[r.set][r.round] += r.counts;
                                              if (mine.waiter_ != nullptr)
                                                core::here().wake(*std::exchange(mine.waiter_, nullptr));
                                            });
  }
};

void process_rounds::run(std::byte* data, std::span<const std::uint64_t> begins) {
  core& self = core::here();
  GOSSAMER_ASSERT(self.id() == first_core(process()), "processes meet on their first cores");
  ++episode_;
  const unsigned n = processes(), me = process();
  void* const outer = self.local();
  self.set_local(nullptr);  // the processes wait for one another: no completion has to count
  unsigned round = 0;
  for (unsigned distance = 1; distance < n; distance *= 2, ++round) {
    const unsigned to = (me + n - distance) % n, from = (me + distance) % n;
    const unsigned parts = std::min(distance, n - distance);
    std::uint64_t expected = 0;
    for (unsigned k = 0; k < parts; ++k) {
      const unsigned mine = (me + k) % n, theirs = (from + k) % n;
      if (begins.empty() && k > 0) break;
      std::span<std::byte> bytes;
      if (!begins.empty()) bytes = {data + begins[mine], begins[mine + 1] - begins[mine]};
      send_part(self, to, round, mine, bytes);
      expected += 1 + (begins.empty() ? 0 : begins[theirs + 1] - begins[theirs]);
    }
    unsent_ = 0;
    self.flush();
    wait_for(self, round, expected);
  }
  self.set_local(outer);
}

void process_rounds::send_part(core& self, unsigned to, unsigned round, unsigned part,
                               std::span<std::byte> bytes) {
  const std::size_t most = std::min(k_chunk_bytes, round_down(self.record_room() / 2, 64));
  std::uint32_t first = 1;
  do {
    const std::size_t some = std::min(most, bytes.size());
    std::byte* const at =
        self.issue_room<part_record>(first_core(to), message::payload_stride(sizeof(part_record), some), {});
    message::write_record<part_record>(
        at, this, bytes.data(), static_cast<std::uint32_t>(some), static_cast<std::uint16_t>(part),
        static_cast<std::uint8_t>(episode_ % 2), static_cast<std::uint8_t>(round),
        static_cast<std::uint32_t>(some + std::exchange(first, 0)));
    if (some != 0) std::memcpy(at + round_up(sizeof(part_record), 8), bytes.data(), some);
    bytes = bytes.subspan(some);
    if ((unsent_ += some) < k_chunk_bytes) continue;
    unsent_ = 0;
    self.flush();
  } while (!bytes.empty());
}

void process_rounds::wait_for(core& self, unsigned round, std::uint64_t expected) {
  std::uint64_t& arrived = arrived_[episode_ % 2][round];
  while (arrived < expected) {
    waiter_ = self.running();
    self.suspend("other processes");
  }
  GOSSAMER_ASSERT(arrived == expected, "a process has sent more than its parts");
  arrived = 0;
}

}  // namespace gossamer::parallel
