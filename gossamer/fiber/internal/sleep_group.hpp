#pragma once
// The cores of a job as sleepers: how a core goes to sleep without missing a wake-up, and how the last core
// to fall asleep detects that no core is left to wake another.
//
// A sleeper's word:  awake (0) -> dozing (1) -> asleep (2), by its owner;  any -> awake, by a notifier.
//   sleeper:  word = dozing;  check for work once more;  word: dozing -> asleep;  futex wait
//   notifier: publish the work;  read word;  if not awake: word = awake, futex wake
// The seq_cst pair (store dozing, load work) and (store work, load word) loses no wake-up.
// `idle_count` counts the cores between committing to sleep and continuing, and how often a core has
// continued. While all are idle, no core runs that could notify, so the words do not change. If all say
// asleep, no core is left to wake another (a stall). If one says awake, that core has been notified and is
// about to continue. The words are read one after another. Meanwhile such a core may continue, notify one
// that was seen asleep, and sleep again. So all were asleep at the same time only if no core has continued
// during the check.

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fiber {

class sleeper;
class turn_watch;

struct sleep_group {
  explicit sleep_group(unsigned cores) : members(cores) {}
  bool all_asleep() const;

  static constexpr std::uint64_t k_gone_on = std::uint64_t{1} << 32;
  const std::uint32_t members;
  const std::uint64_t job = ++s_jobs;  // its number among the jobs of this process, from 1
  /// 0: sleep until notified. Otherwise sleepers wake after a timed wait of at most so long, because another
  /// process cannot wake them. Timed waits are a small part of the idle time.
  std::uint64_t longest_wait_ns = 0;
  std::vector<const sleeper*> sleepers;  // filled before the cores start
  turn_watch* watch = nullptr;  // pauses while all sleep; null: none. Set before the cores start
  /// Called by the last core to fall asleep, on its own thread, while every other core is asleep. Gets the
  /// wake_epoch from before it read their words: if it has changed, a core continues.
  std::function<void(std::uint64_t wake_epoch)> on_stall;
  /// Idle cores, in the lower half; times that a core has continued, k_gone_on each (may overflow).
  alignas(k_line_bytes) std::atomic<std::uint64_t> idle_count{0};
  /// Times that a member has found work after idling; counted where timed waits are used. seq_cst: if a
  /// reader finds it unchanged, no core has run a fiber meanwhile.
  alignas(k_line_bytes) std::atomic<std::uint64_t> wake_epoch{0};

 private:
  inline static constinit std::atomic<std::uint64_t> s_jobs{0};  // jobs that have begun
};

class sleeper {
 public:
  explicit sleeper(sleep_group& group) : group_(group) { group.sleepers.push_back(this); }
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;

  /// Wakes the owner if it sleeps. Any thread, after publishing work with a seq_cst operation. Costs a load
  /// if the core is awake, a system call if it sleeps.
  void notify();

  /// Sleeps until notified, unless has_work() returns true after the word is set. Owner only. has_work() must
  /// read with seq_cst what notifiers publish. Returns whether the core slept. `timed_wait_ns` bounds the
  /// sleep; 0: for ever.
  template <class HasWork>
  bool sleep(HasWork has_work, std::uint64_t timed_wait_ns = 0) {
    machine::preemption_point();
    word_.store(k_pre_sleep, std::memory_order_seq_cst);  // before has_work(); pairs with notify()'s load
    machine::preemption_point();
    if (has_work()) {
      word_.exchange(k_awake, std::memory_order_relaxed);
      return false;
    }
    return commit(timed_wait_ns);
  }

  /// Replaces polling for up to `most_ns`. Owner only, in a simulation. Continues when notified or when
  /// something arrives.
  template <class HasWork>
  void pre_sleep(HasWork has_work, std::uint64_t most_ns) {
    word_.store(k_pre_sleep, std::memory_order_seq_cst);
    if (!has_work()) wait_pre_sleep(most_ns);
    word_.store(k_awake, std::memory_order_relaxed);
  }

  const sleep_group& group() const { return group_; }
  /// Counts in wake_epoch that the owner has found work, where timed waits are used. Owner only.
  void bump_wake_epoch() {
    if (group_.longest_wait_ns != 0) group_.wake_epoch.fetch_add(1, std::memory_order_seq_cst);
  }
  /// Returns whether the owner has committed to sleep and was not notified since.
  bool asleep() const { return word_.load(std::memory_order_seq_cst) == k_asleep; }

 private:
  static constexpr std::uint32_t k_awake = 0, k_pre_sleep = 1, k_asleep = 2;

  bool commit(std::uint64_t timed_wait_ns);
  void wait_pre_sleep(std::uint64_t most_ns);

  sleep_group& group_;
  alignas(k_line_bytes) std::atomic<std::uint32_t> word_{k_awake};
};

}  // namespace gossamer::fiber
