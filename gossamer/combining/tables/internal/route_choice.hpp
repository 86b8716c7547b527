#pragma once
// Decides for one core and one set or map which way its questions about keys of other processes go: through the process combiners of
// its process (process_combiner.hpp), or straight to the owners. State only: no clock, no message; equal observations make equal
// decisions.
//
//   before a commit: observe() -> combines()          behind a commit through process combiners: observe_answers()
//
// A process combiner saves questions, since those of several cores for one key become one, and packets, since few cores collect what
// goes to a process. It costs a message inside the process. What each is worth follows from the size of the commit and from the
// questions that become one. Of these a core sees its share in the answers; before it has any, it expects what its own requests do
// among themselves.
//
// Own requests say nothing about keys that each core wants once, and hot keys make them say too much. So a core that goes straight,
// but would not if all cores wanted its keys, asks for a trial now and then: all cores of the process go through process combiners for
// a commit or two. A trial that changes nothing doubles the commits until the next.

#include <cstdint>

namespace gossamer::combining {

class route_choice {
 public:
  // In commits.
  static constexpr std::uint32_t k_trial = 2;
  static constexpr std::uint32_t k_least_patience = 16, k_most_patience = 2048;

  /// A job without a choice: one process, or one core in each.
  route_choice() = default;
  route_choice(unsigned processes, unsigned cores_per_process);

  /// Takes the size of the commit that is about to go: requests, and the questions that they have become. Decides its route.
  void observe(std::uint64_t requests, std::uint64_t questions);
  /// Takes how many questions of the last commit went through process combiners, and how many of these were sent on: the others became
  /// one with them.
  void observe_answers(std::uint64_t questions, std::uint64_t sent_on);
  /// Returns whether questions about keys of other processes go through process combiners.
  bool combines() const { return combines_; }

  /// Returns whether the process should begin a trial.
  bool wants_trial() const { return waited_ >= patience_; }
  /// Goes through process combiners for the next k_trial commits. Before observe() of the first.
  void begin_trial();

  /// Returns the questions that are expected to become one.
  double merged() const { return seen_ != 0 ? seen_ : expected_; }

 private:
  double worth(double merged) const;

  double cores_ = 1;  // of this process
  double far_share_ = 0;  // of the questions: keys of other processes; 0 where there is no choice
  double far_cores_ = 0;  // destinations of a core that asks straight
  double combined_cores_ = 0;  // destinations of a process combiner

  double questions_ = 0;  // of a commit, for other processes; 0: none yet
  double requests_each_ = 1;  // requests of a question
  double expected_ = 1,
         seen_ = 0;  // questions that become one, by own requests and in answers; 0: no answers yet
  double expected_then_ = 1;  // expected_ when seen_ was new
  bool tries_ = false;  // the last commit was part of a trial
  std::uint32_t trial_left_ = 0, waited_ = 0, patience_ = k_least_patience;
  bool combines_ = false;
};

}  // namespace gossamer::combining
