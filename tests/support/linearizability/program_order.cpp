// Depth first over the fibers' next operations. A set of ordered operations with a state that was seen before is not
// tried again. An operation that changes nothing comes as soon as it fits (quiet(), as in search.hpp): any right order
// that has it later stays right.

#include "support/linearizability/program_order.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "support/linearizability/models.hpp"

namespace gossamer::test::linearizability {
namespace {

template <class Model>
class program_order_search {
 public:
  /// All operations are answered. `operations` must outlive this.
  explicit program_order_search(const history& operations) : left_(operations.size()) {
    std::map<std::uint32_t, std::vector<const operation*>> of_fiber;
    for (const operation& o : operations) of_fiber[o.fiber].push_back(&o);
    for (auto& [fiber, all] : of_fiber) {
      std::ranges::sort(all, {}, &operation::invoked);
      fibers_.push_back({std::move(all), 0});
    }
  }

  outcome run(std::uint64_t most_states) {
    most_states_ = most_states;
    if (find()) return outcome::linearizable;
    return undecided_ ? outcome::undecided : outcome::rejected;
  }

 private:
  struct fiber_part {
    std::vector<const operation*> operations;
    std::size_t done;

    const operation* next() const { return done < operations.size() ? operations[done] : nullptr; }
  };
  struct hash_of {
    std::size_t operator()(const fingerprint& f) const { return f.low; }
  };

  bool find() {
    const std::size_t mark = trail_.size();
    while (order_quiet()) continue;
    if (left_ == 0) return true;
    const fingerprint state = model_.state();
    if (seen_.size() >= most_states_) undecided_ = true;
    if (!undecided_ && seen_.insert({hash64(state.low, done_.low), hash64(state.high, done_.high)}).second)
      for (std::size_t f = 0; f < fibers_.size(); ++f) {
        const operation* const o = fibers_[f].next();
        if (o == nullptr || !model_.apply(*o)) continue;
        take(f);
        if (find()) return true;
        put_back();
      }
    while (trail_.size() > mark) put_back();
    return false;
  }
  bool order_quiet() {
    bool any = false;
    for (std::size_t f = 0; f < fibers_.size(); ++f)
      for (const operation* o = fibers_[f].next(); o != nullptr && quiet(*o) && model_.apply(*o);
           o = fibers_[f].next()) {
        take(f);
        any = true;
      }
    return any;
  }
  /// Orders the next operation of a fiber, which the model has applied.
  void take(std::size_t f) {
    done_.toggle(f, fibers_[f].done++);
    trail_.push_back(f);
    --left_;
  }
  void put_back() {
    fiber_part& last = fibers_[trail_.back()];
    done_.toggle(trail_.back(), --last.done);
    model_.undo(*last.operations[last.done]);
    trail_.pop_back();
    ++left_;
  }

  std::vector<fiber_part> fibers_;
  Model model_;
  std::size_t left_;
  std::uint64_t most_states_ = 0;
  bool undecided_ = false;
  fingerprint done_;  // of the operations that are ordered
  std::vector<std::size_t> trail_;  // their fibers
  std::unordered_set<fingerprint, hash_of> seen_;
};

}  // namespace

verdict check_program_order(structure s, history operations, std::uint64_t most_states, keys judged) {
  detail::expect_sensible(s, operations);
  if (s != structure::set && s != structure::map)
    throw std::invalid_argument("program order is searched in sets and maps");
  if (std::ranges::any_of(operations, &operation::pending))
    throw std::invalid_argument("program order is searched where all operations are answered");
  std::ranges::sort(operations, {}, &operation::invoked);
  std::vector<history> parts = detail::parts(s, operations);
  if (judged == keys::together) parts.push_back(operations);
  verdict v;
  for (const history& part : parts) {
    v.outcome = program_order_search<dictionary_model>(part).run(most_states);
    if (v) continue;
    v.report = v.outcome == outcome::undecided ? "undecided: " : "not sequentially consistent: ";
    v.report += std::string(to_string(s)) + ", " + std::to_string(part.size()) + " operations" +
                (part.size() < operations.size() ? " of one key:\n" : ":\n");
    for (const operation& o : part) v.report += detail::line(o, operations);
    break;
  }
  return v;
}

}  // namespace gossamer::test::linearizability
