// gossamer structures: a stack, queue, set or map of the job, asked by many fibers of every core.

#include "commands.hpp"
#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/message/core_id.hpp"
#include "kernel.hpp"
#include "requests.hpp"

namespace gossamer::cli {

kernels::structure_work requests_of(const options& o) {
  kernels::structure_work w{.operations = o.operations, .seed = o.seed, .verify = o.verify};
  if (!o.structure.empty())
    w.kind = static_cast<kernels::structure>(index_of(kernels::k_structures, o.structure));
  w.bulk = o.bulk;
  w.puts = o.puts.value_or(w.keyed() && !w.bulk ? 50 : 100);
  w.erases = o.erases.value_or(0);
  w.keys = o.keys.value_or(w.keys);
  w.cells = o.structure_cells.value_or(0);
  w.fibers = o.fibers.value_or(w.fibers);
  w.payload = o.payload.value_or(w.payload);
  return w;
}

namespace {

/// "50 % inserts, 10 % erases, keys 0 to 1,023".
std::string mix_text(const kernels::structure_work& w) {
  using kernels::structure;
  static constexpr std::string_view k_puts[] = {"pushes", "enqueues", "inserts", "inserts"};
  std::string text = fmt::format("{} % {}", w.puts, k_puts[static_cast<unsigned>(w.kind)]);
  if (w.erases > 0) text += fmt::format(", {} % erases", w.erases);
  if (w.keyed()) text += fmt::format(", keys 0 to {}", format_count(w.keys - 1));
  return text;
}

void set_counts(json_object& j, const kernels::structure_result& r) {
  j.set("requests", r.counts.requests);
  j.set("commits", r.counts.commits);
  j.set("requests_per_commit", r.requests_per_commit());
  j.set("matched", r.counts.matched);
  j.set("combine_messages", r.counts.messages);
  j.set("combine_bytes", r.counts.bytes);
  j.set("combine_wait_ns", r.counts.wait_ns);
}

}  // namespace

void structures(session& s) {
  kernels::structure_work w = requests_of(s.asked());
  w.where = combining::by_default();  // job_of() has made --combining that
  const std::string_view kind = kernels::k_structures[static_cast<unsigned>(w.kind)];
  const std::string_view where = k_combine_names[static_cast<unsigned>(w.where)];
  s.steps().step(fmt::format("{}, combining {}", kind, where));
  const kernels::structure_result r = kernels::ask_structure(w);
  json_object& j = s.json();
  j.set("structure", kind);
  j.set("combining", where);
  j.set("puts", w.puts);
  j.set("erases", w.erases);
  if (w.keyed()) {
    j.set("keys", w.keys);
    j.set("cells", w.cells);
  }
  j.set("bulk", w.bulk);
  j.set("fibers", w.fibers);
  j.set("payload", w.payload);
  j.set("operations", r.operations);
  j.set("mops", r.mops());
  set_counts(j, r);
  set_run(s, r.seconds);
  s.say("{}  {}: {}, {}, values of {}, combining {}", s.colours().bold(kind), mix_text(w),
        plural(r.operations, "operation", "operations"),
        w.bulk ? "in bulk" : plural(w.fibers, "fiber", "fibers") + " a core", format_bytes(w.payload), where);
  s.say("\n{:.2f} M operations/s: {}", r.mops(), time_and_place(r.seconds));
  s.say("{:.1f} requests a commit, {} met on their core, {} sent for them", r.requests_per_commit(),
        plural(r.counts.matched, "pair", "pairs"), plural(r.counts.messages, "message", "messages"));
  if (w.verify || !r.right)
    s.verified(r.right, "values or keys are lost, doubled or altered",
               "sum of what went in, came out and was left");
}

}  // namespace gossamer::cli
