#pragma once
// What to simulate. As text: "processes=128 cores=16 network=qdr seed=7", words in any order, which is what
// GOSSAMER_SIMULATE holds and print() gives back.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::simulation {

struct options {
  unsigned processes = 1;
  unsigned cores = 0;      // of each process; 0: what GOSSAMER_CORES says, else 1
  std::uint64_t seed = 1;  // of all choices
  std::string network = "loopback";  // a preset or a file (network.hpp)
  unsigned node =
      1;  // processes of a node, side by side: lanes lead between their cores (fabric/node_lanes.hpp)
  unsigned lane_packets =
      0;  // of the largest size, that such a lane holds at least; 0: as many as in a real run
  enum class computing : std::uint8_t {
    fixed,    // set costs per switch, record, task, byte: repeatable to the bit
    measured  // the time really used, times scale_percent / 100
  } compute = computing::fixed;
  std::uint64_t scale_percent = 100;
  std::string faults = "none";  // kinds of trouble, comma-separated, or none, or all (faults.hpp)
  struct loss {
    unsigned process;
    std::uint64_t at_ns;
    bool operator==(const loss&) const = default;
  };
  std::optional<loss> lose;  // lose=P@T: process P is lost at time T (with a unit: 3@2ms)
  std::uint64_t until = std::numeric_limits<std::uint64_t>::max();  // choices from that number on are 0
  std::string trace;   // file for the time line
  std::string report;  // file to which a line about the run is added at its end; -: standard error
  std::uint64_t window_bytes = std::uint64_t{64} << 30;  // common addresses of a process
  std::uint64_t most_ns = std::uint64_t{1} << 62;  // virtual time after which a run counts as one that hangs
  std::uint64_t most_steps = 20'000'000'000;  // and times that a core looked about or went on: half an hour

  bool operator==(const options&) const = default;

  /// Throws gossamer::error that names the word which makes no sense.
  static options parse(std::string_view text);
  /// Returns the options of GOSSAMER_SIMULATE; nothing where that is not set.
  static std::optional<options> from_environment();
  /// Returns the text that parse() makes this of. Leaves out what is as by default, except `processes`.
  std::string print() const;
};

}  // namespace gossamer::simulation
