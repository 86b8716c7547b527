#pragma once
// The cores of a job as sleepers: how one goes to sleep without missing a wake-up, and how the last
// one to fall asleep knows that nobody is left to wake anybody.
//
// A sleeper's word:  awake (0) -> dozing (1) -> asleep (2), by its owner;  any -> awake, by a notifier.
//   sleeper:  word = dozing;  look for work once more;  word: dozing -> asleep;  futex wait
//   notifier: publish the work;  look at word;  if not awake: word = awake, futex wake
// The seq_cst pair (store dozing, load work) and (store work, load word) lets no wake-up slip through.
// `asleep` counts committed sleepers; it is lowered by whoever sets a word from asleep to awake. All cores
// being counted means that no core runs which could notify: a stall (or the end of the job).

#include <atomic>
#include <cstdint>
#include <functional>

#include "gossamer/base/bits.hpp"

namespace gossamer::fiber {

struct sleep_group {
  explicit sleep_group(unsigned cores) : members(static_cast<int>(cores)) {}
  const int members;
  /// Called by the last core to fall asleep, on its own thread, every other core being asleep.
  std::function<void()> on_stall;
  alignas(k_line_bytes) std::atomic<int> asleep{0};
};

class sleeper {
 public:
  explicit sleeper(sleep_group& group) : group_(group) {}

  /// From any thread, after publishing work with a seq_cst operation. A load where the core is awake;
  /// a system call where it sleeps.
  void notify();

  /// Owner only: sleeps until notified, unless has_work() says no after the word is set.
  /// has_work must read what notifiers publish with seq_cst. Returns whether it slept.
  template <class HasWork>
  bool sleep(HasWork has_work) {
    word_.store(k_dozing, std::memory_order_seq_cst);  // before has_work(); pairs with notify()'s load
    if (has_work()) {
      word_.exchange(k_awake, std::memory_order_relaxed);  // never asleep: nobody counted it
      return false;
    }
    return commit();
  }

 private:
  static constexpr std::uint32_t k_awake = 0, k_dozing = 1, k_asleep = 2;

  bool commit();

  sleep_group& group_;
  alignas(k_line_bytes) std::atomic<std::uint32_t> word_{k_awake};
};

}  // namespace gossamer::fiber
