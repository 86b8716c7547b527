#pragma once
// A priority queue of the whole job: pops return the smallest value. Linearizable: a batch takes effect at
// one moment, when the home core runs it, its pushes before its pops. The home core stores all values in a
// binary heap, so values are sent there in bulk, unlike those of stacks and queues. In every mode its
// blocking operations and those of the job's other structures are sequentially consistent (docs/guide.md,
// Shared structures).
//
// Requests merge on their own core only: combine::home behaves like off, both like local.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/combining/engine/internal/parked_result.hpp"
#include "gossamer/memory/global_ptr.hpp"
#include "gossamer/message/payload.hpp"

namespace gossamer {

namespace combining {

/// The values, at the home core.
template <class T, class Less>
class ordered_values {
 public:
  /// Adds `given`, and then removes and returns up to `wanted` values, the smallest first. Throws
  /// std::bad_alloc and then leaves the values unchanged.
  std::vector<T> exchange(std::span<const T> given, std::size_t wanted) {
    std::vector<T> taken;
    taken.reserve(std::min(wanted, heap_.size() + given.size()));
    if (heap_.capacity() < heap_.size() + given.size())
      heap_.reserve(std::max(2 * heap_.capacity(), heap_.size() + given.size()));
    for (const T& value : given) {
      heap_.push_back(value);
      std::push_heap(heap_.begin(), heap_.end(), later());
    }
    while (taken.size() < wanted && !heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), later());
      taken.push_back(heap_.back());
      heap_.pop_back();
    }
    return taken;
  }
  std::span<const T> all() const { return heap_; }

 private:
  static auto later() {
    return [](const T& a, const T& b) { return Less{}(b, a); };
  }

  std::vector<T> heap_;
};

/// Runs ordered_values::exchange() in a handler at the home core. Suspends until its answer has arrived.
template <class T, class Less>
std::vector<T> exchange_ordered(global_ptr<ordered_values<T, Less>> home, std::span<const T> given,
                                std::size_t wanted) {
  auto& count = parallel::core::here().count();
  ++count.combine_messages;
  count.combine_bytes += given.size_bytes();
  if (home.owner() == here()) return home.address()->exchange(given, wanted);
  std::vector<T> taken(wanted);  // allocated before values leave the heap
  const parked_result kept = call_on(
      home.owner(),
      [at = home.address(), wanted](std::span<const std::byte> bytes) {
        const std::span<const T> values(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
        parked_result answer =
            parked_result::make(std::min(wanted, at->all().size() + values.size()) * sizeof(T));
        try {
          const std::vector<T> first = at->exchange(values, wanted);
          if (!first.empty()) std::memcpy(answer.data(), first.data(), first.size() * sizeof(T));
        } catch (...) {
          answer.free();
          throw;
        }
        return answer;
      },
      std::as_bytes(given));
  taken.resize(kept.size() / sizeof(T));
  kept.take(home.owner(), reinterpret_cast<std::byte*>(taken.data()));
  return taken;
}

template <class T, class Less>
struct priority_batch : batch {
  static constexpr const char* k_name = "priority queue";
  std::vector<T> pushed;
  std::vector<std::optional<T>*> pops;

  void commit(global_ptr<ordered_values<T, Less>> home) {
    const auto taken = exchange_ordered(home, std::span<const T>(pushed), pops.size());
    for (std::size_t k = 0; k < taken.size(); ++k) pops[k]->emplace(taken[k]);
  }
  void clear() {
    pushed.clear();
    pops.clear();
  }
};

}  // namespace combining

/// A handle: trivially copyable, captured by value. Fibers of any core may use it. T is trivially copyable;
/// Less captures nothing. Equal values are popped in any order.
template <class T, class Less = std::less<T>>
class priority_queue {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && alignof(T) <= 16,
                "values of global priority queues are copied as bytes");
  static_assert(!std::is_same_v<T, bool>,
                "a priority queue of two values is two counters: use unsigned char");
  static_assert(std::is_empty_v<Less>, "the order of a priority queue is a type: it captures nothing");

 public:
  /// Pushes a value. Takes effect when the home core runs its batch, before the pops of that batch. Suspends
  /// until then. Throws std::bad_alloc if memory does not suffice, and leaves the queue unchanged.
  void push(const T& value) const {
    auto mine = requests_.join();
    mine->pushed.push_back(value);
    mine.wait();
  }
  /// Pops the smallest value, or returns nothing if the queue was empty. Takes effect when the home core
  /// runs its batch. Suspends until the value has arrived.
  std::optional<T> pop() const {
    std::optional<T> value;
    auto mine = requests_.join();
    mine->pops.push_back(&value);
    mine.wait();
    return value;
  }
  /// Pushes all values at one moment. Suspends; throws as push() does.
  void push_all(std::span<const T> values) const {
    const combining::single_request_guard mine(requests_.here(), values.size());
    (void)combining::exchange_ordered(home_, values, 0);
    mine.let_others_run();
  }
  /// Pops up to into.size() values at one moment, the smallest first. Returns their number, which is smaller
  /// if the queue became empty. Suspends.
  std::size_t pop_some(std::span<T> into) const {
    const combining::single_request_guard mine(requests_.here(), into.size());
    const auto taken = combining::exchange_ordered(home_, std::span<const T>(), into.size());
    std::copy(taken.begin(), taken.end(), into.begin());
    mine.let_others_run();
    return taken.size();
  }
  /// Returns the number of values at the moment at which the home core answers. By any fiber; suspends.
  std::uint64_t size() const {
    const combining::single_request_guard mine(requests_.here(), 0);
    const std::uint64_t values = call(home_, [](auto& all) { return std::uint64_t{all.all().size()}; });
    mine.let_others_run();
    return values;
  }
  /// Calls f(const T&) for each value, at the home core, in an arbitrary order. By any one fiber, while no fiber changes
  /// the queue. Suspends, and f may suspend.
  template <class F>
  void for_each(F f) const {
    const combining::single_request_guard mine(requests_.here(), 0);
    on_core(home_.owner(), [at = home_.address(), f] {
      F body(f);
      for (const T& value : at->all()) body(value);
    });
  }

 protected:
  using ordered = combining::ordered_values<T, Less>;  // the heap at the home core

  combining::combiner<combining::priority_batch<T, Less>, global_ptr<ordered>>
      requests_;  // the local combiners
  global_ptr<ordered> home_;  // the heap
};

/// Owns a priority queue. Any one fiber makes and destroys it, and suspends; its core is the home core. No fiber
/// may use the queue when it is destroyed.
template <class T, class Less = std::less<T>>
class scoped_priority_queue : public priority_queue<T, Less> {
 public:
  /// Does not compile: capture handle().
  scoped_priority_queue(const scoped_priority_queue&) : scoped_priority_queue(combine::off) {
    refuse_copy<scoped_priority_queue>();
  }
  /// Makes an empty queue; this core is its home core.
  explicit scoped_priority_queue(combine where = combining::by_default())
      : owned_(make_global<typename priority_queue<T, Less>::ordered>()), combining_(where, owned_.at) {
    this->home_ = owned_.at;
    this->requests_ = combining_.handle();
  }
  /// Returns the handle to capture.
  priority_queue<T, Less> handle() const { return *this; }

 private:
  struct owned {
    explicit owned(global_ptr<combining::ordered_values<T, Less>> made) : at(made) {}
    owned(const owned&) = delete;
    ~owned() {
      if (job.runs_here()) destroy_global(at);
    }
    global_ptr<combining::ordered_values<T, Less>> at;
    fiber::owning_job job;
  } owned_;
  combining::scoped_combiner<combining::priority_batch<T, Less>,
                             global_ptr<combining::ordered_values<T, Less>>>
      combining_;
};

}  // namespace gossamer
