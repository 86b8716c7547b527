#include "protocol.hpp"

#include <exception>
#include <utility>

#include "gossamer/parallel/fiber.hpp"

namespace gossamer::test {

namespace {

std::string first_complaint;

simulation::fault_set drawn_faults(draws& d) {
  if (!d.one_in(3)) return simulation::fault_set::all();
  simulation::fault_set some;
  for (const simulation::fault_kind& k : simulation::k_fault_kinds)
    if (k.kind != simulation::fault::compute && d.one_in(2)) some.add(k.kind);
  return some;
}

/// Draws which processes have lanes between them: none, pairs of neighbours, or all; and how short those are.
void draw_lanes(simulation::options& o, draws d) {
  constexpr unsigned k_packets[] = {0, 8, 8, 16};
  if (o.processes == 1 || d.one_in(2)) return;
  o.node = d.one_in(4) ? 2 : o.processes;
  o.lane_packets = d.of(k_packets);
}

}  // namespace

void complain(std::string what) {
  if (first_complaint.empty()) first_complaint = std::move(what);
}

void dawdle(draws& d) {
  const unsigned how = d.below(8);
  if (how < 4) return;
  if (how == 4) return charge_work(1 + d.below(20'000));
  for (unsigned i = 0; i < how; ++i) yield();
}

void give(job_options& o, const shape& s) {
  o.simulate->processes = s.processes;
  o.simulate->cores = s.cores;
}

void without(job_options& o, simulation::fault kind) {
  const auto before = simulation::fault_set::parse(o.simulate->faults);
  simulation::fault_set rest;
  for (const simulation::fault_kind& k : simulation::k_fault_kinds)
    if (k.kind != kind && before.has(k.kind)) rest.add(k.kind);
  o.simulate->faults = rest.print();
}

job_options job_of(const protocol& p, std::uint64_t seed) {
  constexpr shape k_shapes[] = {{1, 2}, {1, 3}, {1, 4}, {2, 1}, {3, 1}, {4, 1}, {2, 2}, {2, 3}, {3, 2}};
  constexpr const char* k_networks[] = {"loopback", "qdr", "hdr", "slingshot", "ethernet-25g"};
  constexpr std::uint64_t k_spins[] = {0, 1, 5, 50};  // soon asleep, or ready for what comes
  draws d(hash64(seed, 0x70b5));
  job_options o;
  // As little as will do: what a job has is made and unmade for every seed.
  o.fibers = 512;
  o.small_fibers = 64;
  o.packets = 64;
  o.spin_us = d.of(k_spins);
  o.aggregate = !d.one_in(4);  // without: many packets
  o.simulate = simulation::options{};
  o.simulate->seed = seed;
  o.simulate->network = d.of(k_networks);
  simulation::fault_set faults = drawn_faults(d);
  if (draws(hash64(seed, 0xc0de)).one_in(2)) faults.add(simulation::fault::compute);
  o.simulate->faults = faults.print();
  o.simulate->most_ns = 2'000'000'000;  // of milliseconds: beyond it goes round in circles
  o.simulate->most_steps = 50'000'000;  // of some 100,000
  if (d.one_in(4)) o.routes = routing::grid;
  give(o, d.of(k_shapes));
  if (p.prepare != nullptr) p.prepare(o, d);
  draw_lanes(*o.simulate, draws(hash64(seed, 0x1a9e)));
  return o;
}

std::string failure_of(const protocol& p, std::uint64_t seed, const job_options& o) {
  first_complaint.clear();
  std::string what;
  try {
    run(o, [&] {
      draws d(seed);
      p.run(d);
    });
    p.check();
  } catch (const std::exception& e) {
    what = e.what();
  }
  if (p.judge != nullptr) what = p.judge(what);
  if (first_complaint.empty()) return what;
  return what.empty() ? first_complaint : first_complaint + "; then: " + what;
}

}  // namespace gossamer::test
