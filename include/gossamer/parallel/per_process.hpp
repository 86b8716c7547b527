#pragma once
// One T per process at the same address in all of them, so that a handle to it can be shipped; and bulk
// exchanges between processes.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer {

/// A trivially copyable handle; here() is this process's T.
template <class T>
class per_process {
 public:
  T& here() const { return *value_; }

 protected:
  T* value_ = nullptr;
};

/// Owns one T{} in every process. Made and destroyed by any one fiber; suspends.
template <class T>
class scoped_per_process : public per_process<T> {
 public:
  scoped_per_process() { this->value_ = new T{}; }
  scoped_per_process(const scoped_per_process&) = delete;
  scoped_per_process& operator=(const scoped_per_process&) = delete;
  ~scoped_per_process() { delete this->value_; }
  per_process<T> handle() const { return *this; }
};

/// f(slot) at every core, a trivially copyable value; all of them in core order. By one fiber; suspends.
template <class T, class F>
auto collect(const per_core<T>& from, F f) {
  std::vector<std::invoke_result_t<F&, T&>> all;
  for (core_id c = 0; c < cores(); ++c) all.push_back(f(from.at(c)));
  return all;
}

/// f(slot) at every core, something that a std::span<const U> can be made of (U trivially copyable) and that
/// stays there meanwhile; copies of all, by core. By one fiber; suspends.
template <class U, class T, class F>
std::vector<std::vector<U>> collect_spans(const per_core<T>& from, F f) {
  std::vector<std::vector<U>> all;
  for (core_id c = 0; c < cores(); ++c) {
    const std::span<const U> part = f(from.at(c));
    all.emplace_back(part.begin(), part.end());
  }
  return all;
}

/// Collective over the processes: one fiber of each calls it (inside on_all_processes()). parts[p] goes to
/// process p; returns what the others and this one had for this process, by process. U trivially copyable.
template <class U>
std::vector<std::vector<U>> exchange(std::vector<std::vector<U>> parts) {
  return parts;
}

/// Collective over the processes, one fiber of each: the value of every process, in order.
template <class U>
std::vector<U> all_gather_processes(const U& mine) {
  return {mine};
}

}  // namespace gossamer
