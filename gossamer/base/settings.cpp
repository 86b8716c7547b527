#include "gossamer/base/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/nearest.hpp"
#include "gossamer/base/units.hpp"

extern char** environ;  // POSIX

namespace gossamer {
namespace {

constexpr std::string_view k_prefix = "GOSSAMER_";
constexpr std::uint64_t k_any = std::numeric_limits<std::uint64_t>::max();

using kind = setting::kind;

setting number(std::string_view name, std::uint64_t least, std::uint64_t most) {
  return {.name = name, .holds = kind::number, .least = least, .most = most};
}

setting bytes(std::string_view name, std::uint64_t least, std::uint64_t most) {
  return {.name = name, .holds = kind::bytes, .least = least, .most = most};
}

setting choice(std::string_view name, std::vector<std::string_view> choices) {
  return {.name = name, .holds = kind::choice, .choices = std::move(choices)};
}

setting text(std::string_view name, setting::reader read_by = setting::reader::job) {
  return {.name = name, .read_by = read_by};
}

std::vector<setting> make_table() {
  using enum setting::reader;
  return {
      number("GOSSAMER_CORES", 1, 4096),
      number("GOSSAMER_SEED", 0, k_any),
      number("GOSSAMER_FIBERS", 2, 1 << 24),
      bytes("GOSSAMER_STACK_BYTES", 16 << 10, 1 << 30),
      number("GOSSAMER_SMALL_FIBERS", 1, 1 << 24),
      bytes("GOSSAMER_SMALL_STACK_BYTES", 4 << 10, 1 << 30),
      number("GOSSAMER_PACKETS", 1, 1 << 24),
      bytes("GOSSAMER_PACKET_BYTES", 2 << 10, 64 << 10),
      number("GOSSAMER_UNEXPECTED", 1, 1 << 20),
      bytes("GOSSAMER_UNEXPECTED_BYTES", 1 << 20, std::uint64_t{1} << 40),
      bytes("GOSSAMER_PAYLOAD_BYTES_IN_FLIGHT", 0, k_any),
      number("GOSSAMER_FLUSH_DELAY_US", 0, 1'000'000),
      choice("GOSSAMER_AGGREGATION", {"off", "on"}),
      number("GOSSAMER_WIRE_PACKETS", 4, 64),
      bytes("GOSSAMER_WIRE_PACKET_BYTES", 4 << 10, 1 << 20),
      bytes("GOSSAMER_BULK_BYTES", 0, k_any),
      choice("GOSSAMER_ROUTES", {"automatic", "direct", "grid"}),
      number("GOSSAMER_STEAL_TASKS", 0, 1 << 20),
      number("GOSSAMER_STEAL_CHUNK", 0, 1 << 20),
      number("GOSSAMER_LOOP_GRAIN", 0, std::uint64_t{1} << 40),
      number("GOSSAMER_SPIN_US", 0, 1'000'000),
      number("GOSSAMER_ACTIVITY_US", 0, 1'000'000),
      choice("GOSSAMER_COMBINING", {"off", "home", "local", "both", "automatic"}),
      choice("GOSSAMER_BARRIER", {"automatic", "centralised", "tournament", "tree", "dissemination", "rcce"}),
      choice("GOSSAMER_PIN", {"automatic", "on", "off"}),
      text("GOSSAMER_TRANSPORT"),
      choice("GOSSAMER_NODE_MEMORY", {"off", "on"}),
      number("GOSSAMER_PEER_TIMEOUT_S", 0, 86'400),
      text("GOSSAMER_SIMULATE"),
      bytes("GOSSAMER_MEMORY_LIMIT", 0, k_any),

      text("GOSSAMER_PEERS", tool),
      // Where an installation lies, for CMake's find_package(); environment modules set them.
      text("GOSSAMER_ROOT", tool),
      text("GOSSAMER_DIR", tool),
      text("GOSSAMER_HOME", tool),

      text("GOSSAMER_BUILD", test),
      text("GOSSAMER_DATA", test),
      text("GOSSAMER_FUZZ_RUNS", test),
      text("GOSSAMER_LONG_TESTS", test),
      text("GOSSAMER_OPTIONS_TEST", test),
      text("GOSSAMER_PROGRAM", test),
      text("GOSSAMER_STUDIES", test),
      text("GOSSAMER_SANITIZE", test),
      text("GOSSAMER_SEEDS", test),
      text("GOSSAMER_SOAK", test),
      text("GOSSAMER_SOURCE", test),
      text("GOSSAMER_TEST_ENDS", test),
      text("GOSSAMER_TEST_KILLS", test),
      text("GOSSAMER_TEST_LOSSES", test),
      text("GOSSAMER_TEST_NODES", test),
      text("GOSSAMER_TEST_SEED", test),
      text("GOSSAMER_TEST_TARGETS", test),
      text("GOSSAMER_TESTS_ELSEWHERE", test),
  };
}

const setting* find(std::string_view name) {
  const auto all = settings();
  const auto at = std::ranges::find(all, name, &setting::name);
  return at == all.end() ? nullptr : &*at;
}

std::optional<std::uint64_t> read(const options& given, const setting& s) {
  switch (s.holds) {
    case kind::number:
      return given.number(s.name, s.least, s.most);
    case kind::bytes:
      return given.bytes(s.name, s.least, s.most);
    case kind::choice:
      return given.choice(s.name, s.choices);
    case kind::text:
      break;
  }
  return {};
}

/// Throws gossamer::error for a name that is not in the table, with the nearest name. Compares names without
/// the prefix, which would make all of them near.
[[noreturn]] void refuse_unknown(std::string_view name) {
  std::vector<std::string> known;
  for (const setting& s : settings())
    if (s.read_by == setting::reader::job) known.emplace_back(s.name.substr(k_prefix.size()));
  const std::string near = nearest(name.substr(k_prefix.size()), known);
  throw error(fmt::format("unknown variable {} in the environment{}", in_quotes(name),
                          near.empty() ? std::string(" (docs/settings.md lists those that there are)")
                                       : fmt::format(", did you mean {}{}?", k_prefix, near)));
}

}  // namespace

std::span<const setting> settings() {
  static const std::vector<setting> table = make_table();
  return table;
}

std::optional<std::uint64_t> read_setting(const options& given, std::string_view name) {
  const setting* const s = find(name);
  GOSSAMER_ASSERT(s != nullptr && s->holds != kind::text, "a setting that is not in the table");
  return read(given, *s);
}

void check_settings(const options& given, std::span<const std::string> names) {
  for (const std::string& name : names)
    if (name.starts_with(k_prefix) && find(name) == nullptr) refuse_unknown(name);
  for (const setting& s : settings()) (void)read(given, s);
}

void check_settings() {
  std::vector<std::string> names;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view both = *variable;
    if (both.starts_with(k_prefix)) names.emplace_back(both.substr(0, both.find('=')));
  }
  check_settings(options(), names);
}

}  // namespace gossamer
