#pragma once
// One T per core, on separate cache lines, behind a trivially copyable handle that is valid in every process.
// `scoped_per_core` owns the objects. A core uses here() at any time. at(c) needs a core of the same process
// that does not use its object meanwhile (after on_all_cores() or forall() has returned). collect() and
// fold() work from anywhere.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/memory/global_ptr.hpp"
#include "gossamer/memory/symmetric.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/visit.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer {

/// A handle of an object on every core. Trivially copyable.
template <class T>
class per_core {
 public:
  /// Returns this core's object.
  T& here() const { return slots_[gossamer::here()].value; }
  /// Returns the object of a core of this process. No fiber of that core may use it meanwhile.
  T& at(core_id c) const {
    const auto* core = static_cast<message::endpoint*>(fiber::scheduler::current());
    GOSSAMER_ASSERT(core == nullptr || core->is_local(c),
                    "per_core::at(c): c is no core of this process: collect()");
    return slots_[c].value;
  }
  /// Returns the address of core c's object. The object exists in that core's process only.
  T* address(core_id c) const { return &slots_[c].value; }
  /// Returns a global pointer to the object of core c, for transfers (memory/transfer.hpp). Ends the program in one line if c
  /// is no core of the job.
  global_ptr<T> pointer(core_id c) const { return {checked(c), &slots_[c].value}; }
  /// Returns a global pointer to a member of the object of core c.
  template <class Member>
    requires std::is_member_object_pointer_v<Member>
  auto pointer(core_id c, Member member) const {
    auto& field = slots_[c].value.*member;
    return global_ptr<std::remove_reference_t<decltype(field)>>(checked(c), &field);
  }

 protected:
  /// An object on separate cache lines.
  struct alignas(128) slot {
    T value{};  // the object
  };
  slot* slots_ = nullptr;  // by core

 private:
  /// Returns c, a core of the job where one runs.
  static core_id checked(core_id c) {
    if (fiber::scheduler::current() != nullptr) (void)message::inside("per_core::pointer", c);
    return c;
  }
};

namespace parallel {

/// The results of a process for several of its cores.
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
struct collect_request {
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

/// Collects the values of the cores of processes [first, last). Suspends.
template <class T, class F, class R>
void collect_from(per_core<T> from, F f, unsigned first, unsigned last, R* into) {
  message::wait_for_all([&] {
    auto& self = message::endpoint::here();
    const core_id begin = first_core(first);
    for (unsigned p = first; p < last; ++p) {
      const core_id end = first_core(p + 1);
      if (p == process()) {
        for (core_id c = first_core(p); c < end; ++c) into[c - begin] = f(from.at(c));
        continue;
      }
      for (core_id c = first_core(p); c < end; c += collected<R>::k_most) {
        const std::uint32_t n = std::min(end - c, collected<R>::k_most);
        self.issue_request_counted(first_core(p), collect_request<T, F, R>{from, f, into + (c - begin), c, n},
                                   static_cast<std::uint32_t>(collected<R>::bytes_of(n) + 16));
      }
    }
  });
}

/// Collects on behalf of core `home`.
template <class T, class F, class R>
struct collect_for {
  per_core<T> from;
  F f;
  std::uint32_t first, last;
  core_id home;
  R* into;  // at `home`
  void operator()() const {
    std::vector<R> found(first_core(last) - first_core(first));
    collect_from(from, f, first, last, found.data());
    async_on(
        home,
        [into = into](std::span<const std::byte> bytes) { std::memcpy(into, bytes.data(), bytes.size()); },
        std::as_bytes(std::span<const R>(found)));
  }
};

/// Does what collect() does, for values that are no bools.
template <class Value, class T, class F>
std::vector<Value> collect_values(const per_core<T>& from, F f) {
  std::vector<Value> all(cores());
  const unsigned n = processes(), groups = parallel::fan_out();
  GOSSAMER_DEBUG_ASSERT(groups > 0);
  if (n - 1 <= groups) {
    parallel::collect_from(from, f, 0, n, all.data());
    return all;
  }
  parallel::under_completion(
      [&](parallel::core& self, message::completion&) {
        using helper = collect_for<T, F, Value>;
        unsigned mine = 0;
        for (unsigned g = 0; g < groups; ++g) {
          const std::uint32_t first = n * g / groups, last = n * (g + 1) / groups;
          if (first <= process() && process() < last)
            mine = g;
          else
            self.issue(first_core(first),
                       parallel::remote_launch_record<helper>{
                           {from, f, first, last, self.id(), all.data() + first_core(first)}});
        }
        self.request_flush();
        const unsigned first = n * mine / groups;
        parallel::collect_from(from, f, first, n * (mine + 1) / groups, all.data() + first_core(first));
      },
      "collect");
  return all;
}

}  // namespace parallel

/// Returns f(object) for every core, in core order: trivially copyable values of at most 512 bytes. By one
/// fiber; suspends. f runs in the core's process, while no core uses its object. Costs, for each 512 bytes of
/// values, one small message to each other process and its answer. With many processes the requests and
/// answers are forwarded along a tree.
template <class T, class F>
auto collect(const per_core<T>& from, F f) {
  using value = std::invoke_result_t<F&, T&>;
  static_assert(std::is_trivially_copyable_v<value> && sizeof(value) <= 512,
                "what is collected is sent as bytes");
  if constexpr (std::is_same_v<value, bool>) {  // a vector of bool has no elements in memory
    const auto bytes =
        collect(from, [f](T& object) mutable { return static_cast<unsigned char>(f(object)); });
    return std::vector<bool>(bytes.begin(), bytes.end());
  } else {
    return parallel::collect_values<value>(from, f);
  }
}

/// Owns an object for every core, made and destroyed by the first core of its process, of one process by the
/// calling fiber.
template <class T>
class scoped_per_core : public per_core<T> {
  using slot = typename per_core<T>::slot;

 public:
  /// Makes an object on every core. By any one fiber; with several processes it suspends.
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
  /// Does not compile: capture handle().
  scoped_per_core(const scoped_per_core&) : scoped_per_core() { refuse_copy<scoped_per_core>(); }
  scoped_per_core& operator=(const scoped_per_core&) = delete;
  ~scoped_per_core() {
    if (region_.data() == nullptr)  // of one process
      delete[] this->slots_;
    else if (region_.is_in_job())
      message::at_every_process(
          [slots = this->slots_] { std::destroy_n(slots + first_core(process()), cores_per_process()); });
  }
  /// Returns the handle to capture.
  per_core<T> handle() const { return *this; }
  /// Folds the objects of all cores in core order: combine(accumulator, object). With several processes T must be
  /// trivially copyable, the call suspends, and combine gets a copy of each object: by collect() up to 512 bytes,
  /// otherwise by a get() for each core. Throws gossamer::error there for any other T.
  template <class A, class F>
  A fold(A start, F combine) const {
    if (processes() > 1) return fold_copies(std::move(start), combine);
    for (core_id c = 0; c < cores(); ++c) start = combine(std::move(start), this->at(c));
    return start;
  }

 private:
  template <class A, class F>
  A fold_copies(A start, F& combine) const {
    if constexpr (!std::is_trivially_copyable_v<T>) {
      throw error(
          "fold: with several processes objects are copied as bytes, and these cannot be: collect() a value "
          "of each");
    } else if constexpr (sizeof(T) <= 512) {
      for (const T& value : collect(handle(), [](T& v) { return v; })) {
        T object = value;
        start = combine(std::move(start), object);
      }
    } else {
      const auto object = std::make_unique<T>();
      for (core_id c = 0; c < cores(); ++c) {
        get(section<T>(this->pointer(c), 1), std::span<T>(object.get(), 1));
        start = combine(std::move(start), *object);
      }
    }
    return start;
  }

  memory::symmetric_region region_;
};

}  // namespace gossamer
