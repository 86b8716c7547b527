// gossamer gups, gossamer gather: random updates and random reads of a table, in millions a second.

#include "gossamer/kernels/gups.hpp"

#include "commands.hpp"
#include "gossamer/message/core_id.hpp"
#include "kernel.hpp"

namespace gossamer::cli {
namespace {

kernels::table_work work_of(const options& o) {
  kernels::table_work w{.operations = o.operations, .seed = o.seed, .verify = o.verify};
  if (o.table_bytes != 0) w.bytes = o.table_bytes;
  return w;
}

kernels::table_progress watch(session& s, const std::string& what) {
  s.steps().step(what);
  return [&s](std::uint64_t done, std::uint64_t total) { s.steps().at(done, total); };
}

void answer(session& s, const kernels::table_work& w, const kernels::table_result& r,
            std::string_view operations) {
  json_object& j = s.json();
  j.set("table_bytes", w.bytes);
  j.set(operations, r.operations);
  j.set("mups", r.mups());
  set_run(s, r.seconds);
  s.say("{}  {} of a table of {}", s.colours().bold(s.asked().name),
        plural(r.operations, operations.substr(0, operations.size() - 1), operations), format_bytes(w.bytes));
  s.say("\n{:.1f} M {}/s: {}", r.mups(), operations, time_and_place(r.seconds));
}

}  // namespace

void gups(session& s) {
  const kernels::table_work w = work_of(s.asked());
  const auto r = kernels::random_updates(w, watch(s, "gups"));
  answer(s, w, r, "updates");
  if (w.verify)
    s.verified(r.wrong == 0, fmt::format("{} wrong", plural(r.wrong, "cell is", "cells are")),
               "sum of the updates; making them again leaves nothing");
}

void gather(session& s) {
  const kernels::table_work w = work_of(s.asked());
  const auto r = kernels::random_reads(w, watch(s, "gather"));
  answer(s, w, r, "reads");
  if (w.verify)
    s.verified(r.wrong == 0, fmt::format("{} wrong", plural(r.wrong, "answer is", "answers are")),
               "look at every answer");
}

}  // namespace gossamer::cli
