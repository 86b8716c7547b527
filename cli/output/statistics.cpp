#include "output/statistics.hpp"

#include <algorithm>
#include <numeric>

#include "gossamer/fabric/wire.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/message/endpoint.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::cli {
namespace {

struct spread {
  std::uint64_t minimum = 0, median = 0, maximum = 0, total = 0;
};

spread spread_of(std::vector<std::uint64_t> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::uint64_t below = values[(values.size() - 1) / 2], above = values[values.size() / 2];
  return {values.front(), below + (above - below) / 2, values.back(),
          std::accumulate(values.begin(), values.end(), std::uint64_t{0})};
}

void set_spread(json_object& j, const std::string& path, const spread& v) {
  j.set(path + "/minimum", v.minimum);
  j.set(path + "/median", v.median);
  j.set(path + "/maximum", v.maximum);
  j.set(path + "/total", v.total);
}

std::string spaced(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// Reports the memory for packets between processes, and the memory that direct routes would need.
void say_routes(session& s) {
  const fabric::wire* const wire = message::endpoint::here().process().wire;
  if (wire == nullptr) return;
  const fabric::routes& routing = wire->routing();
  const std::size_t bytes = wire->memory().total(), direct = wire->memory_direct().total();
  s.json().set("stats/routes", routing.over_grid() ? "grid" : "direct");
  s.json().set("stats/neighbours", routing.neighbours().size());
  s.json().set("stats/buffer_bytes", bytes);
  s.json().set("stats/buffer_bytes_direct", direct);
  if (!routing.over_grid())
    return s.say("\nroutes direct, {} of buffers in each process at most", format_bytes(bytes));
  s.say(
      "\ntwo-hop (2D) routes, {} x {} processes: {} neighbours, {} of buffers in each process at most "
      "(direct: {})",
      routing.rows(), routing.columns(), routing.neighbours().size(), format_bytes(bytes),
      format_bytes(direct));
}

double per_interval(std::uint64_t fiber_ns, std::uint64_t ns) {
  return static_cast<double>(fiber_ns) / static_cast<double>(ns);
}

/// Reports how many fibers were active over time, and how many of them waited: means over the cores. Only if
/// the setting requests it.
void say_activity(session& s) {
  const std::vector<activity> of_cores = activities();
  if (of_cores.empty()) return;
  activity all = of_cores.front();
  for (std::size_t c = 1; c < of_cores.size(); ++c) all += of_cores[c];
  json_object& j = s.json();
  j.set("stats/activity/interval_us", static_cast<double>(all.interval_ns()) / 1000);
  j.set("stats/activity/most_active", all.most_active());
  j.set("stats/activity/waiting_ns", all.waiting_ns());
  j.set_array("stats/activity/active");
  j.set_array("stats/activity/waiting");
  table rows({{"from"}, {"active fibers of a core"}, {"of these waiting"}});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t begin = i * all.interval_ns();
    const std::uint64_t ns = std::min(all.interval_ns(), all.noted_ns() - begin) * of_cores.size();
    const double active = per_interval(all.at(i).active_ns, ns);
    const double waiting = per_interval(all.at(i).waiting_ns, ns);
    j.append("stats/activity/active", active);
    j.append("stats/activity/waiting", waiting);
    rows.row({format_duration(static_cast<double>(begin) * 1e-9), fmt::format("{:.1f}", active),
              fmt::format("{:.1f}", waiting)});
  }
  s.say("");
  s.say(rows);
  s.say("\nfibers have waited {} in all, at most {} were active on a core",
        format_duration(static_cast<double>(all.waiting_ns()) * 1e-9), format_count(all.most_active()));
}

}  // namespace

void say_statistics(session& s, std::span<const counters> per_core) {
  table rows({{"per core", table::align::left}, {"minimum"}, {"median"}, {"maximum"}, {"total"}});
  std::uint64_t bytes = 0, room = 0;
  for (const auto& [name, member] : k_counter_fields) {
    std::vector<std::uint64_t> values;
    for (const counters& c : per_core) values.push_back(c.*member);
    const spread v = spread_of(std::move(values));
    set_spread(s.json(), "stats/" + std::string(name), v);
    rows.row({spaced(name), format_count(v.minimum), format_count(v.median), format_count(v.maximum),
              format_count(v.total)});
    if (member == &counters::bytes) bytes = v.total;
    if (member == &counters::packet_room) room = v.total;
  }
  const double fill = room == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(room);
  s.json().set("stats/fill_percent", fill);
  if (!s.simulated()) s.json().set("stats/peak_memory_bytes", machine::peak_rss());
  s.say("");
  s.say(rows);
  say_activity(s);
  say_routes(s);
  const std::string memory =
      s.simulated() ? "" : fmt::format(", peak memory {}", format_bytes(machine::peak_rss()));
  s.say("\npackets {} full{}", percent(static_cast<double>(bytes), static_cast<double>(room)), memory);
}

}  // namespace gossamer::cli
