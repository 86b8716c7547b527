#pragma once
// A first-in-first-out queue of the whole job. Linearizable: an enqueue or dequeue takes effect when the
// home core answers for its batch, enqueues of the batch first. A core's enqueues and dequeues share
// a message. A dequeue from an empty queue returns nothing; it does not wait. In every mode its blocking operations
// and those of the job's other structures are sequentially consistent (docs/guide.md, Shared structures). Staged values
// have no effect before enqueue_staged().
//
// Values stay with the core that enqueued them (range_store.hpp). Memory: as in stack.hpp.

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
  std::exception_ptr dequeues_failed;  // values were enqueued, but could not be fetched

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

/// A handle: trivially copyable, captured by value. Fibers of any core may use it. T is trivially copyable, of any
/// size.
template <class T>
class queue : public combining::sequence<T, combining::taking::first, combining::queue_batch<T>> {
 public:
  /// Enqueues a value. Takes effect when the home core accepts its batch, before the dequeues of that batch.
  /// Suspends until then. Throws std::bad_alloc or gossamer::error if memory does not suffice, and leaves the
  /// queue unchanged.
  void enqueue(const T& value) const {
    auto mine = this->requests_.join();
    this->context_.stores.here().put(mine->enqueued, &value);
    mine.wait();
  }
  /// Dequeues the oldest value, or returns nothing if the queue was empty. Takes effect when the home core
  /// assigns values to its batch. Suspends until the value has arrived. Throws std::bad_alloc or
  /// gossamer::error if memory does not suffice; a value that the home core has assigned is lost then.
  std::optional<T> dequeue() const {
    std::optional<T> value;
    auto mine = this->requests_.join();
    mine->dequeues.push_back(&value);
    mine.wait();
    if (mine->dequeues_failed) [[unlikely]]
      std::rethrow_exception(mine->dequeues_failed);
    return value;
  }
  /// Enqueues all values in their order at one moment, when the home core accepts them. Suspends. Costs one small
  /// message for each ~64 KiB. Throws as enqueue() does.
  void enqueue_all(std::span<const T> values) const { this->put_all(values); }
  /// Enqueues what all cores have staged (stage()) at one moment, core after core. By one fiber, while no core
  /// stages. Suspends: a message to each process and its answer (collect()), and one message to the home core. Throws as
  /// enqueue() does; the staged values are lost then.
  void enqueue_staged() const { this->put_staged(); }
  /// Dequeues up to into.size() values, the oldest first. Returns their number, which is smaller if the queue
  /// became empty. Takes effect as one or more dequeues, one after another: each takes, at one moment, up to
  /// eight ranges of values that were enqueued together. Suspends.
  std::size_t dequeue_some(std::span<T> into) const { return this->take_some(into); }
};

/// Owns a queue. Any one fiber makes and destroys it, and suspends; its core is the home core. No fiber
/// may use the queue when it is destroyed.
template <class T>
class scoped_queue : public queue<T> {
 public:
  /// Does not compile: capture handle().
  scoped_queue(const scoped_queue&) : scoped_queue(combine::off) { refuse_copy<scoped_queue>(); }
  /// Makes an empty queue; this core is its home core.
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
