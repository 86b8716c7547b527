#pragma once
// Decides for one core and one set or map whether requests for keys of its own process merge before they are
// sent. A question is the merged requests for one key. Pure state: equal observations make equal decisions.
//
//   merges --commits in which few requests merge--> alone --patience requests--> trial: merges for a few commits
//     ^                                               ^------ few requests merge -------|
//     |--------------------------- many requests merge ---------------------------------|
//
// A request that merges saves a message, and costs a place in the batch. Inside a process that pays only if
// several requests become one question. Each trial that changes nothing doubles the requests until the next.

#include <algorithm>
#include <cstdint>

namespace gossamer::combining {

class merge_choice {
 public:
  static constexpr std::uint32_t k_trial = 2;  // commits
  static constexpr std::uint32_t k_least_patience = 1 << 13, k_most_patience = 1 << 20;  // requests
  // Requests per question. Below k_few merging stops; above k_many it resumes.
  static constexpr double k_few = 1.1, k_many = 1.25;

  /// Returns whether requests for keys of the own process merge.
  bool merges() const { return merges_; }
  /// Counts a request that was sent alone, because merges() is false.
  void count_alone() {
    if (--left_ == 0) [[unlikely]]
      begin_trial();
  }
  /// Observes a commit: the number of its requests, and of the questions they were merged into.
  void observe(std::uint64_t requests, std::uint64_t questions) {
    if (questions == 0) return;
    const double each = static_cast<double>(requests) / static_cast<double>(questions);
    each_ = commits_ == 0 ? each : each_ + (each - each_) / 2;
    ++commits_;
    if (!merges_) {  // requests for keys of other processes always merge
      if (commits_ >= k_trial && each_ > k_many) merges_ = true;
    } else if (commits_ >= k_trial) {
      settle();
    }
  }

 private:
  void begin_trial() {
    merges_ = true;
    tries_ = true;
    commits_ = 0;
  }
  void settle() {
    merges_ = each_ > (tries_ ? k_many : k_few);
    if (!merges_) {
      left_ = patience_;
      patience_ = std::min(2 * patience_, k_most_patience);
    } else if (tries_) {
      patience_ = k_least_patience;
    }
    tries_ = false;
  }

  double each_ = 1;  // requests per question, averaged
  std::uint32_t commits_ = 0;  // since the start or the last trial
  std::uint32_t left_ = 0, patience_ = k_least_patience;  // requests until the next trial
  bool merges_ = true, tries_ = false;
};

}  // namespace gossamer::combining
