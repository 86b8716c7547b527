// Structures of the whole job: many fibers on every core, each of which sends requests one after another and
// waits for each answer (kernels/structures.hpp). Wall time.

#include "gossamer/kernels/structures.hpp"

#include <map>

#include "gossamer/base/error.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

constexpr std::size_t k_other_fibers = 64;  // besides those that send requests

job_options structure_job(const settings& s, const structure_work& w) {
  job_options o = core_job(s.cores != 0 ? s.cores : 2);
  o.fibers = std::max<std::size_t>(o.fibers, w.fibers + k_other_fibers);
  o.small_fibers = std::max<std::size_t>(o.small_fibers, w.fibers + k_other_fibers);
  return o;
}

row measure(const settings& s, structure_work w, combine where) {
  const std::string_view name = k_combine_names[static_cast<unsigned>(where)];
  const std::string title = structure_case(w, name);
  w.where = where;
  w.operations = structure_operations(s, w, merges_on_core(where));
  row r;
  run(structure_job(s, w), [&] {
    bool right = true;
    const samples rates = repeat(s, [&] {
      const auto found = kernels::ask_structure(w);
      right = right && found.verified.ok;
      return found.mops();
    });
    r = checked(row_of("structures", title, "M/s", rates), right);
  });
  return r;
}

std::vector<combine> modes_of(const settings& s, const structure_work& w) {
  if (s.asked.where) return {static_cast<combine>(*s.asked.where)};
  if (w.bulk || w.pending || w.phases) return {combine::local};
  return {combine::off, combine::home, combine::local, combine::both};
}

/// Returns the rate that combine::local must reach on two cores in a case of the table, or k_none.
double budget_of(const structure_work& w, double off, const std::map<structure, double>& all_puts) {
  if (w.payload != 8 || w.erases > 0 || w.pending || w.phases) return k_none;
  if (w.bulk) return 20;
  if (w.keyed()) return std::max(15.0, 2 * off);
  if (w.puts != 100) return (w.kind == structure::stack ? 1.5 : 0.9) * all_puts.at(w.kind);
  return w.kind == structure::stack ? std::max(20.0, 10 * off) : k_none;
}

}  // namespace

void structures(const settings& s, const report& out) {
  std::map<structure, double> all_puts;  // millions a second, combine::local
  for (const structure_work& w : structure_works(s)) {
    double off = k_none;
    for (const combine where : modes_of(s, w)) {
      row r = measure(s, w, where);
      if (where == combine::off) off = r.value;
      if (where == combine::local && !s.asked.any()) r = within(r, budget_of(w, off, all_puts));
      if (where == combine::local && w.puts == 100 && w.payload == 8) all_puts[w.kind] = r.value;
      out.add(r);
    }
  }
}

}  // namespace gossamer::bench
