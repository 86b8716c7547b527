#pragma once
// A first-in-first-out queue of the whole job. Linearizable: an enqueue or dequeue takes effect when the
// home answers for its batch, of whose requests the enqueues come first. Enqueues and dequeues of a core go
// in one message. A dequeue that finds the queue empty says so; it does not wait. In every mode its blocking operations
// and those of the job's other structures are sequentially consistent (docs/guide.md, Shared structures); what is staged
// has no effect before enqueue_staged().
//
// Values stay with the core that enqueued them (range_store.hpp); memory as that of stack.hpp.

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/combining/internal/sequence.hpp"

namespace gossamer {

namespace combining {

template <class T>
struct queue_batch : batch {
  static constexpr const char* k_name = "queue";
  std::vector<value_range> enqueued;
  std::vector<std::optional<T>*> dequeues;
  std::exception_ptr dequeues_failed;  // where values were enqueued, and none could be brought here

  void commit(const sequence_context<taking::first>& c) {
    dequeues_failed = exchange_values<T>(c, enqueued, dequeues);
  }
  void clear() {
    enqueued.clear();
    dequeues.clear();
    dequeues_failed = nullptr;
  }
};

}  // namespace combining

/// A handle: trivially copyable, captured by value; from fibers of any core. T trivially copyable, of any
/// size.
template <class T>
class queue : public combining::sequence<T, combining::taking::first, combining::queue_batch<T>> {
 public:
  /// Takes effect when the home core takes its batch in, before the dequeues of that batch. Suspends until then.
  /// Throws std::bad_alloc or gossamer::error where there is no memory; the queue is then as it was.
  void enqueue(const T& value) const {
    auto mine = this->requests_.join();
    this->context_.stores.here().put(mine->enqueued, &value);
    mine.wait();
  }
  /// Dequeues the oldest value, or returns nothing where the queue was empty. Takes effect when the home core
  /// gives its batch values. Suspends until the value is here. Throws std::bad_alloc or gossamer::error where there is no memory;
  /// the value, if the home core gave one, is gone then.
  std::optional<T> dequeue() const {
    std::optional<T> value;
    auto mine = this->requests_.join();
    mine->dequeues.push_back(&value);
    mine.wait();
    if (mine->dequeues_failed) [[unlikely]]
      std::rethrow_exception(mine->dequeues_failed);
    return value;
  }
  /// Enqueues all of them at one moment, when the home core takes them in, in their order. Suspends; one small
  /// message for each ~64 KiB. Throws as enqueue() does.
  void enqueue_all(std::span<const T> values) const { this->put_all(values); }
  /// Enqueues what all cores have staged (stage()) at one moment, core after core. By one fiber, while no other
  /// stages; suspends: a message to each process and back (collect()), and one to the home core. Throws as
  /// enqueue() does; what was staged is gone then.
  void enqueue_staged() const { this->put_staged(); }
  /// Dequeues as many as there are places, the oldest first; the number, less where the queue became empty.
  /// As several dequeues one after the other: up to eight runs of values that were enqueued together at one
  /// moment. Suspends.
  std::size_t dequeue_some(std::span<T> into) const { return this->take_some(into); }
};

/// Owns one, empty. Made and destroyed by any one fiber, which suspends; its core is the home core. No fiber
/// may be using it when it ends.
template <class T>
class scoped_queue : public queue<T> {
 public:
  /// Does not compile: capture handle().
  scoped_queue(const scoped_queue&) : scoped_queue(combine::off) { refuse_copy<scoped_queue>(); }
  /// Makes an empty one; its home core is this one.
  explicit scoped_queue(combine where = combining::by_default()) : owned_(sizeof(T), where) {
    this->requests_ = owned_.requests();
    this->context_ = owned_.context();
  }
  /// Returns the handle to capture.
  queue<T> handle() const { return *this; }

 private:
  combining::scoped_sequence<combining::taking::first, combining::queue_batch<T>> owned_;
};

}  // namespace gossamer
