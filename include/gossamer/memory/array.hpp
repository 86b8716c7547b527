#pragma once
// STUB with the final interface: one shared vector, operations applied at once under a lock.
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/memory/core_id.hpp"

namespace gossamer {

struct distribution {
  enum class kind : std::uint8_t { block, block_cyclic, hashed, boundaries };
  kind how = kind::block;
  std::uint64_t block_elements = 1;        // block_cyclic, hashed
  std::vector<std::uint64_t> bounds = {};  // boundaries: cores()+1 ascending indices
};
inline const distribution block{};
inline distribution block_cyclic(std::uint64_t elements) { return {distribution::kind::block_cyclic, elements, {}}; }
inline distribution by_boundaries(std::vector<std::uint64_t> bounds) { return {distribution::kind::boundaries, 1, std::move(bounds)}; }

/// A read-only view of a whole array, in place. Trivially copyable.
template <class T>
class frozen {
 public:
  frozen() = default;
  explicit frozen(std::span<const T> all) : data_(all.data()), size_(all.size()) {}
  const T& operator[](std::uint64_t i) const { return data_[i]; }
  std::uint64_t size() const { return size_; }
  const T* data() const { return data_; }

 private:
  const T* data_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Handle of a global array: trivially copyable, captured by value; does not own.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  array() = default;
  std::uint64_t size() const { return state_->data.size(); }
  core_id owner(std::uint64_t i) const {
    core_id c = 0;
    while (i >= state_->bounds[c + 1]) ++c;
    return c;
  }
  /// This core's slice (block and boundaries: elements local_begin() .. local_begin()+local().size()).
  std::span<T> local() const {
    return std::span<T>(state_->data).subspan(local_begin(), state_->bounds[here() + 1] - state_->bounds[here()]);
  }
  std::uint64_t local_begin() const { return state_->bounds[here()]; }
  /// Ships f(T&) to the owner of i; counted by the enclosing completion (on_all_cores, forall).
  template <class F>
  void async(std::uint64_t i, F f) const {
    std::lock_guard hold(state_->lock);
    f(state_->data[i]);
  }
  template <class F>
  auto call(std::uint64_t i, F f) const {
    std::lock_guard hold(state_->lock);
    return f(state_->data[i]);
  }
  T read(std::uint64_t i) const { return state_->data[i]; }
  void write(std::uint64_t i, const T& v) const { state_->data[i] = v; }
  /// Nobody writes until thaw(): read in place by every core.
  frozen<T> freeze() const { return frozen<T>(std::span<const T>(state_->data)); }
  void thaw() const {}

  struct state {
    std::vector<T> data;
    std::vector<std::uint64_t> bounds;
    std::mutex lock;
  };
  state* state_ = nullptr;
};

/// Elements start as zero bytes. Memory is checked before it is taken (gossamer::error).
template <class T>
array<T> make_array(std::uint64_t n, const distribution& d = block) {
  array<T> a;
  a.state_ = new typename array<T>::state;
  a.state_->data.resize(n);
  if (d.how == distribution::kind::boundaries) {
    a.state_->bounds = d.bounds;
  } else {
    for (unsigned c = 0; c <= cores(); ++c) a.state_->bounds.push_back(n * c / cores());
  }
  return a;
}
template <class T>
void release(array<T>& a) {
  delete a.state_;
  a = {};
}

/// Owns an array for a scope; move-only; converts to the handle.
template <class T>
class scoped_array : public array<T> {
 public:
  scoped_array() = default;
  explicit scoped_array(std::uint64_t n, const distribution& d = block) : array<T>(make_array<T>(n, d)) {}
  scoped_array(scoped_array&& o) noexcept : array<T>(std::exchange(static_cast<array<T>&>(o), {})) {}
  scoped_array& operator=(scoped_array&& o) noexcept {
    std::swap(static_cast<array<T>&>(*this), static_cast<array<T>&>(o));
    return *this;
  }
  ~scoped_array() {
    if (this->state_) release(*this);
  }
  array<T> handle() const { return *this; }
};

}  // namespace gossamer
