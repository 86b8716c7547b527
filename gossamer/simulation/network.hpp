#pragma once
// The parameters of a network, in the terms of LogGP (Alexandrov, Ionescu, Schauser, Scheiman, SPAA 1995):
// latency, processor overhead at both ends, gap between messages, time per byte; the last two for each
// process and for each pair. Integers only: nanoseconds, and picoseconds per byte. Also the costs between the
// cores of one process, and those of system calls. Presets document the source of every number. A file has
// lines "name = value", # for comments, and may begin with a preset ("like = qdr").

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::simulation {

struct network {
  std::string name;

  // between processes
  std::uint64_t latency_ns;  // of an empty message, from adapter to adapter
  std::uint64_t send_ns;  // of the core that sends, per message
  std::uint64_t receive_ns;  // of the core that receives, per message
  std::uint64_t send_byte_ps;  // the same per byte (copies)
  std::uint64_t receive_byte_ps;
  std::uint64_t gap_ns;  // minimum time between two messages of a process, in each direction
  std::uint64_t process_byte_ps;  // of a process's adapter, in each direction
  std::uint64_t link_byte_ps;  // between two processes, in each direction
  std::uint64_t rendezvous_bytes;  // longer messages need a round trip first; 0: none does
  std::uint64_t poll_ns;  // a poll that finds nothing
  std::uint64_t detect_ns;  // until the others detect the loss of a process

  // inside a process
  std::uint64_t local_packet_ns;  // a packet from another core: transfer of its cache lines
  std::uint64_t local_byte_ps;
  std::uint64_t look_ns;  // a poll of data that others publish, which finds nothing
  std::uint64_t wake_ns;  // of a core that sleeps in a system call
  std::uint64_t yield_ns;  // of a system call that yields
  std::uint64_t start_ns;  // of a thread

  /// Returns the time per byte from end to end: the larger one of adapter and link.
  std::uint64_t byte_ps() const { return process_byte_ps > link_byte_ps ? process_byte_ps : link_byte_ps; }

  bool operator==(const network&) const = default;
};

struct network_field {
  const char* name;
  std::uint64_t network::* value;
  std::uint64_t least;
  const char* meaning;
};

/// Returns all numbers of a network, in the order of print().
std::span<const network_field> network_fields();

/// Names of the presets.
std::vector<std::string> network_presets();

/// Returns the source of a preset's number: published, measured, computed from others, or assumed.
std::string_view network_source(std::string_view preset, std::string_view field);

/// Returns a preset, or the network in the file of that name. Throws gossamer::error.
network find_network(const std::string& name_or_file);

/// Parses the text of a file. `name` is for errors: "my.net:3: expected ...".
network parse_network(std::string_view text, const std::string& name);

/// Returns the text of a file that describes this network, with sources if it is a preset.
std::string print(const network& n);

/// Returns the nanoseconds that so many bytes take at so many picoseconds each, rounded up.
constexpr std::uint64_t time_of(std::uint64_t bytes, std::uint64_t byte_ps) {
  return (bytes * byte_ps + 999) / 1000;
}

}  // namespace gossamer::simulation
