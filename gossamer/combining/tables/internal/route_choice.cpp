#include "gossamer/combining/tables/internal/route_choice.hpp"

#include <algorithm>

namespace gossamer::combining {

namespace {

// The costs in ns, fitted to 95 simulated runs (docs/adr/0083-what-adapts.md). Only their ratios matter.
struct route_costs {
  static constexpr double k_question = 50;  // sent, applied and answered
  static constexpr double k_packet = 500;  // to one destination, and its answer
  static constexpr double k_hop = 40;  // of a question to a process combiner, and of its answer
  static constexpr double k_wait = 2000;  // of a commit, until a process combiner takes its questions
};

constexpr double k_margin = 0.05;  // fraction of the cost that a change of the route has to gain beyond it
constexpr double k_newest = 0.5;  // weight of the newest commit in averages
constexpr double k_changed = 1.5;  // expectations that differ by this factor concern other keys

/// Returns approximately how many of n destinations receive something if q questions go to random ones.
double reached(double q, double n) { return q * n / (q + n); }

/// Returns how many questions of `cores` cores merge into one, if each core has requests_each requests per
/// question and keys are drawn uniformly. With x requests of a core per key on average, it requests 1 -
/// exp(-x) = x / requests_each of the keys.
double merged_by_chance(double requests_each, double cores) {
  const double x = requests_each < 2 ? 2 * (requests_each - 1) : requests_each;
  const double all = cores * x;
  const double known = std::min(1.0, all / (1 + all / 2));  // approximately 1 - exp(-all)
  return all <= 0 ? 1 : std::clamp(all / requests_each / known, 1.0, cores);
}

}  // namespace

route_choice::route_choice(unsigned processes, unsigned cores_per_process) {
  if (processes < 2 || cores_per_process < 2) return;
  const double all = static_cast<double>(processes) * cores_per_process;
  const double combiners = std::max(1U, cores_per_process / processes);  // for each process
  cores_ = cores_per_process;
  far_cores_ = all - cores_;
  far_share_ = far_cores_ / (all - 1);  // keys of the own core need no question
  combined_cores_ = far_cores_ * combiners / cores_;
}

/// Returns what process combiners save, as a multiple of their cost, if `merged` questions become one.
double route_choice::worth(double merged) const {
  const double sent_on = questions_ / merged;
  const double saved =
      route_costs::k_question * (questions_ - sent_on) +
      route_costs::k_packet * (reached(questions_, far_cores_) - reached(sent_on, combined_cores_));
  return saved / (route_costs::k_hop * questions_ + route_costs::k_wait);
}

void route_choice::observe(std::uint64_t requests, std::uint64_t questions) {
  if (far_share_ == 0 || questions == 0) return;
  const double asked = static_cast<double>(questions) * far_share_;
  const double each = std::max(1.0, static_cast<double>(requests) / static_cast<double>(questions));
  const bool first = questions_ == 0;
  questions_ = first ? asked : questions_ + k_newest * (asked - questions_);
  requests_each_ = first ? each : requests_each_ + k_newest * (each - requests_each_);
  expected_ = merged_by_chance(requests_each_, cores_);
  if (seen_ != 0 && std::max(expected_, expected_then_) > k_changed * std::min(expected_, expected_then_))
    seen_ = 0;

  if (trial_left_ != 0) {
    --trial_left_;
    combines_ = tries_ = true;
    return;
  }
  if (tries_) combines_ = tries_ = false;
  const bool before = combines_;
  combines_ = worth(merged()) > (combines_ ? 1 - k_margin : 1 + k_margin);
  if (combines_) {
    if (!before) patience_ = k_least_patience;
    waited_ = 0;
  } else if (worth(cores_) > 1 + k_margin) {
    ++waited_;
  }
}

void route_choice::begin_trial() {
  if (far_share_ == 0 || combines_) return;
  waited_ = 0;
  patience_ = std::min(2 * patience_, k_most_patience);
  trial_left_ = k_trial;
}

void route_choice::observe_answers(std::uint64_t questions, std::uint64_t sent_on) {
  if (questions == 0) return;
  const double merged =
      static_cast<double>(questions) / static_cast<double>(std::max<std::uint64_t>(1, sent_on));
  seen_ = seen_ == 0 || tries_ ? merged : seen_ + k_newest * (merged - seen_);
  expected_then_ = expected_;
}

}  // namespace gossamer::combining
