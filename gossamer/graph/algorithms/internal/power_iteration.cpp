#include "gossamer/graph/algorithms/internal/power_iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/exact_sum.hpp"
#include "gossamer/graph/engine/pull_sums.hpp"

namespace gossamer::graph {

namespace {

/// The largest magnitude of some values.
struct largest_magnitude {
  double value = 0;
  void add(const largest_magnitude& other) { value = std::max(value, other.value); }
};
/// A sum of terms that were scaled to the range of exact_sum.
struct scaled_sum {
  exact_sum sum;
  void add(const scaled_sum& other) { sum.add(other.sum); }
};

/// A multiplication by a power of two, in two factors that are doubles even if their product is none.
struct scaling {
  double first = 1, second = 1;
  double operator()(double x) const { return x * first * second; }
  double undone(double x) const { return x / second / first; }
};

/// Returns the scaling of `most`, any finite number, to less than 1; and if `most` is not 0, to 1/2 or more.
scaling below_one(double most) {
  int exponent = 0;
  (void)std::frexp(most, &exponent);
  const int first = std::clamp(-exponent, -1000, 1000);
  return {std::ldexp(1.0, first), std::ldexp(1.0, -exponent - first)};
}

}  // namespace

vertex_vector power_iteration::filled(double value) const {
  vertex_vector all{go_.values<double>(), std::abs(value)};
  on_all_cores([value, own = all.values.handle()] { fill(own.local(), value); });
  return all;
}

void power_iteration::pull(const adjacency& rows, const vertex_vector& from, vertex_vector& to,
                           const pull_terms& terms) const {
  const array<double> source = from.values.handle();
  const frozen<double> now = source.freeze();
  to.largest = with_puller(go_.graph(), rows, by_weights_, [&](const auto& along) {
    return go_
        .block_reduce<largest_magnitude>(k_pull,
                                         [along, terms, now, next = elements_of(to.values.handle())](
                                             vertex_range some, largest_magnitude& mine, scan_meter& meter) {
                                           const double* const values = now.data();
                                           meter.arcs += along.arcs(some.begin, some.end);
                                           for (std::uint64_t v = some.begin; v < some.end; ++v) {
                                             const double sum = along.sum(values, static_cast<vertex_id>(v));
                                             next[v] =
                                                 terms.keep * values[v] + terms.times * sum + terms.plus;
                                             mine.value = std::max(mine.value, std::abs(next[v]));
                                           }
                                         })
        .value;
  });
  source.thaw();
}

/// Returns the sum of term(v) over all vertices. Terms are from 0 to 2.
template <class Term>
double power_iteration::sum_of(Term term) const {
  const double share = below_one(static_cast<double>(go_.graph().vertices)).first;
  const scaled_sum all =
      go_.block_reduce<scaled_sum>(k_pass, [term, share](vertex_range some, scaled_sum& mine, scan_meter&) {
        double sum = 0;
        for (std::uint64_t v = some.begin; v < some.end; ++v) sum += term(v) * share;
        mine.sum.add(sum);
      });
  return all.sum.value() / share;
}

double power_iteration::sum(const vertex_vector& x) const {
  const scaling unit = below_one(x.largest);
  const double* const all = elements_of(x.values.handle());
  return unit.undone(sum_of([all, unit](std::uint64_t v) { return std::abs(unit(all[v])); }));
}

double power_iteration::length(const vertex_vector& x) const {
  const scaling unit = below_one(x.largest);
  const double* const all = elements_of(x.values.handle());
  const double squares = sum_of([all, unit](std::uint64_t v) { return unit(all[v]) * unit(all[v]); });
  return unit.undone(std::sqrt(squares));
}

int power_iteration::keep_in_range(vertex_vector& x) const {
  if (x.largest == 0 || !std::isfinite(x.largest) || (x.largest < 0x1p300 && x.largest > 0x1p-300)) return 0;
  int exponent = 0;
  (void)std::frexp(x.largest, &exponent);
  const scaling by = below_one(x.largest);
  scale(x, by.first);
  if (by.second != 1) scale(x, by.second);
  return exponent;
}

double power_iteration::checked(double change, const char* question) {
  if (!std::isfinite(change))
    throw error(
        fmt::format("{}: the weights are too large: a sum of them exceeds what a double holds", question));
  return change;
}

void power_iteration::scale(vertex_vector& x, double factor) const {
  on_all_cores([factor, own = x.values.handle()] {
    pass_over(k_pass, own.local(), [factor](double& value) { value *= factor; });
  });
  x.largest *= std::abs(factor);
}

double power_iteration::scale(vertex_vector& x, double factor, const vertex_vector& last) const {
  x.largest *= std::abs(factor);
  const scaling unit = below_one(std::max(x.largest, last.largest));
  double* const now = elements_of(x.values.handle());
  const double* const before = elements_of(last.values.handle());
  return unit.undone(sum_of([factor, unit, now, before](std::uint64_t v) {
    now[v] *= factor;
    return std::abs(unit(now[v]) - unit(before[v]));
  }));
}

}  // namespace gossamer::graph
