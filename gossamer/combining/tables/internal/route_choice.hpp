#pragma once
// Decides for one core and one set or map how its questions about keys of other processes are sent: through
// the process combiners of its process (process_combiner.hpp), or directly to the owners. A question is the
// merged requests for one key. Pure state: no clock, no message; equal observations make equal decisions.
//
//   before a commit: observe() -> combines()          after a commit through process combiners: observe_answers()
//
// A process combiner saves questions, since those of several cores for one key merge. It also saves packets,
// since fewer cores send to each process. It costs a message inside the process. The benefit depends on the
// size of the commit and on the fraction of questions that merge. A core learns that fraction from the
// answers. Before the first answers it estimates it from the merging among its own requests.
//
// Own requests predict nothing about keys that each core requests once, and hot keys bias them upwards. So a
// core that sends directly, but would not if all cores requested its keys, requests a trial now and then: all
// cores of the process go through process combiners for a commit or two. Each trial that changes nothing
// doubles the commits until the next.

#include <cstdint>

namespace gossamer::combining {

class route_choice {
 public:
  // In commits.
  static constexpr std::uint32_t k_trial = 2;
  static constexpr std::uint32_t k_least_patience = 16, k_most_patience = 2048;

  /// Makes the choice of a job that has none: one process, or one core in each.
  route_choice() = default;
  route_choice(unsigned processes, unsigned cores_per_process);

  /// Observes the commit that is about to be sent: the numbers of its requests and questions. Decides its
  /// route.
  void observe(std::uint64_t requests, std::uint64_t questions);
  /// Observes how many questions of the last commit went through process combiners, and how many of these
  /// were sent to owners. The others merged with them.
  void observe_answers(std::uint64_t questions, std::uint64_t sent_on);
  /// Returns whether questions about keys of other processes go through process combiners.
  bool combines() const { return combines_; }

  /// Returns whether the process should begin a trial.
  bool wants_trial() const { return waited_ >= patience_; }
  /// Goes through process combiners for the next k_trial commits. Before observe() of the first.
  void begin_trial();

  /// Returns the expected number of questions that merge into one.
  double merged() const { return seen_ != 0 ? seen_ : expected_; }

 private:
  double worth(double merged) const;

  double cores_ = 1;  // of this process
  double far_share_ = 0;  // fraction of questions for keys of other processes; 0 without a choice
  double far_cores_ = 0;  // destinations of a core that sends directly
  double combined_cores_ = 0;  // destinations of a process combiner

  double questions_ = 0;  // of a commit, for other processes; 0: none yet
  double requests_each_ = 1;  // requests per question
  double expected_ = 1,
         seen_ = 0;  // questions that merge into one: according to the answers; 0: no answers yet
  double expected_then_ = 1;  // expected_ when seen_ was updated
  bool tries_ = false;  // the last commit was part of a trial
  std::uint32_t trial_left_ = 0, waited_ = 0, patience_ = k_least_patience;
  bool combines_ = false;
};

}  // namespace gossamer::combining
