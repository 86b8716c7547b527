#pragma once
// A stack of the whole job. Linearizable: a push or pop takes effect when the
// home core answers for its batch. A push and a pop that meet on a core take effect together, there, without the
// home core. A pop from an empty stack returns nothing; it does not wait. In every mode its blocking
// operations and those of the job's other structures are sequentially consistent (docs/guide.md, Shared structures).
// Staged values have no effect before push_staged().
//
// Values stay on the core that pushed them (range_store.hpp). The home core stores their order as ranges of
// 16 bytes. Memory: sizeof(T) per value, and 16 bytes more if requests do not merge.

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/combining/internal/sequence.hpp"

namespace gossamer {

namespace combining {

/// A batch of pushes or of pops, never of both.
template <class T>
struct stack_batch : batch {
  static constexpr const char* k_name = "stack";
  std::vector<value_range> pushed;
  std::vector<std::optional<T>*> pops;

  /// Adds a push to the batch. Returns false if it has met a pop.
  bool push(range_store& store, const T& value) {
    if (pops.empty()) {
      store.put(pushed, &value);
      return true;
    }
    pops.back()->emplace(value);
    pops.pop_back();
    answer_last();
    return false;
  }
  /// Adds a pop to the batch. Returns false if it has met a push.
  bool pop(range_store& store, std::optional<T>& into) {
    if (pushed.empty()) {
      pops.push_back(&into);
      return true;
    }
    T value;
    store.take_back(pushed, &value);
    into.emplace(value);
    answer_last();
    return false;
  }
  void commit(const sequence_context<taking::last>& c) {
    if (const auto failed = exchange_values<T>(c, pushed, pops))
      std::rethrow_exception(failed);  // a batch of pushes reports no answer
  }
  void clear() {
    pushed.clear();
    pops.clear();
  }
};

}  // namespace combining

/// A handle: trivially copyable, captured by value. Fibers of any core may use it. T is trivially copyable, of any
/// size.
template <class T>
class stack : public combining::sequence<T, combining::taking::last, combining::stack_batch<T>> {
 public:
  /// Pushes a value. Takes effect when the home core accepts its batch, or when it meets a pop of this core.
  /// Suspends until then. Throws std::bad_alloc or gossamer::error if memory does not suffice, and leaves the
  /// stack unchanged.
  void push(const T& value) const {
    auto mine = this->requests_.join();
    if (mine->push(this->context_.stores.here(), value)) mine.wait();
  }
  /// Pops the value at the top, or returns nothing if the stack was empty. Takes effect when the home core
  /// assigns values to its batch, or when it meets a push of this core. Suspends until the value has arrived.
  /// Throws std::bad_alloc or gossamer::error if memory does not suffice; a value that the home core has
  /// assigned is lost then.
  std::optional<T> pop() const {
    std::optional<T> value;
    auto mine = this->requests_.join();
    if (mine->pop(this->context_.stores.here(), value)) mine.wait();
    return value;
  }
  /// Pushes all values at one moment, when the home core accepts them; the last one is at the top. Suspends. Costs one
  /// small message for each ~64 KiB. Throws as push() does.
  void push_all(std::span<const T> values) const { this->put_all(values); }
  /// Pushes what all cores have staged (stage()) at one moment, core after core. By one fiber, while no core
  /// stages. Suspends: a message to each process and its answer (collect()), and one message to the home core. Throws as
  /// push() does; the staged values are lost then.
  void push_staged() const { this->put_staged(); }
  /// Pops up to into.size() values, the top first. Returns their number, which is smaller if the stack became
  /// empty. Takes effect as one or more pops, one after another: each takes, at one moment, up to eight
  /// ranges of values that were pushed together. Suspends.
  std::size_t pop_some(std::span<T> into) const { return this->take_some(into); }
};

/// Owns a stack. Any one fiber makes and destroys it, and suspends; its core is the home core. No fiber
/// may use the stack when it is destroyed.
template <class T>
class scoped_stack : public stack<T> {
 public:
  /// Does not compile: capture handle().
  scoped_stack(const scoped_stack&) : scoped_stack(combine::off) { refuse_copy<scoped_stack>(); }
  /// Makes an empty stack; this core is its home core.
  explicit scoped_stack(combine where = combining::by_default()) : owned_(sizeof(T), where) {
    this->requests_ = owned_.requests();
    this->context_ = owned_.context();
  }
  /// Returns the handle to capture.
  stack<T> handle() const { return *this; }

 private:
  combining::scoped_sequence<combining::taking::last, combining::stack_batch<T>> owned_;
};

}  // namespace gossamer
