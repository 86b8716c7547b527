#pragma once
// Looks for an order of a history's operations in which a sequential model gives the same answers. An operation
// that was answered before another was called stays before it. The search of Wing and Gong ("Testing and verifying
// concurrent objects", JPDC 1993): depth first, one operation after the other out of those that nothing
// unordered precedes. As Lowe adds ("Testing for linearizability", CCPE 2017), a set of ordered operations
// with a state that was seen before is not tried again. The candidates are the operations invoked before the
// first answer in a list of all invocations and answers that skips ordered operations.
// Two rules spare most of the choices, and lose none:
//  - A candidate that fits and is quiet() comes next, without alternative: any order that has it later stays
//    right when it comes first.
//  - Of candidates that ask and answer the same, only the one answered first is tried: exchanged with the
//    other one in any order that is right, both stay within their intervals.
// With them a key of a set is decided without any backtracking; a counter nearly so.
// Complete; exponential in the number of concurrent operations at worst, hence the bound on states.

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "support/linearizability/history.hpp"
#include "support/linearizability/models.hpp"

namespace gossamer::test::linearizability {

template <class Model>
class order_search {
 public:
  /// `operations` must outlive this. A pending operation may have happened or not; where its answer is known
  /// (it came later than the part of a history that is looked at), then with that answer.
  explicit order_search(const history& operations, Model model = Model())
      : operations_(operations), model_(std::move(model)), nodes_(2 * operations.size() + 1) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> events;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const operation& o = operations[i];
      if (o.pending() && quiet(o)) continue;
      events.emplace_back(o.invoked, invocation(i));
      if (o.pending()) continue;
      events.emplace_back(o.answered, invocation(i) + 1);
      ++left_;
    }
    std::ranges::sort(events);
    std::uint32_t last = 0;
    for (const auto& [stamp, event] : events) {
      nodes_[last].next = event;
      nodes_[event].previous = last;
      last = event;
    }
    nodes_[last].next = 0;
    nodes_[0].previous = last;
  }

  outcome run(std::uint64_t most_states) {
    frames_.push_back({0, 0, 0});
    advance();
    while (!frames_.empty()) {
      if (left_ == 0) return outcome::linearizable;
      if (seen_.size() > most_states) return outcome::undecided;
      frame& top = frames_.back();
      if (top.next == choices_.size()) {
        close_frame();
        continue;
      }
      const std::uint32_t choice = choices_[top.next++];
      if (model_.apply(operations_[choice])) open_frame(choice);
    }
    return outcome::rejected;
  }

  std::uint64_t states() const { return seen_.size(); }

 private:
  struct node {  // of a ring of invocations and answers by stamp; 0 is its head
    std::uint32_t previous = 0, next = 0;
  };
  struct frame {  // a decision: what was ordered since, and the choices left, which reach to the next frame's
    std::size_t trail, choices, next;
  };
  struct hash_of {
    std::size_t operator()(const fingerprint& f) const { return f.low; }
  };

  static std::uint32_t invocation(std::uint32_t i) { return 2 * i + 1; }
  static bool is_answer(std::uint32_t node) { return node % 2 == 0; }  // or the head
  static std::uint32_t index(std::uint32_t node) { return (node - 1) / 2; }

  void open_frame(std::uint32_t applied) {
    frames_.push_back({trail_.size(), choices_.size(), choices_.size()});
    take(applied);
    const fingerprint state = model_.state();
    if (seen_.insert({hash64(state.low, ordered_.low), hash64(state.high, ordered_.high)}).second)
      advance();
    else
      close_frame();
  }

  void close_frame() {
    const frame top = frames_.back();
    frames_.pop_back();
    choices_.resize(top.choices);
    for (; trail_.size() > top.trail; trail_.pop_back()) put_back(trail_.back());
  }

  /// Orders what needs no choice, then collects the choices, most urgent first.
  void advance() {
    while (take_quiet()) continue;
    const auto begin = static_cast<std::ptrdiff_t>(choices_.size());
    for (std::uint32_t n = nodes_[0].next; !is_answer(n); n = nodes_[n].next)
      if (!quiet(operations_[index(n)])) choices_.push_back(index(n));
    std::sort(choices_.begin() + begin, choices_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::tuple(operations_[a].answered, a) < std::tuple(operations_[b].answered, b);
    });
    auto kept = choices_.begin() + begin;
    for (auto c = kept; c != choices_.end(); ++c)
      if (std::none_of(choices_.begin() + begin, kept, [&](std::uint32_t k) { return alike(k, *c); }))
        *kept++ = *c;
    choices_.erase(kept, choices_.end());
  }

  bool take_quiet() {
    bool any = false;
    for (std::uint32_t n = nodes_[0].next; !is_answer(n); n = nodes_[n].next) {
      const operation& o = operations_[index(n)];
      if (quiet(o) && model_.apply(o)) {
        take(index(n));  // n itself still knows its successor
        any = true;
      }
    }
    return any;
  }

  bool alike(std::uint32_t a, std::uint32_t b) const {
    const operation &x = operations_[a], &y = operations_[b];
    return std::tie(x.what, x.key, x.argument, x.known, x.answer) ==
           std::tie(y.what, y.key, y.argument, y.known, y.answer);
  }

  void take(std::uint32_t i) {
    trail_.push_back(i);
    ordered_.toggle(i, 0);
    unlink(invocation(i));
    if (operations_[i].pending()) return;
    unlink(invocation(i) + 1);
    --left_;
  }
  void put_back(std::uint32_t i) {
    if (!operations_[i].pending()) {
      relink(invocation(i) + 1);
      ++left_;
    }
    relink(invocation(i));
    ordered_.toggle(i, 0);
    model_.undo(operations_[i]);
  }
  void unlink(std::uint32_t n) {
    nodes_[nodes_[n].previous].next = nodes_[n].next;
    nodes_[nodes_[n].next].previous = nodes_[n].previous;
  }
  void relink(std::uint32_t n) { nodes_[nodes_[n].previous].next = nodes_[nodes_[n].next].previous = n; }

  const history& operations_;
  Model model_;
  std::vector<node> nodes_;
  std::uint64_t left_ = 0;  // answered operations that are not ordered yet
  fingerprint ordered_;  // of the set of those that are
  std::vector<std::uint32_t> trail_, choices_;
  std::vector<frame> frames_;
  std::unordered_set<fingerprint, hash_of> seen_;
};

}  // namespace gossamer::test::linearizability
