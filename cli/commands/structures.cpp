// gossamer structures: many fibers of every core send requests to a stack, queue, set or map of the job.

#include <algorithm>

#include "commands/job_command.hpp"
#include "commands/kernel_answer.hpp"
#include "commands/registry.hpp"
#include "commands/shared_structures.hpp"
#include "commands/structure_options.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::cli {
namespace {

/// Describes the mix: "50 % inserts, 10 % erases, keys 0 to 1,023".
std::string mix_text(const kernels::structure_work& w) {
  using kernels::structure;
  static constexpr std::string_view k_puts[] = {"pushes", "enqueues", "inserts", "inserts"};
  std::string text = fmt::format("{} % {}", w.puts, k_puts[static_cast<unsigned>(w.kind)]);
  if (w.erases > 0) text += fmt::format(", {} % erases", w.erases);
  if (w.keyed()) text += fmt::format(", keys 0 to {}", format_count(w.keys - 1));
  if (w.phases) text += ", in phases";
  if (w.pending) text += ", lookups from pending insertions";
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

constexpr command_text k_structures_text{
    "structures", "requests of many fibers to a stack, queue, set or map of the job",
    "  gossamer structures stack --puts 50\n"
    "  gossamer structures set --keys 1024 --combining off\n"
    "  gossamer simulate -n 64 --cores 16 --network qdr -- structures queue --operations 64000000\n"};

class structures_command final : public job_command {
 public:
  structures_command() : job_command(k_structures_text) {}

  /// Checks the workload, whose limits depend on two options.
  void check() override {
    (void)one_of("structures", asked_.structure, kernels::k_structures);
    const kernels::structure_work work = asked_.work();
    const std::string_view kind = kernels::k_structures[static_cast<unsigned>(work.kind)];
    if (!work.keyed() && asked_.keys)
      throw error(fmt::format("structures: --keys is of sets and maps, found a {}", kind));
    if (work.kind == kernels::structure::set && asked_.payload)
      throw error("structures: --payload is of values, and a set has none");
    if (work.bulk && work.keyed() && asked_.operations)
      throw error(
          fmt::format("structures: --bulk puts each key of a {} in once: --keys says how many", kind));
    kernels::validate(work);
  }
  std::string ignores(std::string_view setting) const override {
    if (setting == "combining")
      return asked_.combining.empty()
                 ? ""
                 : "--combining is given: --combining {combining} makes that a place of the words";
    return ignores_tasks_and_structures(setting);
  }

 private:
  void declare_own(declaration& d) override {
    d.argument("STRUCTURE", asked_.structure, "stack, queue, set or map", "stack, queue, set or map");
    asked_.declare(d);
    d.number("--seed", seed_, "of the requests (default 1)");
  }
  std::string_view seed_option() const override { return "--seed"; }
  void describe(json_object& j) const override {
    j.set("options/seed", seed_);
    if (!asked_.combining.empty()) j.set("options/combining", asked_.combining);
  }
  job_options job() const override;
  void answer(session& s) override;

  structure_options asked_;
};

job_options structures_command::job() const {
  constexpr std::size_t k_other_fibers = 64;  // besides those of --fibers: workers and combiner fibers
  job_options job = with_combining(job_command::job(), asked_.combining);
  if (asked_.fibers) {
    job.fibers = std::max<std::size_t>(job.fibers, *asked_.fibers + k_other_fibers);
    job.small_fibers = std::max<std::size_t>(job.small_fibers, *asked_.fibers + k_other_fibers);
  }
  return job;
}

void structures_command::answer(session& s) {
  kernels::structure_work w = asked_.work();
  w.seed = seed_;
  w.verify = verify_;
  w.where = combining::by_default();  // job() has made --combining that
  const std::string_view kind = kernels::k_structures[static_cast<unsigned>(w.kind)];
  const std::string_view where = k_combine_names[static_cast<unsigned>(w.where)];
  s.step(fmt::format("{}, combining {}", kind, where));
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
  if (w.kind == kernels::structure::set) j.set("pending_lookups", w.pending);
  if (w.keyed()) j.set("phases", w.phases);
  j.set("fibers", w.fibers);
  const bool has_values = w.kind != kernels::structure::set;
  if (has_values) j.set("payload", w.payload);
  j.set("operations", r.operations);
  j.set("mops", r.mops());
  set_counts(j, r);
  set_run(s, r.seconds);
  s.say("{}  {}: {}, {}{}, combining {}", s.colours().bold(kind), mix_text(w),
        plural(r.operations, "operation", "operations"),
        w.bulk ? "in bulk" : plural(w.fibers, "fiber", "fibers") + " a core",
        has_values ? ", values of " + format_bytes(w.payload) : "", where);
  s.say("\n{:.2f} M operations/s: {}", r.mops(), time_and_place(r.seconds));
  s.say("{:.1f} requests a commit, {} met on their core, {} sent for them", r.requests_per_commit(),
        plural(r.counts.matched, "pair", "pairs"), plural(r.counts.messages, "message", "messages"));
  if (w.verify || !r.verified) s.verified(r.verified, "sum of what went in, came out and was left");
}

}  // namespace

std::unique_ptr<command> make_structures() { return std::make_unique<structures_command>(); }

}  // namespace gossamer::cli
