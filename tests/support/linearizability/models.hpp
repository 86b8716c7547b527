#pragma once
// The sequential structures that histories are compared with. A model is one state that walks forwards and
// back: apply(o) does what o asks if the structure would then answer as o says (else it says no and changes
// nothing); undo(o) takes back the last one applied. An operation whose answer is unknown fits always.
// state() tells states apart after the same set of operations: 128 bits, so by chance two in 10^18 coincide.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "support/linearizability/collections.hpp"
#include "support/linearizability/history.hpp"

namespace gossamer::test::linearizability {

/// A hash of a set of pairs, changed by one of them at a time.
struct fingerprint {
  std::uint64_t low = 0, high = 0;

  void toggle(std::uint64_t a, std::uint64_t b) {
    low ^= hash64(a, b);
    high ^= hash64(~b, a);
  }
  bool operator==(const fingerprint&) const = default;
};

inline bool agrees(const operation& o, std::optional<std::uint64_t> answer) {
  return !o.known || o.answer == answer;
}

class counter_model {
 public:
  bool apply(const operation& o) {
    if (!agrees(o, value_)) return false;
    if (o.what == kind::fetch_add) value_ += o.argument;
    return true;
  }
  void undo(const operation& o) {
    if (o.what == kind::fetch_add) value_ -= o.argument;
  }
  fingerprint state() const { return {hash64(value_), hash64(~value_)}; }

 private:
  std::uint64_t value_ = 0;
};

/// Given when values will be taken (all distinct), refuses a push above what has to leave before.
class stack_model {
 public:
  explicit stack_model(take_times times = {}) : times_(std::move(times)) {}
  bool apply(const operation& o) {
    if (o.what == kind::size) return agrees(o, values_.size());
    if (o.what == kind::push)
      return take_of(times_, o.argument).begin <= must_leave_.back() && (put(o.argument), true);
    const auto top = values_.empty() ? std::nullopt : std::optional(values_.back());
    if (!agrees(o, top)) return false;
    popped_.push_back(top);
    if (top) take();
    return true;
  }
  void undo(const operation& o) {
    if (o.what == kind::push) return take();
    if (o.what != kind::pop) return;
    if (popped_.back()) put(*popped_.back());
    popped_.pop_back();
  }
  fingerprint state() const { return state_; }

 private:
  void put(std::uint64_t value) {
    values_.push_back(value);
    must_leave_.push_back(std::min(must_leave_.back(), take_of(times_, value).end));
    state_.toggle(values_.size(), value);
  }
  void take() {
    state_.toggle(values_.size(), values_.back());
    values_.pop_back();
    must_leave_.pop_back();
  }

  take_times times_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> must_leave_{k_never};  // the first of the values up to here
  std::vector<std::optional<std::uint64_t>> popped_;  // by the pops that may be undone
  fingerprint state_;
};

/// Given when values will be taken (all distinct), refuses an enqueue behind what can only leave later, or
/// before that of what has to leave before.
class queue_model {
 public:
  explicit queue_model(take_times times = {}) : times_(std::move(times)) {
    for (const auto& [value, take] : times_)
      if (take.end != k_never) to_come_.insert(take.end);
  }
  bool apply(const operation& o) {
    if (o.what == kind::size) return agrees(o, values_.size() - head_);
    if (o.what == kind::enqueue) {
      const interval take = take_of(times_, o.argument);
      if (take.end < may_leave_.back()) return false;
      if (!to_come_.empty() && *to_come_.begin() < take.begin) return false;
      to_come_.erase(take.end);
      may_leave_.push_back(std::max(may_leave_.back(), take.begin));
      values_.push_back(o.argument);
      state_.toggle(values_.size(), o.argument);
      return true;
    }
    const bool some = head_ != values_.size();
    if (!agrees(o, some ? std::optional(values_[head_]) : std::nullopt)) return false;
    took_.push_back(some);
    if (some) pass(head_++);
    return true;
  }
  void undo(const operation& o) {
    if (o.what == kind::enqueue) {
      if (const interval take = take_of(times_, o.argument); take.end != k_never) to_come_.insert(take.end);
      state_.toggle(values_.size(), values_.back());
      values_.pop_back();
      may_leave_.pop_back();
    } else if (o.what == kind::dequeue) {
      if (took_.back()) pass(--head_);
      took_.pop_back();
    }
  }
  fingerprint state() const { return state_; }

 private:
  void pass(std::size_t index) { state_.toggle(index + 1, values_[index]); }

  take_times times_;
  std::vector<std::uint64_t> values_;  // all that were ever in it; those from head_ on are
  std::vector<std::uint64_t> may_leave_{0};  // the last of the values up to here
  std::set<std::uint64_t> to_come_;           // ends of takes of what is not yet enqueued
  std::size_t head_ = 0;
  std::vector<bool> took_;  // did the dequeues that may be undone?
  fingerprint state_;
};

/// Smallest first. Values are priorities: equal ones cannot be told apart.
class priority_queue_model {
 public:
  explicit priority_queue_model(const take_times& = {}) {}
  bool apply(const operation& o) {
    if (o.what == kind::size) return agrees(o, values_.size());
    if (o.what == kind::push) return put(o.argument), true;
    const auto least = values_.empty() ? std::nullopt : std::optional(*values_.begin());
    if (!agrees(o, least)) return false;
    popped_.push_back(least);
    if (least) take(*least);
    return true;
  }
  void undo(const operation& o) {
    if (o.what == kind::push) return take(o.argument);
    if (o.what != kind::pop) return;
    if (popped_.back()) put(*popped_.back());
    popped_.pop_back();
  }
  fingerprint state() const { return state_; }

 private:
  void put(std::uint64_t value) {
    state_.toggle(value, values_.count(value));
    values_.insert(value);
  }
  void take(std::uint64_t value) {
    values_.erase(values_.find(value));
    state_.toggle(value, values_.count(value));
  }

  std::multiset<std::uint64_t> values_;
  std::vector<std::optional<std::uint64_t>> popped_;
  fingerprint state_;
};

/// Set and map: a set is a map whose values are all 0.
class dictionary_model {
 public:
  bool apply(const operation& o) {
    const auto found = entries_.find(o.key);
    const bool present = found != entries_.end();
    const auto value = present ? std::optional(found->second) : std::nullopt;
    switch (o.what) {
      case kind::contains:
        return agrees(o, present);
      case kind::lookup:
        return agrees(o, value);
      case kind::size:
        return agrees(o, entries_.size());
      case kind::insert:
        return agrees(o, !present) && change(o.key, value, present ? value : o.argument);
      case kind::insert_or_assign:
        return agrees(o, !present) && change(o.key, value, o.argument);
      case kind::erase:
        return agrees(o, present) && change(o.key, value, std::nullopt);
      default:
        return agrees(o, present) &&
               change(o.key, value, present ? std::optional(updated(*value, o.argument)) : std::nullopt);
    }
  }
  void undo(const operation& o) {
    if (o.what == kind::contains || o.what == kind::lookup || o.what == kind::size) return;
    set(o.key, before_.back());
    before_.pop_back();
  }
  fingerprint state() const { return state_; }

 private:
  using content = std::optional<std::uint64_t>;

  bool change(std::uint64_t key, content before, content after) {
    before_.push_back(before);
    set(key, after);
    return true;
  }
  void set(std::uint64_t key, content value) {
    if (const auto found = entries_.find(key); found != entries_.end()) {
      state_.toggle(key, found->second);
      entries_.erase(found);
    }
    if (!value) return;
    state_.toggle(key, *value);
    entries_.emplace(key, *value);
  }

  std::unordered_map<std::uint64_t, std::uint64_t> entries_;
  std::vector<content> before_;  // of the changes that may be undone
  fingerprint state_;
};

}  // namespace gossamer::test::linearizability
