#pragma once
// Merged requests for keys: one question per key and kind of request. Sends the questions to the owners
// directly, or through the process combiners of this process (process_combiner.hpp).

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "gossamer/combining/engine/internal/latch.hpp"
#include "gossamer/combining/engine/internal/parked_result.hpp"
#include "gossamer/combining/tables/internal/distinct.hpp"
#include "gossamer/combining/tables/internal/shard.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/visit.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::combining {

template <class Key, class Value>
class process_combiner;
template <class Key, class Value>
class phase_part;
template <class Key, class Value, class Operation>
class combined_request_of;

/// Returns the owner of a hash, from bits that tables do not use.
inline core_id owner_of(std::uint64_t hash) { return static_cast<core_id>(((hash >> 46) * cores()) >> 18); }

/// The locations of the tables of a set or map. Trivially copyable.
template <class Key, class Value>
struct owners {
  per_core<shard<Key, Value>> shards;
  per_core<process_combiner<Key, Value>> process_combiners;
  per_core<phase_part<Key, Value>> phases;
  bool combines_by_process = false;  // requests for other processes go through a process combiner
  bool chooses_route = false;  // each commit decides
  bool may_go_alone = false;  // requests for keys of the own process need not merge
  bool answers_from_pending = false;  // lookups may be answered from requests of their core that are pending

  bool through_process_combiner(core_id owner) const {
    return combines_by_process && !message::endpoint::here().is_local(owner);
  }
};

/// Whether requests and answers fit messages, keys not counted.
template <class Value, class Operation>
inline constexpr bool k_small = sizeof(typename Operation::sent) < k_most_in_message &&
                                (!Operation::k_answers || sizeof(outcome<Value>) <= k_most_in_message);

/// The payload of a request that fits no record: the operation's argument, followed by the key.
template <class Key, class Operation>
struct long_request {
  using carrier = key_carrier<Key>;
  using sent_type = typename Operation::sent;

  static std::vector<std::byte> pack(typename carrier::argument key, const sent_type& sent) {
    const auto key_bytes = carrier::bytes(key);
    std::vector<std::byte> all(sizeof sent + key_bytes.size());
    std::memcpy(all.data(), static_cast<const void*>(&sent), sizeof sent);
    if (!key_bytes.empty()) std::memcpy(all.data() + sizeof sent, key_bytes.data(), key_bytes.size());
    return all;
  }
  template <class Value>
  static outcome<Value> apply(shard<Key, Value>* at, std::span<const std::byte> all) {
    struct storage {
      alignas(sent_type) std::byte bytes[sizeof(sent_type)];
    };
    std::unique_ptr<storage> copy;
    const std::byte* sent = all.data();
    if (reinterpret_cast<std::uintptr_t>(sent) % alignof(sent_type) != 0) {
      copy = std::make_unique_for_overwrite<storage>();
      sent = static_cast<const std::byte*>(std::memcpy(copy->bytes, sent, sizeof(sent_type)));
    }
    return at->template apply<Operation>(
        carrier::from_bytes(all.data() + sizeof(sent_type), all.size() - sizeof(sent_type)),
        *std::launder(reinterpret_cast<const sent_type*>(sent)));
  }
};

/// A value that is stored at the owner until it is fetched.
struct parked_outcome {
  result done;
  parked_result value;
};

/// Sends a request of any size. The owner needs no fiber for it. Suspends; rethrows exceptions of functions
/// of the program.
template <class Key, class Value, class Operation>
outcome<Value> ask_at_length(core_id owner, shard<Key, Value>* at, typename key_carrier<Key>::argument key,
                             const typename Operation::sent& sent) {
  if (message::endpoint::here().is_local(owner)) {  // accesses the caller's memory in place: the caller waits
    outcome<Value> found;
    message::remote_call<void>(owner, [at, &key, &sent, &found] {
      const outcome<Value> there = at->template apply<Operation>(key, sent);
      found.done = there.done;
      if constexpr (Operation::k_answers)
        if (there.done == result::yes) found.value = there.value;
    });
    return found;
  }
  using request = long_request<Key, Operation>;
  const std::vector<std::byte> all = request::pack(key, sent);
  if constexpr (!Operation::k_answers) {
    return {call_on(
        owner, [at](std::span<const std::byte> bytes) { return request::apply(at, bytes).done; }, all)};
  } else if constexpr (sizeof(outcome<Value>) <= k_most_in_message) {
    return call_on(owner, [at](std::span<const std::byte> bytes) { return request::apply(at, bytes); }, all);
  } else {
    const parked_outcome kept = call_on(
        owner,
        [at](std::span<const std::byte> bytes) -> parked_outcome {
          const outcome<Value> found = request::apply(at, bytes);
          if (found.done != result::yes) return {found.done, {}};
          const auto value = parked_result::make(sizeof(Value));
          std::memcpy(value.data(), static_cast<const void*>(&found.value), sizeof(Value));
          return {result::yes, value};
        },
        all);
    outcome<Value> found{kept.done};
    if (kept.done == result::yes) kept.value.take(owner, reinterpret_cast<std::byte*>(&found.value));
    return found;
  }
}

/// Sends a question to the owner, whose answer is stored in `w`. The enclosing completion counts it.
template <class Key, class Value, class Operation>
void ask_owner(message::endpoint& self, core_id owner, per_core<shard<Key, Value>> shards,
               pending_request<Key, Value, Operation>& w) {
  using head = batch_head<Key, Value, Operation>;
  shard<Key, Value>* const at = shards.address(owner);
  ++self.count().combine_messages;
  if constexpr (k_small<Value, Operation>) {
    if (key_carrier<Key>::fits(w.key, sizeof w.sent)) [[likely]] {
      self.count().combine_bytes += sizeof(head) + key_carrier<Key>::bytes(w.key).size();
      return key_carrier<Key>::ask(self, owner, head{at, &w, w.sent}, w.key, sizeof(typename head::answer));
    }
  }
  if (self.is_local(owner)) return self.issue(owner, local_head<Key, Value, Operation>{at, &w});
  message::start_counted_or_run(
      [at, owner, &w] { w.answered(ask_at_length<Key, Value, Operation>(owner, at, w.key, w.sent)); });
}

/// Statistics of questions answered through process combiners.
struct combined_answers {
  std::uint64_t questions = 0;
  std::uint64_t sent_on = 0;  // sent to owners; the others merged with them
};

/// The questions of one kind.
template <class Key, class Value>
class key_part {
 public:
  key_part() = default;
  key_part(const key_part&) = delete;
  key_part& operator=(const key_part&) = delete;
  virtual ~key_part() = default;
  /// Sends the questions. The enclosing completion counts them, except those that go through process
  /// combiners.
  virtual void ask(const owners<Key, Value>& all) = 0;
  /// Suspends until the process combiners have answered. Rethrows their first error.
  virtual void wait_for_process_combiners() = 0;
  /// Returns the number of keys.
  virtual std::size_t size() const = 0;
  /// Adds the statistics of this kind to `all`.
  virtual void count_combined(combined_answers& all) const = 0;
  virtual void clear() = 0;
  /// Returns an address that identifies the operation.
  virtual const void* kind() const = 0;
};

template <class Key, class Value, class Operation>
class part_of final : public key_part<Key, Value> {
 public:
  distinct<pending_request<Key, Value, Operation>> all;

  static const void* kind_of() { return &k_kind; }
  const void* kind() const override { return kind_of(); }
  void clear() override {
    all.clear();
    combined_.clear();
  }
  void ask(const owners<Key, Value>& to) override {
    auto& self = message::endpoint::here();
    if (to.combines_by_process && !all.empty())
      combined_.reserve(all.size());  // other cores hold addresses of its elements
    for (std::uint32_t k = 0; k < all.size(); ++k) {
      const core_id owner = owner_of(all.hash(k));
      if (to.through_process_combiner(owner))
        combined_.emplace_back(all.hash(k), all[k]).leave(to.process_combiners, answers_);
      else
        ask_owner<Key, Value, Operation>(self, owner, to.shards, all[k]);
    }
  }
  void wait_for_process_combiners() override {
    answers_.wait();
    for (const auto& one : combined_) one.check();
  }
  std::size_t size() const override { return all.size(); }
  void count_combined(combined_answers& of) const override {
    of.questions += combined_.size();
    for (const auto& one : combined_) of.sent_on += one.sent_on() ? 1 : 0;
  }

 private:
  static constexpr char k_kind = 0;
  std::vector<combined_request_of<Key, Value, Operation>> combined_;
  latch answers_;
};

template <class T, class Tuple>
inline constexpr bool k_one_of = false;
template <class T, class... All>
inline constexpr bool k_one_of<T, std::tuple<All...>> = (std::is_same_v<T, All> || ...);

/// The questions of all kinds, sent in this order. Kinds that may answer a lookup while they are pending come
/// first. So later requests of the fiber that looked up reach the owner after them. Used by its core only.
template <class Key, class Value>
class key_parts {
  using usual_parts =
      std::tuple<part_of<Key, Value, assignment<Value>>, part_of<Key, Value, insertion<Value>>,
                 part_of<Key, Value, finding<Value>>, part_of<Key, Value, erasure<Value>>>;

 public:
  template <class Operation>
  auto& of() {
    using part = part_of<Key, Value, Operation>;
    if constexpr (k_one_of<part, usual_parts>) {
      return std::get<part>(usual_).all;
    } else {
      for (auto& one : others_)
        if (one->kind() == part::kind_of()) return static_cast<part&>(*one).all;
      others_.push_back(std::make_unique<part>());
      return static_cast<part&>(*others_.back()).all;
    }
  }
  /// Sends all questions and suspends until all are answered. Rethrows the first error.
  void commit(const owners<Key, Value>& to) {
    std::exception_ptr error;
    const auto keep_first = [&error](auto step) {
      try {
        step();
      } catch (...) {
        if (!error) error = std::current_exception();
      }
    };
    keep_first([&] { message::wait_for_all([&] { each([&](auto& part) { part.ask(to); }); }); });
    if (to.combines_by_process)  // also after an error: process combiners hold addresses of this batch
      each([&](auto& part) { keep_first([&] { part.wait_for_process_combiners(); }); });
    if (error) std::rethrow_exception(error);
  }
  void clear() {
    each([](auto& part) { part.clear(); });
  }
  /// Returns the number of keys, of all kinds together.
  std::size_t size() {
    std::size_t all = 0;
    each([&all](auto& part) { all += part.size(); });
    return all;
  }
  /// Returns the statistics of process combiners since clear().
  combined_answers combined() {
    combined_answers all;
    each([&all](auto& part) { part.count_combined(all); });
    return all;
  }

 private:
  template <class F>
  void each(F f) {
    std::apply([&](auto&... part) { (f(part), ...); }, usual_);
    for (auto& one : others_) f(*one);
  }

  usual_parts usual_;
  std::vector<std::unique_ptr<key_part<Key, Value>>> others_;  // reductions: few kinds
};

}  // namespace gossamer::combining
