#include "gossamer/parallel/internal/job_memory.hpp"

#include "gossamer/base/options.hpp"
#include "gossamer/fabric/lane.hpp"
#include "gossamer/fabric/packet_pool.hpp"
#include "gossamer/fabric/wire.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::parallel {

namespace {

// Measured: 65 KiB per core of one process, 150 KiB per core of several, 0.6 MiB per simulated process.
constexpr std::uint64_t k_objects_bytes = 64 << 10;  // of a core: rings, mailbox, thread, its signal stack
constexpr std::uint64_t k_program_bytes = 4 << 20, k_process_bytes = 256 << 10;
constexpr std::uint64_t k_first_packets = 4, k_first_fibers = 4;  // of a core
constexpr std::uint64_t k_wake_pages = 3;
constexpr std::uint64_t k_first_pages = 8;  // of a core: lanes, send buffers, packets on their way home
constexpr std::uint64_t k_first_arrivals = 8;  // wire packets that a process has received at once
constexpr std::uint64_t k_send_buffer_bytes = k_line_bytes;  // message::send_buffer

}  // namespace

job_memory memory_of(const job_options& o, unsigned processes) {
  const std::uint64_t page = machine::page_bytes();
  job_memory m;
  m.program = k_program_bytes;
  m.process = k_process_bytes;
  m.core = k_objects_bytes + k_wake_pages * page + k_first_fibers * 2 * page + k_first_pages * page +
           k_first_packets * o.packet_bytes;
  m.pair =
      sizeof(fabric::line_lane) +
      fabric::k_traffic_classes * (sizeof(fabric::lane) + k_send_buffer_bytes + sizeof(fabric::packet_batch));
  if (processes > 1) {
    constexpr std::uint64_t k_peer_bytes = 2 * k_line_bytes;  // wire::peer
    m.process += k_first_arrivals * o.wire_packet_bytes + k_peer_bytes * processes;
    m.core += o.wire_packet_bytes;
  }
  return m;
}

bool is_worth_asking(std::uint64_t bytes) {
  constexpr std::uint64_t k_small_bytes = 64 << 20;
  return bytes > k_small_bytes || options().text("GOSSAMER_MEMORY_LIMIT").has_value();
}

}  // namespace gossamer::parallel
