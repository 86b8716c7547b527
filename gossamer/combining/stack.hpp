#pragma once
// A stack that the whole job pushes to and pops from. Linearizable. A push or pop takes effect when the
// home answers for its batch; but a push and a pop that meet on a core take effect together, there, and
// concern no other core. A pop that finds the stack empty says so; it does not wait. In every mode its blocking
// operations and those of the job's other structures are sequentially consistent (docs/guide.md, Shared structures); what
// is staged has no effect before push_staged().
//
// Values stay with the core that pushed them (range_store.hpp), the home core keeps their order in ranges, 16
// bytes each: memory is sizeof(T) a value and, where every request travels alone, 16 bytes more.

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/combining/internal/sequence.hpp"

namespace gossamer {

namespace combining {

/// Either pushes wait here or pops: never both.
template <class T>
struct stack_batch : batch {
  static constexpr const char* k_name = "stack";
  std::vector<value_range> pushed;
  std::vector<std::optional<T>*> pops;

  /// Adds a push to the batch. Returns false where it has met a pop.
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
  /// Adds a pop to the batch. Returns false where it has met a push.
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
      std::rethrow_exception(failed);  // pushes ask for none
  }
  void clear() {
    pushed.clear();
    pops.clear();
  }
};

}  // namespace combining

/// A handle: trivially copyable, captured by value; from fibers of any core. T trivially copyable, of any
/// size.
template <class T>
class stack : public combining::sequence<T, combining::taking::last, combining::stack_batch<T>> {
 public:
  /// Takes effect when the home core takes its batch in; or, with a pop of this core that waits or comes while
  /// it waits, when the two meet. Suspends until then. Throws std::bad_alloc or gossamer::error where there
  /// is no memory; the stack is then as it was.
  void push(const T& value) const {
    auto mine = this->requests_.join();
    if (mine->push(this->context_.stores.here(), value)) mine.wait();
  }
  /// Pops the value, or returns nothing where the stack was empty. Takes effect when the home core gives its
  /// batch values, or when it meets a push of this core. Suspends until the value is here. Throws std::bad_alloc or
  /// gossamer::error where there is no memory; the value, if the home core gave one, is gone then.
  std::optional<T> pop() const {
    std::optional<T> value;
    auto mine = this->requests_.join();
    if (mine->pop(this->context_.stores.here(), value)) mine.wait();
    return value;
  }
  /// Pushes all of them at one moment, when the home core takes them in: the last one to the top. Suspends; one
  /// small message for each ~64 KiB. Throws as push() does.
  void push_all(std::span<const T> values) const { this->put_all(values); }
  /// Pushes what all cores have staged (stage()) at one moment, core after core. By one fiber, while no other
  /// stages; suspends: a message to each process and back (collect()), and one to the home core. Throws as
  /// push() does; what was staged is gone then.
  void push_staged() const { this->put_staged(); }
  /// Pops as many as there are places, the top first; the number, less where the stack became empty. As
  /// several pops one after the other: up to eight runs of values that were pushed together at one moment.
  /// Suspends.
  std::size_t pop_some(std::span<T> into) const { return this->take_some(into); }
};

/// Owns one, empty. Made and destroyed by any one fiber, which suspends; its core is the home core. No fiber
/// may be using it when it ends.
template <class T>
class scoped_stack : public stack<T> {
 public:
  /// Does not compile: capture handle().
  scoped_stack(const scoped_stack&) : scoped_stack(combine::off) { refuse_copy<scoped_stack>(); }
  /// Makes an empty one; its home core is this one.
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
