#pragma once
// Says whether a history of one structure is linearizable, and shows the operations that prove it is not:
//
//   namespace lin = gossamer::test::linearizability;
//   lin::recorder recorder(fibers);                                                     // outside the job
//   recorder.of(f).call(lin::push(v), [&] { stack.push(v); });                          // in fiber f
//   const auto top = recorder.of(f).call(lin::pop(), [&] { return stack.pop(); });
//   const lin::verdict v = lin::check(lin::structure::stack, recorder.history());       // after the job
//   EXPECT_TRUE(v) << v;
//
// How, always complete (a verdict other than undecided is right):
//   stack, queue, priority queue  collections.hpp, if all values differ; n log n to n^2 log n.
//   set, map                      search.hpp per key (linearizability is local: Herlihy, Wing, TOPLAS 1990;
//                                 Horn, Kroening, FORTE 2015); a key of a set without choices.
//   counter                       search.hpp, next to no choices when nothing is added twice from one value.
//   the rest                      search.hpp over the whole history, which may end undecided: values that
//                                 repeat, takes never answered (if they matter), size() (after all else fits).
// So let tests use distinct values, and call size() seldom or while little else is under way.
//
// Compiled once, in the library history_checker: its searches are more code than most programs that use them.

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "support/linearizability/history.hpp"

namespace gossamer::test::linearizability {

enum class structure : std::uint8_t { counter, stack, queue, priority_queue, set, map };

const char* to_string(structure s);

struct verdict {
  linearizability::outcome outcome = linearizability::outcome::linearizable;
  std::uint64_t states = 0;  // that searches went through
  std::string report;  // why not; empty when it is linearizable

  explicit operator bool() const { return outcome == linearizability::outcome::linearizable; }
};

inline std::ostream& operator<<(std::ostream& out, const verdict& v) {
  return out << (v ? "linearizable" : v.report);
}

namespace detail {

/// Throws std::invalid_argument for a mistake of the test, not of the structure.
void expect_sensible(structure s, const history& operations);

/// Decides parts of one history, with a bound on the states of all its searches together.
class decision {
 public:
  decision(structure s, std::uint64_t most_states) : structure_(s), most_states_(most_states) {}

  outcome of(const history& operations);
  std::uint64_t states() const { return states_; }

 private:
  template <class Model>
  outcome search(const history& operations, Model model = Model());
  template <class Model, class Fits>
  outcome collection(const history& operations, Fits fits);

  structure structure_;
  std::uint64_t most_states_;
  std::uint64_t states_ = 0;
};

/// Returns the shortest prefix that is rejected. A longer one is, too.
history shortest_rejected(decision& decide, const history& operations);

/// Leaves out what the contradiction does not need: quiet operations, then, of collections with distinct
/// values and without sizes, whole values. Without these, what was linearizable would be still.
history without_needless(decision& decide, structure s, history operations);

/// Returns an operation of `whole` in a line: stamps, fiber, what it asked and was answered.
std::string line(const operation& o, const history& whole);

/// Returns the parts that can be judged apart: the keys of sets and maps. Sizes belong to no key: with them
/// the whole history is one more part.
std::vector<history> parts(structure s, const history& operations);

}  // namespace detail

/// Judges a history, its operations in any order. Gives up ("undecided") when one search has
/// seen `most_states` (some 100 bytes each). A rejected one costs some dozen times more: it is made small.
verdict check(structure s, history operations, std::uint64_t most_states = 1'000'000);

}  // namespace gossamer::test::linearizability
