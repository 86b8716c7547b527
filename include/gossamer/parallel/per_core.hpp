#pragma once
// One T per core, on lines of its own; a trivially copyable handle that means the same in every process.
// `scoped_per_core` owns. here() from the owner at any time; at(c) only for a core of the same process, while
// that leaves it alone (after on_all_cores / forall returned); from anywhere: collect(), fold().

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/memory/symmetric.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer {

template <class T>
class per_core {
 public:
  T& here() const { return slots_[gossamer::here()].value; }
  T& at(core_id c) const {
    GOSSAMER_DEBUG_ASSERT(process_of(c) == process(), "at(c) reads a slot of another process: collect() it");
    return slots_[c].value;
  }
  /// Where the slot of core c lies; it is there in that core's process only.
  T* address(core_id c) const { return &slots_[c].value; }

 protected:
  struct alignas(128) slot {
    T value{};
  };
  slot* slots_ = nullptr;
};

namespace parallel {

template <class R>
struct collected {
  R* into;
  R value;
  void operator()(const message::dispatch&) const { *into = value; }
};

template <class T, class F, class R>
struct collect_question {
  T* slot;
  F f;
  R* into;
  void operator()(const message::dispatch& d) { d.self.reply_counted(d, collected<R>{into, f(*slot)}); }
};

}  // namespace parallel

/// f(slot) at every core, a trivially copyable value of at most 512 bytes; all of them in core order. By one
/// fiber; suspends. Inside a process f runs here, on slots that their cores leave alone.
template <class T, class F>
auto collect(const per_core<T>& from, F f) {
  using value = std::invoke_result_t<F&, T&>;
  static_assert(std::is_trivially_copyable_v<value> && sizeof(value) <= 512,
                "what is collected is sent as bytes");
  std::vector<value> all(cores());
  message::wait_for_all([&] {
    auto& self = message::endpoint::here();
    for (core_id c = 0; c < cores(); ++c) {
      if (self.is_near(c))
        all[c] = f(from.at(c));
      else
        self.issue_question(c, parallel::collect_question<T, F, value>{from.address(c), f, &all[c]},
                            sizeof(parallel::collected<value>));
    }
  });
  return all;
}

template <class T>
class scoped_per_core : public per_core<T> {
  using slot = typename per_core<T>::slot;

 public:
  /// By any one fiber; over several processes it suspends.
  scoped_per_core() {
    if (processes() == 1) {
      this->slots_ = new slot[cores()];
      return;
    }
    region_ = memory::symmetric_region(cores() * sizeof(slot));
    this->slots_ = reinterpret_cast<slot*>(region_.data());
    message::at_every_process([slots = this->slots_] {
      std::uninitialized_value_construct_n(slots + first_core(process()), cores_per_process());
    });
  }
  scoped_per_core(const scoped_per_core&) = delete;
  scoped_per_core& operator=(const scoped_per_core&) = delete;
  ~scoped_per_core() {
    if (processes() == 1)
      delete[] this->slots_;
    else
      message::at_every_process(
          [slots = this->slots_] { std::destroy_n(slots + first_core(process()), cores_per_process()); });
  }
  per_core<T> handle() const { return *this; }
  /// Folds the slots of all cores in their order: combine(accumulator, slot). Over several processes T is
  /// trivially copyable, and it suspends.
  template <class A, class F>
  A fold(A start, F combine) const {
    if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= 512) {
      if (processes() > 1) {
        for (T& value : collect(handle(), [](T& v) { return v; })) start = combine(std::move(start), value);
        return start;
      }
    }
    for (core_id c = 0; c < cores(); ++c) start = combine(std::move(start), this->at(c));
    return start;
  }

 private:
  memory::symmetric_region region_;
};

}  // namespace gossamer
