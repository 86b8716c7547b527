#pragma once
// Global arrays: a distribution assigns each element to one core, its owner. There are two paths to the elements.
// async(), call(), read() and write() ship the operation to the owner (guarantees: global_ptr.hpp). freeze() makes the array
// read-only, and every core of the process reads it in place until thaw().
// `array` is a trivially copyable handle: capture it by value, it owns nothing. `scoped_array` owns.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/fiber/owning_job.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/memory/distribution.hpp"
#include "gossamer/memory/global_ptr.hpp"

namespace gossamer {

namespace memory {

/// The storage of an array: the elements of core 0, then those of core 1, and so on; zeroed. Every process has it at the same
/// addresses. Processes of a node that have memory in common map the same memory there. A process writes the elements of its
/// own cores; while the array is frozen it also writes copies of elements of other nodes.
/// A released array has no elements. Its state is kept for some time, so that uses of its handles are detected.
struct array_state {
  array_state(const distribution& d, std::uint64_t size, std::size_t element_bytes, unsigned cores);
  /// Lays the array out in `elements`, the memory of all elements.
  array_state(const distribution& d, std::uint64_t size, unsigned cores, std::byte* elements)
      : where(d, size, cores), data(elements) {}

  layout where;
  machine::memory_region region;
  std::byte* data;  // null once released. A contiguous distribution: element i lies at i * element_bytes
  std::atomic<int> freezes{0};  // development builds: checked by writers (relaxed: no data depends on it)
};

/// Makes the state of an array. By any one fiber. With several processes it suspends: a message to each process and
/// an answer.
array_state* make_array_state(const distribution& d, std::uint64_t size, std::size_t element_bytes);
/// Ends the program in one line if the array was released already. Does nothing once the job has ended.
void check_release(const array_state* a);
void release_array_state(array_state* a);
/// Frees what is left of an array after its job: with several processes nothing, because the state lies at common addresses,
/// which end with the job.
void free_after_job(array_state* a);
/// Ends the program in one line: `call` got an index that is out of range, or the handle of a released array.
[[noreturn, gnu::cold]] void refuse_index(const char* call, const array_state* a, std::uint64_t index);
[[noreturn, gnu::cold]] void refuse_array(const char* call, const array_state* a);

/// Copies the elements of every core to every process that does not map them. By one fiber; suspends.
void fetch_all_elements(array_state* a, std::size_t element_bytes);

/// Returns whether this process can read and write the array elements of `owner` in place: `owner` is a core of this
/// process, or of a neighbour process on its node (fabric/node_group.hpp). Writes to them are visible once the loop or
/// completion that issued them has been waited for.
bool lies_here(core_id owner);
/// Returns whether lies_here() holds for every core. The same in all processes.
bool all_lies_here();

}  // namespace memory

template <class T>
class array;
template <class T>
class section;

/// A read-only view of a whole frozen array. A read is a load, and sends no message. Trivially copyable; valid until
/// the array is thawed or released.
template <class T>
class frozen {
 public:
  frozen() = default;

  /// Returns element i. Only development builds check the index, because this is often the innermost load of
  /// a loop.
  const T& operator[](std::uint64_t i) const {
    GOSSAMER_DEBUG_ASSERT(i < size_, "a frozen array is read beyond its end");
    if (scattered_ == nullptr) [[likely]]
      return data_[i];
    const auto at = scattered_->find(i);
    return data_[scattered_->owned_begin(at.owner) + at.offset];
  }
  /// Returns the number of elements.
  std::uint64_t size() const { return size_; }
  /// Returns the elements in index order. Contiguous distributions only (block, by_boundaries).
  const T* data() const {
    GOSSAMER_DEBUG_ASSERT(scattered_ == nullptr);
    return data_;
  }

 private:
  friend class array<T>;
  frozen(const T* data, std::uint64_t size, const memory::layout* scattered)
      : data_(data), size_(size), scattered_(scattered) {}

  const T* data_ = nullptr;
  std::uint64_t size_ = 0;
  const memory::layout* scattered_ = nullptr;
};

template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>, "elements of global arrays are zeroed and copied as bytes");

 public:
  array() = default;
  /// Returns whether the handle names an array.
  explicit operator bool() const { return state_ != nullptr; }

  /// Returns the number of elements.
  std::uint64_t size() const { return state_->where.size(); }
  /// Returns whether the elements of each core have consecutive indices, in the order of the cores, as with block and
  /// by_boundaries.
  bool contiguous() const { return state_->where.contiguous(); }
  /// Returns whether every core owns the same indices of both arrays, in the same order: equal sizes and distributions.
  template <class U>
  bool divided_as(const array<U>& other) const {
    return state_->where == other.state_->where;
  }
  /// Returns the core that owns element i.
  core_id owner(std::uint64_t i) const { return where(i, "array::owner").owner; }

  /// Returns the elements that this core owns, in storage order: by ascending index except in hashed distributions.
  /// In contiguous distributions (block, by_boundaries) they are the elements [local_begin(), local_begin() +
  /// local().size()).
  std::span<T> local() const {
    return {elements() + state_->where.owned_begin(here()), state_->where.owned_size(here())};
  }
  /// Returns the index of local()[0]. Only for contiguous distributions.
  std::uint64_t local_begin() const {
    GOSSAMER_ASSERT(state_->where.contiguous(),
                    "array::local_begin: the elements of a core do not follow one another: local_index(k)");
    return state_->where.owned_begin(here());
  }
  /// Returns the index of local()[k], in any distribution.
  std::uint64_t local_index(std::uint64_t k) const {
    if (k >= state_->where.owned_size(here())) [[unlikely]]
      memory::refuse_index("array::local_index", state_, k);
    return state_->where.index(here(), k);
  }

  /// Returns a global pointer to element i. Ends the program in one line if i is out of range, as do all functions of `array`
  /// that take an index.
  global_ptr<T> pointer(std::uint64_t i, const char* call = "array::pointer") const {
    const auto [owner, address] = where(i, call);
    return {owner, address};
  }

  /// Ships f(T&), or f(T&, index), to the owner of element i, and returns before it runs. The enclosing completion counts it.
  /// f is copied, and runs as a handler: it never suspends. Costs sizeof(F) + 8 bytes of an aggregated packet (16 with the
  /// index), no allocation. Suspends when packets are exhausted. Yields to other fibers where this one has run for 0.4 ms
  /// without a switch.
  template <class F>
  void async(std::uint64_t i, F f) const {
    check_writable();
    const auto [owner, address] = where(i, "array::async");
    if constexpr (std::is_invocable_v<F&, T&, std::uint64_t>)
      message::async_at(owner, address, [f, i](T& element) mutable { f(element, i); });
    else
      message::async_at(owner, address, std::move(f));
  }
  /// Runs f(T&) at the owner of element i. Suspends until the answer has arrived. Returns the result of f, or throws its
  /// exception. A plain call where this core is the owner.
  template <class F>
  auto call(std::uint64_t i, F f) const {
    const auto [owner, address] = where(i, "array::call");
    return message::call_at(owner, address, std::move(f));
  }
  /// Returns a copy of element i. Suspends unless this core owns it.
  T read(std::uint64_t i) const {
    const auto [owner, address] = where(i, "array::read");
    return gossamer::read(global_ptr<T>(owner, address));
  }
  /// Assigns element i. Suspends unless this core owns it.
  void write(std::uint64_t i, const T& value) const {
    check_writable();
    const auto [owner, address] = where(i, "array::write");
    gossamer::write(global_ptr<T>(owner, address), value);
  }

  /// Makes the array read-only until thaw(), and returns the view to read. By any one fiber, after all writes: the loops or
  /// completions that issued them have been waited for. Costs nothing inside a process, nor among processes of a node that
  /// have memory in common. Over several nodes it suspends until each node has copied the elements that it lacks, in bulk.
  /// Then every process reads the view in place.
  frozen<T> freeze() const {
    check("array::freeze");
    if (processes() > 1) memory::fetch_all_elements(state_, sizeof(T));
    state_->freezes.fetch_add(1, std::memory_order_relaxed);
    return {elements(), size(), state_->where.contiguous() ? nullptr : &state_->where};
  }
  /// Ends the phase that freeze() began: the elements may be written again.
  void thaw() const {
    check("array::thaw");
    state_->freezes.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Ends the program in one line where the handle names no array, or a released one.
  void check(const char* call) const {
    if (state_ == nullptr || state_->data == nullptr) [[unlikely]]
      memory::refuse_array(call, state_);
  }
  /// Calls f(begin, end, index of begin) for each maximal range of local() elements within [from, to) whose indices are
  /// consecutive. For loops over local().
  template <class F>
  void local_runs(std::uint64_t from, std::uint64_t to, F f) const {
    const auto& where = state_->where;
    while (from < to) {
      const std::uint64_t end = where.run_end(from, to);
      f(from, end, where.index(here(), from));
      from = end;
    }
  }

 private:
  template <class U>
  friend array<U> make_array(std::uint64_t, const distribution&);
  template <class U>
  friend void release(array<U>&);
  template <class U>
  friend class scoped_array;
  friend class section<T>;
  template <class U>
  friend class array;

  struct place {
    core_id owner;
    T* address;
  };
  place where(std::uint64_t i, const char* call) const {
    if (state_ == nullptr) [[unlikely]]
      memory::refuse_array(call, state_);
    const auto& where = state_->where;
    if (i >= where.size()) [[unlikely]]
      memory::refuse_index(call, state_, i);
    if (where.shifts()) [[likely]]
      return {where.by_shift(i), elements() + i};
    const auto at = where.find(i);
    return {at.owner, elements() + where.owned_begin(at.owner) + at.offset};
  }
  T* elements() const { return reinterpret_cast<T*>(state_->data); }
  void check_writable() const {
    GOSSAMER_DEBUG_ASSERT(state_->freezes.load(std::memory_order_relaxed) == 0,
                          "a frozen array is written to");
  }

  memory::array_state* state_ = nullptr;
};

/// Makes an array of n elements, all zero bytes. By any one fiber; with several processes it suspends. Throws gossamer::error
/// where the memory that is left does not suffice (the message says how much is needed), and where n is a negative number that
/// was converted. Uses huge pages where the kernel provides them. With several processes on a node, a core that owns 4 MiB or
/// more takes that memory at once.
template <class T>
array<T> make_array(std::uint64_t n, const distribution& d = block) {
  array<T> a;
  a.state_ = memory::make_array_state(d, n, sizeof(T));
  return a;
}

/// Frees the array. No operation on it may be outstanding.
template <class T>
void release(array<T>& a) {
  if (!a) return;
  memory::check_release(a.state_);
  memory::release_array_state(std::exchange(a.state_, nullptr));
}

/// Adds to element i at its owner and returns the previous value. Suspends unless this core owns it.
/// Atomic with respect to all operations that run at the owner; put() is none of them.
template <class T>
T fetch_add(const array<T>& a, std::uint64_t i, std::type_identity_t<T> difference) {
  return fetch_add(a.pointer(i, "fetch_add"), difference);
}
/// Stores `desired` in element i if it equals `expected`, and returns the previous value. Suspends and is atomic as
/// fetch_add().
template <class T>
T compare_exchange(const array<T>& a, std::uint64_t i, std::type_identity_t<T> expected,
                   std::type_identity_t<T> desired) {
  return compare_exchange(a.pointer(i, "compare_exchange"), expected, desired);
}

/// Owns an array for a scope; move-only. Capture handle(), not this. May be destroyed after the array's job, also inside a
/// later one.
template <class T>
class scoped_array : public array<T> {
 public:
  scoped_array() = default;
  /// Makes an array as make_array() does.
  explicit scoped_array(std::uint64_t n, const distribution& d = block) : array<T>(make_array<T>(n, d)) {}
  /// Does not compile: capture handle().
  scoped_array(const scoped_array&) : scoped_array() { refuse_copy<scoped_array>(); }
  /// Takes over the array of another one.
  scoped_array(scoped_array&& other) noexcept
      : array<T>(std::exchange(static_cast<array<T>&>(other), {})), job_(other.job_) {}
  /// Exchanges the arrays.
  scoped_array& operator=(scoped_array&& other) noexcept {
    std::swap(static_cast<array<T>&>(*this), static_cast<array<T>&>(other));
    std::swap(job_, other.job_);
    return *this;
  }
  ~scoped_array() {
    if (job_.runs_here())
      release(static_cast<array<T>&>(*this));
    else
      memory::free_after_job(this->state_);
  }

  /// Returns the handle to capture.
  array<T> handle() const { return *this; }

 private:
  fiber::owning_job job_;
};

}  // namespace gossamer
