#include "output/explanation.hpp"

#include "gossamer/base/units.hpp"

namespace gossamer::cli {
namespace {

void set_shares(json_object& j, const time_shares& of) {
  j.set("core_time/working", of.working);
  j.set("core_time/no_processor", of.no_processor);
  j.set("core_time/for_the_busiest", of.for_the_busiest);
  j.set("core_time/without_work", of.without_work);
}

json_object json_of(const explanation& e) {
  json_object j;
  j.set("seconds", e.seconds);
  j.set("cores", e.cores);
  set_shares(j, e.shares);
  j.set_array("phases");
  for (const explained_phase& p : e.phases) {
    json_object row;
    row.set("name", p.name);
    row.set("seconds", p.seconds);
    set_shares(row, p.shares);
    j.append("phases", std::move(row));
  }
  j.set_array("findings");
  for (const finding& f : e.findings) {
    json_object row;
    row.set("key", f.key);
    row.set("phase", f.phase);
    row.set("share", f.share);
    row.set("share_of", f.share_of);
    row.set("core_time", f.core_time);
    row.set("text", f.text);
    row.set("advice", f.advice);
    for (const auto& [name, value] : f.numbers) row.set("numbers/" + name, value);
    j.append("findings", std::move(row));
  }
  return j;
}

std::vector<std::string> cells_of(std::string name, double seconds, const time_shares& of) {
  std::vector<std::string> cells{std::move(name), format_duration(seconds)};
  for (const double share : {of.working, of.for_the_busiest, of.without_work, of.no_processor})
    cells.push_back(percent(share, 1));
  return cells;
}

}  // namespace

void say_explanation(session& s, const run_record& run) {
  const explanation e = explain(run);
  s.json().set("explain", json_of(e));
  s.say("\nwhere the core time went (time on {}):\n", plural(e.cores, "core", "cores"));
  table rows({{"phase", table::align::left},
              {"time"},
              {"working"},
              {"load imbalance"},
              {"idle"},
              {run.has_cpu_time ? "descheduled" : ""}});
  const auto add = [&](const std::string& name, double seconds, const time_shares& of) {
    auto cells = cells_of(name, seconds, of);
    if (!run.has_cpu_time) cells.back().clear();
    rows.row(std::move(cells));
  };
  for (const explained_phase& p : e.phases) add(abridged(p.name), p.seconds, p.shares);
  if (e.phases.size() > 1) add("all", e.seconds, e.shares);
  s.say(rows);
  for (const finding& f : e.findings)
    s.say("\n{}\n  {}", printable(f.text), s.colours().dim(printable(f.advice)));
}

}  // namespace gossamer::cli
