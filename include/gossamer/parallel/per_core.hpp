#pragma once
// One T per core, on lines of its own; a trivially copyable handle that means the same in every process.
// `scoped_per_core` owns. here() from the owner at any time; at(c) only for a core of the same process, while
// that leaves it alone (after on_all_cores / forall returned); from anywhere: collect(), fold().

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/memory/symmetric.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/message/payload.hpp"
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

/// The answers of a process for several of its cores.
template <class R>
struct collected {
  static constexpr unsigned k_most = std::max<std::size_t>(1, 512 / sizeof(R));
  R* into;
  std::uint32_t count;

  static std::size_t bytes_of(std::uint32_t n) {
    return message::payload_stride(sizeof(collected), n * sizeof(R));
  }
  static void run(const message::dispatch& d, std::byte* records, std::uint32_t count) {
    message::each_with_payload<collected>(d, records, count, [](const collected& c, const std::byte* values) {
      std::memcpy(c.into, values, c.count * sizeof(R));
    });
  }
};

template <class T, class F, class R>
struct collect_question {
  per_core<T> from;
  F f;
  R* into;
  core_id first;
  std::uint32_t count;
  void operator()(const message::dispatch& d) {
    std::array<R, collected<R>::k_most> values;
    for (std::uint32_t k = 0; k < count; ++k) values[k] = f(from.at(first + k));
    const collected<R> head{into, count};
    std::byte* const to = d.self.template reply_room_counted<collected<R>>(d, collected<R>::bytes_of(count));
    std::memcpy(to, &head, sizeof head);
    std::memcpy(to + round_up(sizeof head, 8), values.data(), count * sizeof(R));
  }
};

}  // namespace parallel

/// f(slot) for every core, a trivially copyable value of at most 512 bytes; all of them in core order. By one
/// fiber; suspends. f runs in the core's process, on slots that their cores leave alone: one small message to
/// each other process and one back, for 512 bytes of values.
template <class T, class F>
auto collect(const per_core<T>& from, F f) {
  using value = std::invoke_result_t<F&, T&>;
  static_assert(std::is_trivially_copyable_v<value> && sizeof(value) <= 512,
                "what is collected is sent as bytes");
  std::vector<value> all(cores());
  message::wait_for_all([&] {
    auto& self = message::endpoint::here();
    for (unsigned p = 0; p < processes(); ++p) {
      const core_id end = first_core(p + 1);
      if (p == process()) {
        for (core_id c = first_core(p); c < end; ++c) all[c] = f(from.at(c));
        continue;
      }
      for (core_id c = first_core(p); c < end; c += parallel::collected<value>::k_most) {
        const std::uint32_t n = std::min(end - c, parallel::collected<value>::k_most);
        self.issue_question(first_core(p), parallel::collect_question<T, F, value>{from, f, &all[c], c, n},
                            static_cast<std::uint32_t>(parallel::collected<value>::bytes_of(n) + 16));
      }
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
