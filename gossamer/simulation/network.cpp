#include "gossamer/simulation/network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/simulation/internal/join.hpp"

namespace gossamer::simulation {
namespace {

constexpr std::uint64_t k_most = 1'000'000'000'000;

constexpr std::array<network_field, 17> k_fields{{
    {"latency_ns", &network::latency_ns, 1, "of an empty message, from one adapter to the other"},
    {"send_ns", &network::send_ns, 0, "of the core that sends, per message"},
    {"receive_ns", &network::receive_ns, 0, "of the core that receives, per message"},
    {"send_byte_ps", &network::send_byte_ps, 0, "of the core that sends, per byte"},
    {"receive_byte_ps", &network::receive_byte_ps, 0, "of the core that receives, per byte"},
    {"gap_ns", &network::gap_ns, 0, "least time between two messages of a process, in each direction"},
    {"process_byte_ps", &network::process_byte_ps, 0, "of a process's adapter, in each direction"},
    {"link_byte_ps", &network::link_byte_ps, 0, "of the way between two processes, in each direction"},
    {"rendezvous_bytes", &network::rendezvous_bytes, 0, "longer messages ask first (0: none does)"},
    {"poll_ns", &network::poll_ns, 1, "a look at the network that finds nothing"},
    {"detect_ns", &network::detect_ns, 0, "until the others notice that a process was lost"},
    {"local_packet_ns", &network::local_packet_ns, 0, "a packet from another core of the process"},
    {"local_byte_ps", &network::local_byte_ps, 0, "a byte from another core of the process"},
    {"look_ns", &network::look_ns, 1, "a look at what other cores publish"},
    {"wake_ns", &network::wake_ns, 1, "of a core that sleeps in the system"},
    {"yield_ns", &network::yield_ns, 1, "of a core to the system"},
    {"start_ns", &network::start_ns, 1, "of a thread"},
}};

struct sourced {
  std::uint64_t value;
  const char* source;
};

struct preset {
  const char* name;
  std::array<sourced, k_fields.size()> numbers;  // in the order of k_fields
};

// What is the same in all: cores of one process, and the system under them. "figures to beat" are those of
// the project's reference machine (2 processors, Zen 4), quoted in docs/performance/fibers.md.
constexpr sourced k_poll{50, "assumed: a test of a posted receive that finds nothing"};
constexpr sourced k_detect{10'000'000, "assumed: a closed connection is noticed within 10 ms"};
constexpr sourced k_local_packet{60, "measured here: two cache lines one way, cores near each other, 57 ns"};
constexpr sourced k_local_byte{50,
                               "computed: 20 GB/s; measured here 15 to 41 GB/s for 64 KiB from another core"};
constexpr sourced k_look{20, "assumed: a few loads that hit, one that may miss"};
constexpr sourced k_wake{17'000, "measured here: futex wake of an idle processor, 17 us"};
constexpr sourced k_yield{1'367, "measured here: two POSIX threads that yield to each other, 1,367 ns"};
constexpr sourced k_start{18'000, "measured here: a POSIX thread made and joined, 18 us"};

constexpr std::array<preset, 5> k_presets{{
    // 4x QDR InfiniBand, ConnectX-2 on PCI Express 2.0 x8: the machine of the papers.
    {"qdr",
     {{
         {1'300,
          "computed: half of a 3.9 us echo of 30 and 100 bytes between servers with such adapters "
          "(RAMCloud, clusterperf, 2018) less both overheads"},
         {300, "assumed: 300 ns at each end, of verbs and a progress engine on 2.1 to 2.9 GHz processors"},
         {300, "assumed: as send_ns"},
         {0, "the adapter reads memory by itself"},
         {0, "the adapter writes memory by itself"},
         {135,
          "computed: less than 7 % of 3.4 GB/s with 32-byte messages of all cores of a node "
          "(osu_mbw_mr in the evaluation of Grappa): 7.4 M messages/s"},
         {294,
          "published: 3.4 GB/s per node (osu_mbw_mr in the evaluation of Grappa), below the link's "
          "speed by PCI Express 2.0 x8"},
         {250, "computed: 4 lanes of 10 Gb/s with 8b/10b coding: 32 Gb/s"},
         {12'288, "published: eager limit of Open MPI's openib transport, 12 KiB"},
         k_poll,
         k_detect,
         k_local_packet,
         k_local_byte,
         k_look,
         k_wake,
         k_yield,
         k_start,
     }}},
    // 4x HDR InfiniBand, ConnectX-6.
    {"hdr",
     {{
         {660,
          "computed: 1.0 us from process to process less both overheads; published osu_latency with UCX "
          "on 100 Gb/s adapters of this family: 0.90 to 0.95 us"},
         {170,
          "computed: 5.95 M one-byte messages/s in both directions, one process (osu_bibw, ConnectX-6, "
          "UCX issue 7245): 336 ns to send one and receive one"},
         {170, "computed: as send_ns"},
         {0, "the adapter reads memory by itself"},
         {0, "the adapter writes memory by itself"},
         {5, "published: 390 M messages/s per switch port at 200 Gb/s; assumed: half of it from one adapter"},
         {47, "published: 21.3 GB/s (osu_bw, ConnectX-6 HDR, UCX issue 8851)"},
         {40, "published: 200 Gb/s per port"},
         {8'256, "assumed: the usual threshold of UCX between nodes, about 8 KiB"},
         k_poll,
         k_detect,
         k_local_packet,
         k_local_byte,
         k_look,
         k_wake,
         k_yield,
         k_start,
     }}},
    // HPE Slingshot 11, Cassini adapter.
    {"slingshot",
     {{
         {1'300, "computed: assumed 2.0 us from process to process less both overheads"},
         {350,
          "computed: 2.87 M one-byte messages/s in both directions, one process (osu_bibw, EPYC nodes of "
          "Olivia, EESSI blog 2025-09): 697 ns to send one and receive one"},
         {350, "computed: as send_ns"},
         {0, "the adapter reads memory by itself"},
         {0, "the adapter writes memory by itself"},
         {10, "assumed: 100 M messages/s of all cores of a node"},
         {43, "published: 46.6 GB/s in both directions (osu_bibw, EPYC nodes of Olivia, EESSI blog 2025-09)"},
         {40, "published: 200 Gb/s per port (ALCF, Aurora's interconnect)"},
         {16'384, "assumed: rendezvous from 16 KiB, not looked up"},
         k_poll,
         k_detect,
         k_local_packet,
         k_local_byte,
         k_look,
         k_wake,
         k_yield,
         k_start,
     }}},
    // 25 Gb/s Ethernet, TCP through the operating system.
    {"ethernet-25g",
     {{
         {10'000,
          "assumed: adapters, interrupts and one switch, 10 us; published osu_latency over TCP: 24.6 us on "
          "slower Ethernet; qperf between virtual machines: 35 us"},
         {2'600, "measured here: half of loopback TCP, 5.3 us from process to process (Open MPI)"},
         {2'700, "measured here: the other half"},
         {50, "assumed: one copy into the system at 20 GB/s"},
         {100, "assumed: one copy out of the system, from memory, at 10 GB/s"},
         {2'870,
          "published: 348,414 transactions/s at most (netperf TCP_RR, 25 Gb/s adapter of EC2, amzn-drivers "
          "issue 70)"},
         {340, "computed: 25 Gb/s with frames of 1,538 bytes for 1,448 of data: 2.94 GB/s"},
         {320, "published: 25 Gb/s per port"},
         {65'536, "published: eager limit of Open MPI's TCP transport, 64 KiB"},
         {1'000, "assumed: poll() on a few sockets"},
         k_detect,
         k_local_packet,
         k_local_byte,
         k_look,
         k_wake,
         k_yield,
         k_start,
     }}},
    // Processes on one machine, MPI through shared memory.
    {"loopback",
     {{
         {90, "measured here: 180 ns from process to process less both overheads (Open MPI, shared memory)"},
         {45, "measured here: half of 90 ns per message when streaming (Open MPI, shared memory)"},
         {45, "measured here: the other half"},
         {50, "computed: a copy into the segment, 20 GB/s; measured here 20 to 24 GB/s (triad, one thread)"},
         {50,
          "computed: a copy out of it, 20 GB/s; measured here 15 to 41 GB/s for 64 KiB from another core"},
         {90, "measured here: 90 ns per message when streaming (Open MPI, shared memory)"},
         {0, "cores copy: send_byte_ps and receive_byte_ps"},
         {0, "cores copy: send_byte_ps and receive_byte_ps"},
         {4'096, "published: eager limit of Open MPI's shared memory transport, 4 KiB"},
         k_poll,
         k_detect,
         k_local_packet,
         k_local_byte,
         k_look,
         k_wake,
         k_yield,
         k_start,
     }}},
}};

const preset* preset_named(std::string_view name) {
  const auto at =
      std::find_if(k_presets.begin(), k_presets.end(), [&](const preset& p) { return name == p.name; });
  return at == k_presets.end() ? nullptr : &*at;
}

network made_of(const preset& p) {
  network n{};
  n.name = p.name;
  for (std::size_t i = 0; i < k_fields.size(); ++i) n.*k_fields[i].value = p.numbers[i].value;
  return n;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blank = " \t\r";
  const std::size_t first = text.find_first_not_of(k_blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_blank) - first + 1);
}

std::string field_names() {
  std::vector<std::string_view> names;
  for (const network_field& f : k_fields) names.emplace_back(f.name);
  return join(names, ", ");
}

/// Reads a file's lines into a network; remembers which numbers have been given.
class reader {
 public:
  explicit reader(const std::string& file) : file_(file) { read_.name = file; }

  void line(unsigned number, std::string_view text) {
    number_ = number;
    text = trimmed(text.substr(0, text.find('#')));
    if (text.empty()) return;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) refuse("name = value", text);
    const std::string_view name = trimmed(text.substr(0, equals)), value = trimmed(text.substr(equals + 1));
    if (name == "like")
      like(value);
    else
      number_of(name, value);
  }

  network result() const {
    for (std::size_t i = 0; i < k_fields.size(); ++i)
      if (!given_[i] && !like_)
        throw error(
            fmt::format("{}: expected a line \"{} = ...\" or, for what is not given, \"like = qdr\", "
                        "found neither",
                        file_, k_fields[i].name));
    return read_;
  }

 private:
  [[noreturn]] void refuse(std::string_view expected, std::string_view found) const {
    throw error(fmt::format("{}:{}: expected {}, found {}", file_, number_, expected, in_quotes(found)));
  }

  void like(std::string_view value) {
    if (like_ || std::find(given_.begin(), given_.end(), true) != given_.end())
      refuse("\"like\" once and before all numbers", value);
    const preset* const p = preset_named(value);
    if (p == nullptr) refuse(fmt::format("one of {}", join(network_presets(), ", ")), value);
    read_ = made_of(*p);
    read_.name = file_;
    like_ = true;
  }

  void number_of(std::string_view name, std::string_view value) {
    const auto field = std::find_if(k_fields.begin(), k_fields.end(),
                                    [&](const network_field& f) { return name == f.name; });
    if (field == k_fields.end()) refuse(fmt::format("like or one of {}", field_names()), name);
    bool& given = given_[static_cast<std::size_t>(field - k_fields.begin())];
    if (given) refuse(fmt::format("{} once", field->name), value);
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc() || end != value.data() + value.size() || number < field->least ||
        number > k_most)
      refuse(fmt::format("a whole number from {} to {} for {}", field->least, k_most, field->name), value);
    read_.*field->value = number;
    given = true;
  }

  const std::string& file_;
  network read_{};
  std::array<bool, k_fields.size()> given_{};
  bool like_ = false;
  unsigned number_ = 0;
};

}  // namespace

std::span<const network_field> network_fields() { return k_fields; }

std::vector<std::string> network_presets() {
  std::vector<std::string> names;
  for (const preset& p : k_presets) names.emplace_back(p.name);
  return names;
}

std::string_view network_source(std::string_view preset, std::string_view field) {
  const auto* const p = preset_named(preset);
  for (std::size_t i = 0; p != nullptr && i < k_fields.size(); ++i)
    if (field == k_fields[i].name) return p->numbers[i].source;
  return {};
}

network find_network(const std::string& name_or_file) {
  if (const preset* const p = preset_named(name_or_file)) return made_of(*p);
  if (name_or_file.find_first_of("./") == std::string::npos)
    throw error(
        fmt::format("network: expected one of {}, or a file (with a dot or slash in its name), found {}",
                    join(network_presets(), ", "), in_quotes(name_or_file)));
  const machine::mapped_file file(name_or_file);
  return parse_network(file.text(), name_or_file);
}

network parse_network(std::string_view text, const std::string& name) {
  reader r(name);
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    r.line(number, text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return r.result();
}

std::string print(const network& n) {
  std::string text = fmt::format("# network {}: ns of nanoseconds, ps of picoseconds\n", n.name);
  const preset* const p = preset_named(n.name);
  for (std::size_t i = 0; i < k_fields.size(); ++i)
    text += fmt::format("{} = {}  # {}\n", k_fields[i].name, n.*k_fields[i].value,
                        p != nullptr ? p->numbers[i].source : k_fields[i].meaning);
  return text;
}

}  // namespace gossamer::simulation
