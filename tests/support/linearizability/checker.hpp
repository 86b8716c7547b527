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

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/linearizability/collections.hpp"
#include "support/linearizability/history.hpp"
#include "support/linearizability/models.hpp"
#include "support/linearizability/search.hpp"

namespace gossamer::test::linearizability {

enum class structure : std::uint8_t { counter, stack, queue, priority_queue, set, map };

inline const char* to_string(structure s) {
  static constexpr const char* k_names[] = {"counter", "stack", "queue", "priority queue", "set", "map"};
  return k_names[static_cast<unsigned>(s)];
}

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

inline bool has(structure s, kind k) {
  const bool dictionary = k == kind::insert || k == kind::contains || k == kind::erase || k == kind::size;
  switch (s) {
    case structure::counter:
      return k == kind::fetch_add || k == kind::read;
    case structure::queue:
      return k == kind::enqueue || k == kind::dequeue || k == kind::size;
    case structure::set:
      return dictionary;
    case structure::map:
      return dictionary || k == kind::insert_or_assign || k == kind::lookup || k == kind::update;
    default:
      return k == kind::push || k == kind::pop || k == kind::size;
  }
}

/// Throws std::invalid_argument for a mistake of the test, not of the structure.
inline void expect_sensible(structure s, const history& operations) {
  std::vector<std::uint64_t> stamps;
  for (const operation& o : operations) {
    if (!has(s, o.what))
      throw std::invalid_argument(std::string("a ") + to_string(s) + " has no " + to_string(o));
    if (o.invoked >= o.answered)
      throw std::invalid_argument(to_string(o) + " was answered before it was invoked");
    stamps.push_back(o.invoked);
    if (!o.pending()) stamps.push_back(o.answered);
  }
  std::ranges::sort(stamps);
  if (std::ranges::adjacent_find(stamps) != stamps.end())
    throw std::invalid_argument("a history has one stamp twice");
}

/// Decides parts of one history, with a bound on the states of all its searches together.
class decision {
 public:
  decision(structure s, std::uint64_t most_states) : structure_(s), most_states_(most_states) {}

  outcome of(const history& operations) {
    switch (structure_) {
      case structure::counter:
        return search<counter_model>(operations);
      case structure::stack:
        return collection<stack_model>(operations, fits_stack);
      case structure::queue:
        return collection<queue_model>(operations, fits_queue);
      case structure::priority_queue:
        return collection<priority_queue_model>(operations, fits_priority_queue);
      default:
        return search<dictionary_model>(operations);
    }
  }
  std::uint64_t states() const { return states_; }

 private:
  template <class Model>
  outcome search(const history& operations) {
    return search(operations, Model());
  }
  template <class Model>
  outcome search(const history& operations, Model model) {
    order_search<Model> s(operations, std::move(model));
    const outcome o = s.run(most_states_);
    states_ += s.states();
    return o;
  }

  template <class Model>
  outcome collection(const history& operations, bool (*fits)(std::vector<lifetime>)) {
    const lifetimes all = lifetimes_of(operations);
    if (!all.distinct) return search<Model>(operations);
    if (!all.possible) return outcome::rejected;
    const bool right = empty_answers_fit(all) && fits(all.values);  // if no open take has happened
    if (right && !all.sizes) return outcome::linearizable;
    if (!right && all.open_take == k_never) return outcome::rejected;
    return search(operations, Model(take_intervals(all)));
  }

  structure structure_;
  std::uint64_t most_states_;
  std::uint64_t states_ = 0;
};

/// Returns the history up to a stamp; operations that were answered later are pending then. Their later
/// answers stay known, so that a contradiction shows as soon as there is one. A history whose prefix is
/// rejected so is not linearizable as a whole.
inline history prefix(const history& operations, std::uint64_t last) {
  history part;
  for (operation o : operations) {
    if (o.invoked > last) continue;
    if (o.answered > last) o.answered = k_never;
    if (o.pending() && quiet(o)) continue;
    part.push_back(o);
  }
  return part;
}

/// Returns the shortest prefix that is rejected. A longer one is, too.
inline history shortest_rejected(decision& decide, const history& operations) {
  std::vector<std::uint64_t> ends;
  for (const operation& o : operations)
    if (!o.pending()) ends.push_back(o.answered);
  std::ranges::sort(ends);
  const auto end = std::partition_point(ends.begin(), ends.end(), [&](std::uint64_t last) {
    return decide.of(prefix(operations, last)) != outcome::rejected;
  });
  return end == ends.end() ? operations : prefix(operations, *end);
}

/// Leaves out what the contradiction does not need: quiet operations, then, of collections with distinct
/// values and without sizes, whole values. Without these, what was linearizable would be still.
inline history without_needless(decision& decide, structure s, history operations) {
  const auto leave_out = [&](auto&& needless) {
    history rest = operations;
    std::erase_if(rest, needless);
    if (rest.size() < operations.size() && decide.of(rest) == outcome::rejected) operations = std::move(rest);
  };
  const history all = operations;
  for (const operation& o : all)
    if (quiet(o)) leave_out([&](const operation& r) { return r.invoked == o.invoked; });
  const lifetimes values = lifetimes_of(operations);
  if (s == structure::counter || s == structure::set || s == structure::map || !values.distinct ||
      values.sizes)
    return operations;
  for (const operation& o : all)
    if (puts(o))
      leave_out(
          [&](const operation& r) { return r.invoked == o.invoked || (takes(r) && r.answer == o.argument); });
  return operations;
}

inline std::string line(const operation& o, const history& whole) {
  const auto full = std::ranges::find(whole, o.invoked, &operation::invoked);
  std::string end = o.pending() ? "" : std::to_string(o.answered);
  std::string text = std::to_string(o.invoked) + ".." + end;
  text.resize(std::max<std::size_t>(text.size(), 16), ' ');
  text += "fiber " + std::to_string(o.fiber);
  text.resize(std::max<std::size_t>(text.size(), 28), ' ');
  text += to_string(o);
  if (full->pending()) return text + "   (never answered)\n";
  return text + (o.pending() ? "   (answered at " + std::to_string(full->answered) + ")\n" : "\n");
}

inline std::string report(structure s, const history& whole, const history& core) {
  std::uint64_t last = 0;
  for (const operation& o : core)
    if (!o.pending()) last = std::max(last, o.answered);
  const auto until = std::ranges::count_if(whole, [&](const operation& o) { return o.invoked <= last; });
  std::string text = std::string("not linearizable: ") + to_string(s) + ", " + std::to_string(whole.size()) +
                     " operations; wrong from stamp " + std::to_string(last) + " on, by these " +
                     std::to_string(core.size()) + " of the " + std::to_string(until) + " until then:\n";
  for (const operation& o : core) text += line(o, whole);
  return text;
}

/// Returns the parts that can be judged apart: the keys of sets and maps. Sizes belong to no key: with them
/// the whole history is one more part.
inline std::vector<history> parts(structure s, const history& operations) {
  if (s != structure::set && s != structure::map) return {operations};
  std::map<std::uint64_t, history> keys;
  for (const operation& o : operations)
    if (o.what != kind::size) keys[o.key].push_back(o);
  std::vector<history> all;
  for (auto& [key, part] : keys) all.push_back(std::move(part));
  if (std::ranges::find(operations, kind::size, &operation::what) != operations.end())
    all.push_back(operations);
  return all;
}

}  // namespace detail

/// Judges a history, its operations in any order. Gives up ("undecided") when one search has
/// seen `most_states` (some 100 bytes each). A rejected one costs some dozen times more: it is made small.
inline verdict check(structure s, history operations, std::uint64_t most_states = 1'000'000) {
  detail::expect_sensible(s, operations);
  std::ranges::sort(operations, {}, &operation::invoked);
  detail::decision decide(s, most_states);
  verdict v;
  for (const history& part : detail::parts(s, operations)) {
    const outcome o = decide.of(part);
    if (o == outcome::linearizable) continue;
    v.outcome = o;
    if (o == outcome::undecided) continue;
    detail::decision again(s, most_states), briefly(s, std::min<std::uint64_t>(most_states, 20'000));
    const history shortest = detail::shortest_rejected(again, part);
    v.report = detail::report(s, operations, detail::without_needless(briefly, s, shortest));
    break;
  }
  v.states = decide.states();
  if (v.outcome == outcome::undecided)
    v.report = std::string("undecided: ") + to_string(s) + ", " + std::to_string(operations.size()) +
               " operations, more than " + std::to_string(most_states) + " states";
  return v;
}

}  // namespace gossamer::test::linearizability
