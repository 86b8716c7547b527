#pragma once
// Loops and slots for the cores of one process, like those of loop.hpp and per_core.hpp. Bodies run in this
// process only, so they may hold pointers into it. One fiber of the process calls at a time, usually inside
// on_all_processes(). With one process this is the whole job.

#include <memory>
#include <utility>
#include <vector>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer {

namespace local {

/// Returns the number of cores of this process.
inline unsigned cores() { return cores_per_process(); }
/// Returns the number of this core among those of its process.
inline unsigned here() { return gossamer::here() - first_core(process()); }

/// A handle of one T for each core of this process, on separate cache lines. Trivially copyable.
template <class T>
class per_core {
 public:
  /// Returns this core's object.
  T& here() const { return slots_[local::here()].value; }
  /// Returns the object of core c, which must not use it meanwhile.
  T& at(unsigned c) const { return slots_[c].value; }

 protected:
  /// An object on separate cache lines.
  struct alignas(128) slot {
    T value{};  // the object
  };
  slot* slots_ = nullptr;  // by core
};

/// Owns an object for each core of this process.
template <class T>
class scoped_per_core : public per_core<T> {
 public:
  scoped_per_core() { this->slots_ = new typename per_core<T>::slot[local::cores()]; }
  /// Does not compile: capture handle().
  scoped_per_core(const scoped_per_core&) : scoped_per_core() { refuse_copy<scoped_per_core>(); }
  scoped_per_core& operator=(const scoped_per_core&) = delete;
  ~scoped_per_core() { delete[] this->slots_; }
  /// Returns the handle to capture.
  per_core<T> handle() const { return *this; }
  /// Folds the objects in core order: combine(accumulator, object). By the fiber that owns them.
  template <class A, class F>
  A fold(A start, F combine) const {
    for (unsigned c = 0; c < local::cores(); ++c) start = combine(std::move(start), this->at(c));
    return start;
  }
};

}  // namespace local
}  // namespace gossamer
