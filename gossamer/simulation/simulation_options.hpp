#pragma once
// The options of a simulation. As text: "processes=128 cores=16 network=qdr seed=7", words in any order: the
// format of GOSSAMER_SIMULATE and print().

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::simulation {

struct options {
  unsigned processes = 1;
  unsigned cores = 0;      // of each process; 0: value of GOSSAMER_CORES, else 1
  std::uint64_t seed = 1;  // of all choices
  std::string network = "loopback";  // a preset or a file (network.hpp)
  unsigned node =
      1;  // consecutive processes of a node, with lanes between their cores (fabric/node_lanes.hpp)
  unsigned lane_packets = 0;  // of the largest size, minimum of such a lane; 0: as in a real run
  enum class computing : std::uint8_t {
    fixed,    // fixed costs per switch, record, task, byte: reproducible to the bit
    measured  // measured computing time, times scale_percent / 100
  } compute = computing::fixed;
  std::uint64_t scale_percent = 100;
  std::string faults = "none";  // kinds of faults, comma-separated, or none, or all (faults.hpp)
  struct loss {
    unsigned process;
    std::uint64_t at_ns;
    bool operator==(const loss&) const = default;
  };
  std::optional<loss> lose;  // lose=P@T: process P is lost at time T (with a unit: 3@2ms)
  std::uint64_t until = std::numeric_limits<std::uint64_t>::max();  // choices from that number on are 0
  std::string trace;   // file for the trace
  std::string report;  // file to which a line about the run is appended at its end; -: standard error
  std::uint64_t window_bytes = std::uint64_t{64} << 30;  // common addresses of a process
  std::uint64_t most_ns = std::uint64_t{1} << 62;  // virtual time after which a run counts as hanging
  std::uint64_t most_steps = 20'000'000'000;  // most polls and resumptions of contexts: half an hour

  bool operator==(const options&) const = default;

  /// Replaces blanks by %20 and percent signs by %25, so that a value, such as the name of a file, is one word.
  static std::string escaped(std::string_view value);
  static std::string unescaped(std::string_view word);

  /// Parses the text. Throws gossamer::error that names an invalid word.
  static options parse(std::string_view text);
  /// Returns the options of GOSSAMER_SIMULATE; nothing if it is not set.
  static std::optional<options> from_environment();
  /// Returns the text from which parse() makes these options. Omits defaults, except `processes`.
  std::string print() const;
};

}  // namespace gossamer::simulation
