#include "gossamer/simulation/simulation_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/fabric/node_lane.hpp"

namespace gossamer::simulation {
namespace {

constexpr unsigned k_most_processes = 16384, k_most_cores = 4096;
constexpr unsigned k_least_lane_packets = fabric::node_lane::k_packets, k_most_lane_packets = 1024;

constexpr std::pair<char, std::string_view> k_escapes[] = {{' ', "%20"}, {'%', "%25"}};

/// Wraps the value of one word "name=value", so that gossamer::options can read it.
gossamer::options option_value(std::string_view value) {
  return gossamer::options([value](std::string_view) { return std::optional<std::string>(value); });
}

std::uint64_t nanoseconds(const std::string& name, std::string_view value) {
  const std::string_view given = value;
  std::uint64_t unit = 1;
  for (const auto& [suffix, ns] : {std::pair<std::string_view, std::uint64_t>{"ns", 1},
                                   {"us", 1'000},
                                   {"ms", 1'000'000},
                                   {"s", 1'000'000'000}})
    if (value.ends_with(suffix)) {
      unit = ns;
      value.remove_suffix(suffix.size());
      break;
    }
  if (value.empty()) throw error(fmt::format("{}: expected a time, as in 2ms, found \"{}\"", name, given));
  return unit * *option_value(value).number(name, 0, (std::uint64_t{1} << 62) / unit);
}

options::loss loss_of(const std::string& name, std::string_view value) {
  const auto at = value.find('@');
  if (at == value.npos || at == 0 || at + 1 == value.size())
    throw error(fmt::format("{}: expected a process and a time, as in 3@2ms, found \"{}\"", name, value));
  return {static_cast<unsigned>(*option_value(value.substr(0, at)).number(name, 0, k_most_processes - 1)),
          nanoseconds(name, value.substr(at + 1))};
}

void take(options& o, std::string_view word) {
  const auto equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  const std::string value = equals == word.npos ? "" : options::unescaped(word.substr(equals + 1));
  const std::string name = fmt::format("GOSSAMER_SIMULATE, {}", key);
  if (value.empty()) throw error(fmt::format("GOSSAMER_SIMULATE: expected name=value, found \"{}\"", word));
  const gossamer::options given = option_value(value);
  if (key == "processes")
    o.processes = static_cast<unsigned>(*given.number(name, 1, k_most_processes));
  else if (key == "cores")
    o.cores = static_cast<unsigned>(*given.number(name, 1, k_most_cores));
  else if (key == "seed")
    o.seed = *given.number(name);
  else if (key == "network")
    o.network = value;
  else if (key == "node")
    o.node = static_cast<unsigned>(*given.number(name, 1, k_most_processes));
  else if (key == "lane_packets")
    o.lane_packets = static_cast<unsigned>(*given.number(name, k_least_lane_packets, k_most_lane_packets));
  else if (key == "compute")
    o.compute = static_cast<options::computing>(*given.choice(name, {"fixed", "measured"}));
  else if (key == "scale_percent")
    o.scale_percent = *given.number(name, 1, 1'000'000);
  else if (key == "faults")
    o.faults = value;
  else if (key == "lose")
    o.lose = loss_of(name, value);
  else if (key == "until")
    o.until = *given.number(name);
  else if (key == "trace")
    o.trace = value;
  else if (key == "report")
    o.report = value;
  else if (key == "window")
    o.window_bytes = *given.bytes(name, 2 << 20);
  else if (key == "most")
    o.most_ns = nanoseconds(name, value);
  else if (key == "steps")
    o.most_steps = *given.number(name, 1);
  else
    throw error(fmt::format(
        "GOSSAMER_SIMULATE: expected processes, cores, seed, network, node, lane_packets, compute, "
        "scale_percent, faults, lose, until, trace, report, window, most or steps, found \"{}\"",
        key));
}

}  // namespace

std::string options::escaped(std::string_view value) {
  std::string word;
  for (const char c : value) {
    const auto* const found = std::ranges::find(k_escapes, c, &std::pair<char, std::string_view>::first);
    found != std::end(k_escapes) ? word += found->second : word += c;
  }
  return word;
}

std::string options::unescaped(std::string_view word) {
  std::string value;
  while (!word.empty()) {
    const auto* const found =
        std::ranges::find_if(k_escapes, [word](const auto& each) { return word.starts_with(each.second); });
    value += found != std::end(k_escapes) ? found->first : word.front();
    word.remove_prefix(found != std::end(k_escapes) ? found->second.size() : 1);
  }
  return value;
}

options options::parse(std::string_view text) {
  options o;
  while (true) {
    const auto first = text.find_first_not_of(' ');
    if (first == text.npos) break;
    text.remove_prefix(first);
    const std::string_view word = text.substr(0, text.find(' '));
    take(o, word);
    text.remove_prefix(word.size());
  }
  if (o.lose && o.lose->process >= o.processes)
    throw error(
        fmt::format("GOSSAMER_SIMULATE: process {} is to be lost, of {}", o.lose->process, o.processes));
  return o;
}

std::optional<options> options::from_environment() {
  const auto text = gossamer::options().text("GOSSAMER_SIMULATE");
  return text ? std::optional(parse(*text)) : std::nullopt;
}

std::string options::print() const {
  const options plain;
  std::string text = fmt::format("processes={}", processes);
  const auto say = [&text](std::string_view name, const auto& value, const auto& usual) {
    if (value != usual) text += fmt::format(" {}={}", name, value);
  };
  say("cores", cores, plain.cores);
  say("seed", seed, plain.seed);
  say("network", escaped(network), plain.network);
  say("node", node, plain.node);
  say("lane_packets", lane_packets, plain.lane_packets);
  say("compute", compute == computing::fixed ? "fixed" : "measured", std::string_view("fixed"));
  say("scale_percent", scale_percent, plain.scale_percent);
  say("faults", faults, plain.faults);
  if (lose) text += fmt::format(" lose={}@{}ns", lose->process, lose->at_ns);
  say("until", until, plain.until);
  say("trace", escaped(trace), plain.trace);
  say("report", escaped(report), plain.report);
  say("window", window_bytes, plain.window_bytes);
  if (most_ns != plain.most_ns) text += fmt::format(" most={}ns", most_ns);
  say("steps", most_steps, plain.most_steps);
  return text;
}

}  // namespace gossamer::simulation
