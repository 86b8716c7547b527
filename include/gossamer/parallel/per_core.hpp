#pragma once
// One T per core, on lines of its own; a trivially copyable handle.
// `scoped_per_core` owns. here() from the owner at any time; at(c) only while core c leaves it alone
// (after on_all_cores / forall returned).
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/message/core_id.hpp"

namespace gossamer {

template <class T>
class per_core {
 public:
  T& here() const { return slots_[gossamer::here()].value; }
  T& at(core_id c) const { return slots_[c].value; }

 protected:
  struct alignas(128) slot {
    T value{};
  };
  slot* slots_ = nullptr;
};

template <class T>
class scoped_per_core : public per_core<T> {
 public:
  scoped_per_core() { this->slots_ = new typename per_core<T>::slot[cores()]; }
  scoped_per_core(const scoped_per_core&) = delete;
  scoped_per_core& operator=(const scoped_per_core&) = delete;
  ~scoped_per_core() { delete[] this->slots_; }
  per_core<T> handle() const { return *this; }
  /// Folds the slots of all cores: combine(accumulator, slot).
  template <class A, class F>
  A fold(A start, F combine) const {
    for (core_id c = 0; c < cores(); ++c) start = combine(std::move(start), this->at(c));
    return start;
  }
};

}  // namespace gossamer
