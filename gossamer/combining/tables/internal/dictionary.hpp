#pragma once
// The common part of hash sets and maps: a table on every core for the keys that it owns, and batches that
// send one question for each key, on behalf of all requests for it. A key has an order of operations of its
// own, at its owner, where each takes effect when its question is run. Requests of one batch for different
// keys, or of different kinds, run in parallel.
//
// Requests for keys that the calling core owns take effect at once, in its table. Requests that do not fit a
// record, with keys or values of more than about 512 bytes, are sent as a payload (long_request).

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/combining/tables/internal/key_parts.hpp"
#include "gossamer/combining/tables/internal/phases.hpp"
#include "gossamer/combining/tables/internal/process_combiner.hpp"
#include "gossamer/combining/tables/internal/request_window.hpp"

namespace gossamer {

/// The sources that may answer single lookups of a set or map.
enum class lookups : std::uint8_t {
  at_owner,  // the owner of the key only: linearizable
  from_pending,  // also insertions of the calling core that are not global yet (docs/combining.md)
};

}  // namespace gossamer

namespace gossamer::combining {

/// The requests of one core.
template <class Key, class Value>
struct key_batch : batch {
  static constexpr const char* k_name = std::is_empty_v<Value> ? "hash set" : "hash map";
  key_parts<Key, Value> parts;

  template <class Operation>
  auto& of() {
    return parts.template of<Operation>();
  }
  /// Returns the number of questions: keys requested, counted once for every kind of request.
  std::size_t questions() { return parts.size(); }
  void commit(const owners<Key, Value>& all) {
    if (!all.chooses_route) return parts.commit(all);
    auto& mine = all.process_combiners.here();
    owners<Key, Value> to = all;
    to.combines_by_process = mine.chooses_combiners(waiting(), questions());
    parts.commit(to);
    if (to.combines_by_process) mine.learn(parts.combined());
  }
  void clear() { parts.clear(); }
};

/// Types that are a pointer, or consist of a pointer and a size.
template <class Key>
inline constexpr bool k_points =
    std::is_pointer_v<Key> || std::is_member_pointer_v<Key> || std::is_null_pointer_v<Key>;
template <class Char, class Traits>
inline constexpr bool k_points<std::basic_string_view<Char, Traits>> = true;
template <class T, std::size_t N>
inline constexpr bool k_points<std::span<T, N>> = true;
template <class T>
inline constexpr bool k_points<std::reference_wrapper<T>> = true;

/// Returns a value of a range as the map has it: itself, or converted where it has another type.
template <class Value, class Given>
constexpr decltype(auto) as_value(const Given& given) {
  static_assert(std::is_convertible_v<const Given&, Value>,
                "hash map: the range has values of another type, which does not convert");
  if constexpr (std::is_same_v<Given, Value>)
    return (given);
  else
    return static_cast<Value>(given);
}

/// A handle of a set or map: trivially copyable.
template <class Key, class Value>
class dictionary {
  static_assert(std::is_trivially_copyable_v<Value> && std::is_default_constructible_v<Value>,
                "values of global maps are copied as bytes");
  static_assert(
      !k_points<Key>,
      "keys of global sets and maps are compared and hashed as bytes, on other cores and in other "
      "processes: a pointer or a view is not its text there. Take std::string for text, a global_ptr or a "
      "number for an object");
  using the_shard = shard<Key, Value>;
  using the_batch = key_batch<Key, Value>;

 public:
  using argument = typename key_carrier<Key>::argument;

  /// Returns the sum over the cores, each at some moment of the call. By any one fiber; suspends. Exact while nothing changes the
  /// structure.
  std::uint64_t size() const {
    const single_request_guard mine(requests_.here(), 0);
    std::uint64_t total = 0;
    for (const std::uint64_t n : collect(to_.shards, [](auto& s) { return std::uint64_t{s.keys().size()}; }))
      total += n;
    mine.let_others_run();
    return total;
  }
  /// Calls f(key, Value&) at the owner of each key, while nothing changes the structure. f receives the key
  /// as Key const&, or as std::string_view. By any one fiber; suspends.
  template <class F>
  void for_each(F f, std::source_location where = std::source_location::current()) const {
    const single_request_guard mine(requests_.here(), 0);
    parallel::check_body(f, where);
    on_all_cores([shards = to_.shards, f] { shards.here().keys().for_each(f); });
  }

 protected:
  /// Runs one operation at the key's owner. Linearizable; suspends until the owner has answered.
  template <class Operation>
  outcome<Value> request(argument key, const typename Operation::sent& sent = {}) const {
    local_combiner& mine = combiner_for<Operation>();
    const std::uint64_t hash = the_shard::table::hash(key);
    const core_id owner = owner_of(hash);
    outcome<Value> found;
    if (owner == here()) {
      found = at_home<Operation>(hash, key, sent);
    } else if constexpr (requires { &Operation::merge; }) {
      found = mine.merges() && !goes_alone(mine, owner) ? merged<Operation>(mine, hash, key, sent)
              : to_.through_process_combiner(owner)
                  ? through_process_combiner<Operation>(mine, hash, key, sent)
                  : alone<Operation>(mine, owner, key, sent);
    } else {
      found = alone<Operation>(mine, owner, key, sent);
    }
    if (found.done == result::no_memory) throw std::bad_alloc();
    return found;
  }

  /// Refuses keys of a range that are no keys of the table: argument(key) would take their bytes for one.
  template <class Keys>
  static constexpr void check_keys() {
    static_assert(std::is_convertible_v<std::ranges::range_reference_t<const Keys&>, argument>,
                  "hash set or map: the range has keys of another type, which does not convert");
  }
  /// Runs the operation for each key; sent(k) is the argument of the k-th. Drops the answers. Suspends until
  /// all have taken effect.
  template <class Operation, class Keys, class Sent>
  void send_all(const Keys& keys, Sent sent) const {
    check_keys<Keys>();
    const single_request_guard mine(combiner_for<Operation>(), keys.size());
    message::wait_for_all([&] {
      auto& self = message::endpoint::here();
      each_owner(
          keys,
          [&](core_id owner, std::size_t k) {
            async_apply<Operation>(self, owner, argument(keys[k]), sent(k));
          },
          [&](std::uint64_t hash, std::size_t k) {
            if (to_.shards.here().template apply<Operation>(hash, argument(keys[k]), sent(k)).done ==
                result::no_memory)
              throw std::bad_alloc();
          });
    });
    mine.let_others_run();
  }
  /// Does the same as send_all(), but calls answer(k, outcome) for each answer. Has several batches of keys
  /// under way (request_window): issues later ones while the answers to the oldest arrive.
  template <class Operation, class Keys, class Answer>
  void request_all(const Keys& keys, Answer answer) const {
    check_keys<Keys>();
    const single_request_guard mine(combiner_for<Operation>(), keys.size());
    auto& self = message::endpoint::here();
    request_window<pending_request<Key, Value, Operation>> asked(self, keys.size());
    for (std::size_t begin = 0; begin < keys.size(); begin += asked.batch_keys()) {
      asked.issue_batch(
          [&](auto& batch) {
            each_owner(
                std::span(keys).subspan(begin, std::min(asked.batch_keys(), keys.size() - begin)),
                [&](core_id owner, std::size_t k) {
                  ask_owner<Key, Value, Operation>(self, owner, to_.shards,
                                                   batch.add(begin + k, {argument(keys[begin + k]), {}}));
                },
                [&](std::uint64_t hash, std::size_t k) {
                  answer(begin + k,
                         to_.shards.here().template apply<Operation>(hash, argument(keys[begin + k]), {}));
                });
          },
          answer);
      self.yield();
    }
    asked.finish(answer);
  }
  /// Does the same as request_all(), for an operation without arguments: sets into[k] to whether the answer is
  /// result::yes. Throws std::bad_alloc if an owner lacks memory.
  template <class Operation, class Keys>
  void request_flags(const Keys& keys, std::span<bool> into) const {
    GOSSAMER_ASSERT(keys.size() == into.size(), "hash set or map: as many places as keys");
    bool no_memory = false;
    request_all<Operation>(keys, [into, &no_memory](std::size_t k, const auto& found) {
      into[k] = found.done == result::yes;
      no_memory = no_memory || found.done == result::no_memory;
    });
    if (no_memory) throw std::bad_alloc();
  }
  /// Runs the operation for each key. A key that occurs several times among 4,096 consecutive ones is sent
  /// once.
  template <class Operation, class Keys, class Values>
  void reduce_all(const Keys& keys, const Values& values) const {
    check_keys<Keys>();
    constexpr std::size_t k_part = 4096;
    const single_request_guard mine(combiner_for<Operation>(), keys.size());
    distinct<pending_request<Key, Value, Operation>> all;
    message::wait_for_all([&] {
      auto& self = message::endpoint::here();
      for (std::size_t k = 0; k < keys.size(); ++k) {
        const auto [index, first] =
            all.add(the_shard::table::hash(argument(keys[k])), argument(keys[k]), as_value<Value>(values[k]));
        if (!first) Operation::merge(all[index].sent, as_value<Value>(values[k]));
        if (all.size() < k_part && k + 1 < keys.size()) continue;
        for (std::uint32_t i = 0; i < all.size(); ++i) {
          const core_id owner = owner_of(all.hash(i));
          if (owner != self.id())
            async_apply<Operation>(self, owner, all[i].key, all[i].sent);
          else if (to_.shards.here().template apply<Operation>(all.hash(i), all[i].key, all[i].sent).done ==
                   result::no_memory)
            throw std::bad_alloc();
        }
        all.clear();
        self.yield();
      }
    });
  }

  /// Stages a key, as described at hash_set::stage().
  template <class Operation>
  void stage_operation(argument key, const Value& value) const {
    to_.phases.here().template stage<Operation>(combiner_for<Operation>().name(), key, value);
  }
  /// Sends the staged keys of all cores to their owners.
  void send_staged() const {
    const single_request_guard mine(combiner_for<insertion<Value>>(), 0);
    on_all_cores([to = to_] { to.phases.here().send(to); });
  }
  /// Begins or ends a read-only phase.
  void set_frozen(bool frozen) const {
    if (local_combiner& mine = requests_.here(); mine.frozen() == frozen) [[unlikely]]
      refuse_phase(mine.name(), frozen ? "is frozen twice: thaw() it first" : "is thawed that is not frozen");
    on_all_cores([requests = requests_, phases = to_.phases, frozen] {
      requests.here().set_frozen(frozen);
      phases.here().forget();
    });
  }
  /// Looks a key up in a read-only phase. Reads the table of a core of this process in place. Suspends if
  /// another process owns the key and its answer is not cached.
  outcome<Value> find_frozen(argument key) const {
    if (local_combiner& mine = requests_.here(); !mine.frozen()) [[unlikely]]
      refuse_phase(mine.name(), "is read as frozen after thaw()");
    const std::uint64_t hash = the_shard::table::hash(key);
    const core_id owner = owner_of(hash);
    if (!message::endpoint::here().is_local(owner))
      return to_.phases.here().kept(hash, key, [&] { return request<finding<Value>>(key); });
    const Value* const found = to_.shards.address(owner)->keys().find(hash, key);
    return found != nullptr ? outcome<Value>{result::yes, *found} : outcome<Value>{};
  }

  owners<Key, Value> to_;
  combiner<the_batch, owners<Key, Value>> requests_;

 private:
  /// Returns this core's local combiner. Ends the program if the operation would change a frozen structure.
  template <class Operation>
  local_combiner& combiner_for() const {
    local_combiner& mine = requests_.here();
    if constexpr (!std::is_same_v<Operation, finding<Value>>)
      if (mine.frozen()) [[unlikely]]
        refuse_phase(mine.name(), "is changed while it is frozen: thaw() it first");
    return mine;
  }
  /// Returns whether a request that could merge is sent alone, and counts it then. Returns false if lookups
  /// are answered from pending requests: the fiber's next request could overtake them on the way to the
  /// owner.
  bool goes_alone(local_combiner& mine, core_id owner) const {
    if (!to_.may_go_alone || mine.choice().merges() || !message::endpoint::here().is_local(owner))
      return false;
    mine.choice().count_alone();
    return true;
  }
  /// Runs the operation in this core's own table. Yields now and then: requests for own keys would otherwise
  /// never let other fibers run.
  template <class Operation>
  outcome<Value> at_home(std::uint64_t hash, argument key, const typename Operation::sent& sent) const {
    auto& self = message::endpoint::here();
    const auto found = to_.shards.here().template apply<Operation>(hash, key, sent);
    if (++self.count().combine_requests % 16 == 0) self.yield();
    return found;
  }
  template <class Operation>
  outcome<Value> alone(local_combiner& mine, core_id owner, argument key,
                       const typename Operation::sent& sent) const {
    using head = lone_head<Key, Value, Operation>;
    const single_request_guard guard(mine, 1);
    auto& self = message::endpoint::here();
    ++self.count().combine_messages;
    the_shard* const at = to_.shards.address(owner);
    if constexpr (k_small<Value, Operation> && sizeof(outcome<Value>) <= k_most_in_message) {
      if (key_carrier<Key>::fits(key, sizeof sent)) [[likely]] {
        message::call_slot<outcome<Value>> slot{self.running()};
        GOSSAMER_ASSERT(slot.waiter != nullptr, "only a fiber can call (a handler cannot wait)");
        self.count().combine_bytes += sizeof(head) + key_carrier<Key>::bytes(key).size();
        key_carrier<Key>::call(self, owner, head{at, &slot, sent}, key,
                               sizeof(typename head::answer) + sizeof(typename head::failure));
        return message::take_answer(slot);
      }
    }
    return ask_at_length<Key, Value, Operation>(owner, at, key, sent);
  }
  template <class Operation>
  outcome<Value> through_process_combiner(local_combiner& mine, std::uint64_t hash, argument key,
                                          const typename Operation::sent& sent) const {
    const single_request_guard guard(mine, 1);
    pending_request<Key, Value, Operation> w{key, sent};
    latch answer;
    combined_request_of<Key, Value, Operation> question(hash, w);
    question.leave(to_.process_combiners, answer);
    answer.wait();
    question.check();
    return w.answer();
  }
  /// Answers a lookup from requests that this core has not made global yet: a key being inserted into a set,
  /// or a value being assigned in a map. Returns nothing if the open batch has no such request. An insertion
  /// into a map may find another value at the owner, so it answers no lookup.
  std::optional<outcome<Value>> from_pending(local_combiner& at, std::uint64_t hash, argument key) const {
    using pending = std::conditional_t<std::is_empty_v<Value>, insertion<Value>, assignment<Value>>;
    if (at.open() == nullptr) return std::nullopt;
    const auto* const found = static_cast<the_batch*>(at.open())->template of<pending>().find(hash, key);
    if (found == nullptr) return std::nullopt;
    const outcome<Value> answer{result::yes, found->sent};
    auto& self = message::endpoint::here();
    ++self.count().combine_matched;
    if (++self.count().combine_requests % 16 == 0) self.yield();
    return answer;
  }
  template <class Operation>
  outcome<Value> merged(local_combiner& at, std::uint64_t hash, argument key,
                        const typename Operation::sent& sent) const {
    if constexpr (std::is_same_v<Operation, finding<Value>>)
      if (to_.answers_from_pending)
        if (const auto found = from_pending(at, hash, key)) return *found;
    request_guard<the_batch> mine(at);
    auto& all = mine->template of<Operation>();
    const auto [index, first] = all.add(hash, key, sent);
    if (!first) Operation::merge(all[index].sent, sent);
    mine.wait();
    const auto& w = all[index];
    if (w.done == result::no_memory || first || Operation::k_shared) return w.answer();
    return {};  // another request of the batch inserted or erased the key
  }

  template <class Operation>
  void async_apply(message::endpoint& self, core_id owner, argument key,
                   const typename Operation::sent& sent) const {
    using head = bulk_head<Key, Value, Operation>;
    the_shard* const at = to_.shards.address(owner);
    ++self.count().combine_messages;
    if constexpr (k_small<Value, Operation>) {
      if (key_carrier<Key>::fits(key, sizeof sent)) [[likely]] {
        self.count().combine_bytes += sizeof(head) + key_carrier<Key>::bytes(key).size();
        return key_carrier<Key>::async(self, owner, head{at, sent}, key);
      }
    }
    using request = long_request<Key, Operation>;
    async_on(
        owner,
        [at](std::span<const std::byte> bytes) {
          if (request::apply(at, bytes).done == result::no_memory) throw std::bad_alloc();
        },
        std::span<const std::byte>(request::pack(key, sent)));
  }
  /// Calls remote(owner, k) for keys of other cores and local(hash, k) for those of this one. Prefetches the
  /// cache lines of the latter.
  template <class Keys, class Remote, class Local>
  void each_owner(const Keys& keys, Remote remote, Local local) const {
    struct own {
      std::uint64_t hash;
      std::size_t k;
    };
    auto& self = message::endpoint::here();
    auto& mine = to_.shards.here().keys();
    std::array<own, 64> ours;
    for (std::size_t k = 0, blocks = 0; k < keys.size();) {
      std::size_t n = 0;
      for (const std::size_t end = std::min(keys.size(), k + ours.size()); k < end; ++k) {
        const std::uint64_t hash = the_shard::table::hash(argument(keys[k]));
        const core_id owner = owner_of(hash);
        if (owner != self.id()) {
          remote(owner, k);
        } else {
          mine.prefetch(hash);
          ours[n++] = {hash, k};
        }
      }
      for (std::size_t i = 0; i < n; ++i) local(ours[i].hash, ours[i].k);
      if (++blocks % 64 == 0) self.yield();
    }
  }
};

/// Owns a set or map. Process combiners are used only in jobs of several processes.
template <class Key, class Value>
class scoped_dictionary {
 public:
  scoped_dictionary(combine where, lookups from)
      : to_{shards_.handle(),
            process_combiners_.handle(),
            phases_.handle(),
            processes() > 1 && merges_at_home(where),
            where == combine::automatic && processes() > 1 && cores_per_process() > 1,
            where == combine::automatic && from == lookups::at_owner,
            from == lookups::from_pending},
        parts_(to_),
        requests_(where, to_) {}
  const owners<Key, Value>& to() const { return to_; }
  auto requests() const { return requests_.handle(); }

 private:
  struct opening {
    explicit opening(owners<Key, Value>& all) : to(all) {
      on_all_cores([to = to] {
        to.shards.here().open();
        if (to.combines_by_process) to.process_combiners.here().open(to);
        if (to.chooses_route) (void)to.process_combiners.here().try_open(to);
      });
      if (to.chooses_route)  // if some core has no free fiber for it, there is no choice
        for (const std::uint8_t open :
             collect(to.process_combiners, [](auto& each) { return std::uint8_t{each.is_open()}; }))
          all.chooses_route &= open != 0;
    }
    opening(const opening&) = delete;
    ~opening() {
      if (!job.runs_here()) return;
      on_all_cores([to = to] { to.process_combiners.here().close(); });
      on_all_cores([to = to] {
        to.phases.here().close();
        to.shards.here().close();
      });
    }
    owners<Key, Value> to;
    fiber::owning_job job;
  };

  scoped_per_core<shard<Key, Value>> shards_;
  scoped_per_core<process_combiner<Key, Value>> process_combiners_;
  scoped_per_core<phase_part<Key, Value>> phases_;
  owners<Key, Value> to_;
  opening parts_;
  scoped_combiner<key_batch<Key, Value>, owners<Key, Value>> requests_;
};

}  // namespace gossamer::combining
