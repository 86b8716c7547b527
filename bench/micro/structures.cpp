// Structures of the whole job: 2,048 fibers on every core, each of which asks again and again and waits for
// each answer. Mixes of operations are those of the paper (Holt et al., PGAS 2013, section 5.1). Wall time.

#include "gossamer/base/random.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

/// f(random bits, who, how often before) by all fibers of all cores: millions a second. Who counts the fibers
/// of the job.
template <class F>
double rate_of_fibers(const settings& s, F f) {
  const std::uint64_t fibers = structure_fibers(s), each = structure_operations(s) / (fibers * 2);
  return rate_on_all_cores(fibers * each * cores(), [=] {
    std::vector<joinable<void>> all;
    for (std::uint64_t who = here() * fibers; who < (here() + 1) * fibers; ++who)
      all.push_back(start([=] {
        structure_draw draw(who);
        for (std::uint64_t k = 0; k < each; ++k) f(draw(), who, k);
      }));
    for (auto& one : all) one.join();
  });
}

/// Values that are in and those that were taken out are as many as were put in.
struct tally {
  std::uint64_t put = 0, taken = 0;
};

template <class Scoped>
row sequence(const settings& s, std::string_view name, unsigned puts, combine where) {
  bool right = true;
  const samples rates = repeat(s, [&] {
    Scoped owned(where);
    scoped_per_core<tally> counts;
    const double rate = rate_of_fibers(s, [at = owned.handle(), counts = counts.handle(), puts](
                                              std::uint64_t draw, std::uint64_t who, std::uint64_t) {
      if (draw % 100 < puts) {
        if constexpr (std::is_same_v<Scoped, scoped_stack<std::uint64_t>>)
          at.push(who);
        else
          at.enqueue(who);
        ++counts.here().put;
      } else {
        if constexpr (std::is_same_v<Scoped, scoped_stack<std::uint64_t>>)
          counts.here().taken += at.pop().has_value() ? 1 : 0;
        else
          counts.here().taken += at.dequeue().has_value() ? 1 : 0;
      }
    });
    const tally all = counts.fold(
        tally{}, [](tally sum, const tally& t) { return tally{sum.put + t.put, sum.taken + t.taken}; });
    right = right && all.put == all.taken + owned.size();
    return rate;
  });
  return checked(
      row_of("structures", structure_case(name, mix_of(puts), mode_name(static_cast<unsigned>(where))), "M/s",
             rates),
      right);
}

row map_of(const settings& s, combine where) {
  const auto right = std::make_unique<std::atomic<bool>>(true);
  const samples rates = repeat(s, [&] {
    scoped_hash_map<std::uint64_t, std::uint64_t> owned(where);
    return rate_of_fibers(
        s, [at = owned.handle(), right = right.get()](std::uint64_t draw, std::uint64_t, std::uint64_t) {
          const std::uint64_t key = draw / 128 % k_structure_keys;
          if (draw % 2 == 0) {
            (void)at.insert(key, ~key);
          } else if (const auto found = at.lookup(key); found && *found != ~key) {
            *right = false;
          }
        });
  });
  return checked(
      row_of("structures", structure_case("map", k_map_mix, mode_name(static_cast<unsigned>(where))), "M/s",
             rates),
      *right);
}

}  // namespace

void structures(const settings& s, const report& out) {
  constexpr combine k_modes[] = {combine::off, combine::master, combine::local, combine::both};
  const unsigned cores = s.cores != 0 ? s.cores : 2;
  const auto add = [&](combine where, double budget, auto measure) {
    row r;
    run(core_job(cores), [&] { r = measure(where); });
    out.add(where == combine::local && std::isfinite(budget) ? within(r, budget) : r);
    return r.value;
  };
  double pushes = k_none;
  for (const combine where : k_modes) {
    const double rate =
        add(where, 20, [&](combine w) { return sequence<scoped_stack<std::uint64_t>>(s, "stack", 100, w); });
    if (where == combine::local) pushes = rate;
  }
  for (const combine where : k_modes)
    add(where, 1.5 * pushes,
        [&](combine w) { return sequence<scoped_stack<std::uint64_t>>(s, "stack", 50, w); });
  for (const combine where : k_modes) {
    const double rate = add(
        where, k_none, [&](combine w) { return sequence<scoped_queue<std::uint64_t>>(s, "queue", 100, w); });
    if (where == combine::local) pushes = rate;
  }
  for (const combine where : k_modes)
    add(where, 0.9 * pushes,
        [&](combine w) { return sequence<scoped_queue<std::uint64_t>>(s, "queue", 50, w); });
  for (const combine where : k_modes) add(where, 15, [&](combine w) { return map_of(s, w); });
}

}  // namespace gossamer::bench
