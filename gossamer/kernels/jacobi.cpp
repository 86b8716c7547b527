#include "gossamer/kernels/jacobi.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/kernels/internal/jacobi_slab.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::kernels {

namespace {

constexpr double k_top = 1;  // the hot edge
constexpr message_tag k_jacobi_tag = tag_in(0x6a61, 0);
constexpr std::uint64_t k_points_per_ns = 3;  // what a simulation charges for a core

/// The notifications of arrived rows and sums.
struct flags {
  std::array<notification, 2> rows;  // from above, from below
  std::array<notification, 16> sums;  // by round
};

/// The parameters of a run, and handles of its arrays.
struct plate {
  jacobi_work work;
  std::uint64_t depth;  // iterations of a pass
  jacobi_rows form;
  array<double> rows;  // the rows of all cores, at their places (jacobi_slab.hpp)
  array<double>
      mail;  // for every core the rows of both neighbours, twice, because a neighbour may be one pass ahead
  array<double> sums;  // for every core a sum of each core, twice
  per_core<flags> come;

  std::uint64_t first_row(core_id c) const { return work.n * c / cores(); }
  std::uint64_t rows_of(core_id c) const { return first_row(c + 1) - first_row(c); }
  std::uint64_t mail_of(core_id c, std::uint64_t turn, std::uint64_t side) const {
    return (std::uint64_t{c} * 4 + turn * 2 + side) * depth * form.stride;
  }
  static std::uint64_t sums_each() { return round_up(cores(), 8); }
  static std::uint64_t sums_of(core_id c, std::uint64_t turn) {
    return (std::uint64_t{c} * 2 + turn) * sums_each();
  }
};

/// The state of a core while it iterates.
class solver {
 public:
  explicit solver(const plate& p)
      : p_(p),
        slab_(p.rows.local().data(), p.form, p.rows_of(here()), p.depth, here() > 0, here() + 1 < cores(),
              k_top) {}

  struct ending {
    std::uint64_t iterations = 0, first_place = 0;
    double difference = 0;
  };

  ending run(const jacobi_progress& progress) {
    ending e;
    const std::uint64_t most = p_.work.iterations != 0 ? p_.work.iterations : ~std::uint64_t{0};
    do {
      const std::uint64_t levels = std::min(p_.depth, most - e.iterations);
      p_.work.method == jacobi_method::messages ? exchange_by_messages() : exchange_by_puts(levels);
      charge_work(p_.form.n * slab_.rows_of_pass(levels) / k_points_per_ns);
      const double mine = slab_.pass(static_cast<std::int64_t>(levels));
      const double sum =
          p_.work.method == jacobi_method::messages ? all_reduce(mine, std::plus<>{}) : sum_by_puts(mine);
      e.iterations += levels;
      e.difference = std::sqrt(sum);
      turn_ ^= 1;
      if (progress) progress(e.iterations, p_.work.iterations);
    } while (e.difference > p_.work.difference && e.iterations < most);
    e.first_place = slab_.place(0);
    return e;
  }

 private:
  static constexpr unsigned k_fan_out = 4;  // a round multiplies the sums of a core by this

  struct neighbour {
    bool there;
    core_id core;
    std::int64_t send, receive;  // first of the rows
  };

  std::array<neighbour, 2> neighbours(std::int64_t levels) const {
    const core_id me = here();
    return {neighbour{me > 0, me - 1, 0, -levels},
            neighbour{me + 1 < cores(), me + 1, slab_.rows() - levels, slab_.rows()}};
  }

  void exchange_by_puts(std::uint64_t levels) {
    const std::uint64_t count = levels * p_.form.stride;
    const auto both = neighbours(static_cast<std::int64_t>(levels));
    for (std::size_t side = 0; side < 2; ++side) {
      const neighbour& n = both[side];
      if (!n.there) continue;
      flags* const there = p_.come.address(n.core);
      put_notify(p_.mail, p_.mail_of(n.core, turn_, 1 - side),
                 std::span<const double>(slab_.row(n.send), count), {n.core, &there->rows[1 - side]});
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const neighbour& n = both[side];
      if (!n.there) continue;
      wait(p_.come.here().rows[side]);
      const std::uint64_t at = p_.mail_of(here(), turn_, side) - p_.mail.local_begin();
      std::ranges::copy(p_.mail.local().subspan(at, count), slab_.row(n.receive));
    }
  }

  void exchange_by_messages() {
    const auto row = [this](std::int64_t i) { return std::span<double>(slab_.row(i), p_.form.stride); };
    std::array<request, 2> sends, receives;
    const auto both = neighbours(1);
    for (std::size_t side = 0; side < 2; ++side)
      if (both[side].there)
        ireceive(receives[side], both[side].core, k_jacobi_tag + 1 - side,
                 std::as_writable_bytes(row(both[side].receive)));
    for (std::size_t side = 0; side < 2; ++side)
      if (both[side].there)
        isend(sends[side], both[side].core, k_jacobi_tag + side, std::as_bytes(row(both[side].send)));
    for (auto* requests : {&receives, &sends})
      for (request& r : *requests) r.wait();
  }

  /// Returns the sum over all cores, in their order. In round r a core has the sums of itself and of the 4^r
  /// - 1 cores behind it. It puts them to the cores 4^r, 2 x 4^r and 3 x 4^r before it. At the end every core
  /// has all sums. That takes half the rounds of a binary pattern: a round waits for a transfer's latency.
  double sum_by_puts(double mine) {
    const core_id me = here(), n = cores();
    const auto have = p_.sums.local().subspan(turn_ * plate::sums_each(), n);
    have[0] = mine;
    for (unsigned r = 0, distance = 1; distance < n; ++r, distance *= k_fan_out) {
      std::uint64_t coming = 0;
      for (unsigned far = distance; far < n && coming + 1 < k_fan_out; far += distance, ++coming) {
        const core_id to = (me + n - far) % n;
        flags* const there = p_.come.address(to);
        put_notify(p_.sums, plate::sums_of(to, turn_) + far, have.first(std::min(distance, n - far)),
                   {to, &there->sums[r]});
      }
      wait(p_.come.here().sums[r], coming);
    }
    double sum = have[(n - me) % n];
    for (core_id c = 1; c < n; ++c) sum += have[(c + n - me) % n];
    return sum;
  }

  const plate& p_;
  jacobi_slab slab_;
  std::uint64_t turn_ = 0;
};

/// A serial solver that shares only the order of the sums: two plates in turn, one iteration at a time.
struct serial_plate {
  std::uint64_t n, iterations = 0;
  double difference = 0;
  std::vector<double> now, next;

  explicit serial_plate(const plate& p) : n(p.work.n), now((n + 2) * (n + 2)), next((n + 2) * (n + 2)) {
    for (auto* one : {&now, &next}) std::fill_n(one->begin() + 1, n, k_top);
    const std::uint64_t most = p.work.iterations != 0 ? p.work.iterations : ~std::uint64_t{0};
    do {
      double sum = 0;
      for (core_id c = 0; c < cores(); ++c) {
        double part = 0;
        for (std::uint64_t i = p.first_row(c); i < p.first_row(c + 1); ++i) part += iterate_row(i + 1);
        sum = c == 0 ? part : sum + part;
      }
      std::swap(now, next);
      ++iterations;
      difference = std::sqrt(sum);
    } while (!(stops_at(p, most) && difference <= p.work.difference) && iterations < most);
  }
  /// Returns whether the cores compute the difference of this iteration.
  bool stops_at(const plate& p, std::uint64_t most) const {
    return iterations % p.depth == 0 || iterations == most;
  }
  double iterate_row(std::uint64_t i) {
    const std::uint64_t w = n + 2;
    std::array<double, 8> lanes{};
    for (std::uint64_t j = 1; j <= n; ++j) {
      const double x =
          0.25 * ((now[(i - 1) * w + j] + now[(i + 1) * w + j]) + (now[i * w + j - 1] + now[i * w + j + 1]));
      const double change = x - now[i * w + j];
      lanes[(j - 1) % 8] += change * change;
      next[i * w + j] = x;
    }
    double sum = 0;
    for (const double lane : lanes) sum += lane;
    return sum;
  }
};

/// Counts the numbers that differ from those of the serial solver.
std::uint64_t compare(const plate& p, const std::vector<solver::ending>& ends) {
  const serial_plate right(p);
  std::uint64_t wrong = 0;
  const auto differs = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b);
  };
  std::vector<double> row(p.work.n);
  std::uint64_t places = 0;
  for (core_id c = 0; c < cores(); ++c) {
    wrong += ends[c].iterations != right.iterations || differs(ends[c].difference, right.difference);
    for (std::uint64_t i = 0; i < p.rows_of(c); ++i) {
      get(p.rows, (places + ends[c].first_place + i) * p.form.stride + jacobi_rows::k_first, row);
      const double* const expected = &right.now[(p.first_row(c) + i + 1) * (p.work.n + 2) + 1];
      for (std::uint64_t j = 0; j < p.work.n; ++j) wrong += differs(row[j], expected[j]);
    }
    places += jacobi_slab::places(p.rows_of(c), p.depth);
  }
  return wrong;
}

}  // namespace

jacobi_result jacobi(const jacobi_work& work, const jacobi_progress& progress) {
  if (work.n < cores())
    throw error(
        fmt::format("jacobi: {} rows for {} cores: expected a row for each at least", work.n, cores()));
  const std::uint64_t depth =
      work.method == jacobi_method::blocked ? std::clamp<std::uint64_t>(work.depth, 1, work.n / cores()) : 1;
  const jacobi_rows form(work.n);
  std::vector<std::uint64_t> bounds{0};
  plate p{work, depth, form, {}, {}, {}, {}};
  for (core_id c = 0; c < cores(); ++c)
    bounds.push_back(bounds.back() + jacobi_slab::places(p.rows_of(c), depth) * form.stride);
  const scoped_array<double> rows(bounds.back(), by_boundaries(bounds));
  const scoped_array<double> mail(cores() * 4 * depth * form.stride), sums(cores() * 2 * plate::sums_each());
  const scoped_per_core<flags> come;
  const scoped_per_core<solver::ending> ends;
  p.rows = rows.handle();
  p.mail = mail.handle();
  p.sums = sums.handle();
  p.come = come.handle();
  on_all_cores([p] {  // touches every page before the clock starts
    std::ranges::fill(p.rows.local(), 0);
    std::ranges::fill(p.mail.local(), 0);
  });
  const scoped_per_core<jacobi_progress> watching;
  watching.here() = progress;
  const std::uint64_t start = machine::now_ns();
  on_all_cores([p, ends = ends.handle(), watching = watching.handle()] {
    ends.here() = solver(p).run(watching.here());
  });
  jacobi_result r{.depth = depth, .seconds = machine::seconds_since(start)};
  const auto all = collect(ends.handle(), [](solver::ending& e) { return e; });
  r.iterations = all[0].iterations;
  r.difference = all[0].difference;
  if (work.verify) r.verified = count_of_wrong(compare(p, all), "number is", "numbers are");
  return r;
}

}  // namespace gossamer::kernels
