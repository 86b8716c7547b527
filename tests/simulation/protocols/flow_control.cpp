// Flow control: floods with next to no packets, or with fewer credits than packets, directly and over a grid,
// with payloads of all sizes and calls that are answered at length. Everything arrives, once and whole, and
// nothing comes to a stop.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

constexpr unsigned k_most_cores = 16;
constexpr message_tag k_large = 0x71;

struct traffic_count {
  std::uint64_t messages = 0, bytes = 0, sum = 0;
  bool operator==(const traffic_count&) const = default;
};
using traffic_table = std::array<std::array<traffic_count, k_most_cores>, k_most_cores>;
traffic_table sent, come;

/// Returns a byte of a payload. A quarter of the keys give what looks like the marks of packets in lanes between processes
/// (fabric/node_lane.hpp), of one of the first laps.
std::byte byte_of(std::uint64_t key, std::size_t i) {
  constexpr unsigned k_laps = 16;
  if (key % 4 == 0) return i % 2 == 0 ? static_cast<std::byte>((key >> 2) % k_laps << 2 | 1) : std::byte{0};
  return static_cast<std::byte>(key >> (i % 8 * 7)) ^ static_cast<std::byte>(i);
}

void arrived(core_id from, std::uint64_t key, std::span<const std::byte> data) {
  traffic_count& c = come[from][here()];
  ++c.messages;
  c.bytes += data.size();
  c.sum += key;
  bool whole = true;
  for (std::size_t i = 0; i < data.size(); ++i) whole &= data[i] == byte_of(key, i);
  complain_unless(whole, "flow control: a payload of {} bytes from core {} has changed", data.size(), from);
}

void send_payload(core_id to, std::uint64_t key, std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = byte_of(key, i);
  traffic_count& c = sent[here()][to];
  ++c.messages;
  c.bytes += bytes;
  c.sum += key;
  async_on(to, [from = here(), key](std::span<const std::byte> got) { arrived(from, key, got); }, data);
}

struct long_answer {
  std::array<std::uint64_t, 60> words;
};

void ask(core_id to, std::uint64_t key) {
  traffic_count& c = sent[here()][to];
  ++c.messages;
  c.sum += key;
  const long_answer a = call_on(to, [from = here(), key] {
    arrived(from, key, {});
    long_answer answer{};
    for (std::size_t i = 0; i < answer.words.size(); ++i) answer.words[i] = hash64(key, i);
    return answer;
  });
  for (std::size_t i = 0; i < a.words.size(); ++i)
    complain_unless(a.words[i] == hash64(key, i), "flow control: an answer has changed");
}

/// Sends one fiber's part: everything to core `target`, or to any where there is no such core.
void flood(std::uint64_t key, unsigned messages, core_id target) {
  constexpr std::size_t k_sizes[] = {0, 8, 40, 300, 900, 1500, 3000, 7000};
  draws d(key);
  for (unsigned i = 0; i < messages; ++i) {
    const core_id to = target < cores() ? target : d.below(cores());
    if (d.one_in(5))
      ask(to, d.next());
    else
      send_payload(to, d.next(), d.of(k_sizes));
    if (d.one_in(16)) dawdle(d);
  }
}

/// Sends a large message to the core some steps on, and receives one from as far back: data that has been granted goes beside the
/// floods.
void exchange(std::uint64_t key, unsigned steps) {
  const core_id to = (here() + steps) % cores(), from = (here() + cores() - steps % cores()) % cores();
  const std::size_t bytes = 1000 + hash64(key, 1) % 30'000;
  std::vector<std::byte> out(bytes), in(bytes);
  for (std::size_t i = 0; i < bytes; ++i) out[i] = byte_of(key + here(), i);
  request come, gone;
  ireceive(come, from, k_large, in);
  isend(gone, to, k_large, out);
  gone.wait();
  come.wait();
  bool whole = come.bytes() == bytes;
  for (std::size_t i = 0; i < bytes; ++i) whole &= in[i] == byte_of(key + from, i);
  complain_unless(whole, "flow control: a message of {} bytes from core {} has changed", bytes, from);
}

void run(draws& d) {
  sent = come = {};
  const unsigned fibers = 1 + d.below(5);
  const unsigned messages = std::max(4U, 360 / (fibers * cores()));
  const core_id target = d.one_in(2) ? d.below(cores()) : k_most_cores;
  const unsigned steps = d.one_in(2) ? 1 + d.below(cores()) : 0;
  on_all_cores([key = d.next(), fibers, messages, target, steps] {
    if (steps != 0) spawn([key, steps] { exchange(key, steps); });
    for (unsigned f = 0; f < fibers; ++f)
      spawn([key = hash64(key, here() * 64 + f), messages, target] { flood(key, messages, target); });
  });
  for (core_id from = 0; from < cores(); ++from)
    for (core_id to = 0; to < cores(); ++to)
      complain_unless(
          sent[from][to] == come[from][to],
          "flow control: {} messages of {} bytes from core {} to {}, of which {} with {} have come",
          sent[from][to].messages, sent[from][to].bytes, from, to, come[from][to].messages,
          come[from][to].bytes);
}

void check() { complain_unless(sent == come, "flow control: something came after the end"); }

void prepare(job_options& o, draws& d) {
  constexpr shape k_shapes[] = {{1, 2}, {1, 4}, {2, 1}, {2, 2}, {2, 4},
                                {3, 2}, {4, 1}, {5, 1}, {6, 1}, {9, 1}};
  give(o, d.of(k_shapes));
  o.routes = d.one_in(2) ? routing::grid : routing::direct;
  o.packet_bytes = 2048;
  o.wire_packet_bytes = std::size_t{4096} << d.below(2);
  o.payload_bytes_in_flight = d.one_in(2) ? 1 : 20'000;
  if (d.one_in(2)) {  // few packets
    o.packets = 1 + d.below(3);
    o.wire_packets = 4;
  } else {  // more than there are credits
    without(o, simulation::fault::pools);
    o.packets = 64;
    o.wire_packets = 64;
    constexpr shape k_many[] = {{9, 1}, {3, 4}, {2, 4}, {6, 2}, {12, 1}, {4, 3}};
    give(o, d.of(k_many));
  }
}

}  // namespace

const protocol flow_control{"flow_control", &prepare, &run, &check};

}  // namespace gossamer::test
