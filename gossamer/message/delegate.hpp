#pragma once
// Delegates: operations shipped to a core. `async_on` returns at once, and the enclosing completion counts
// the operation; `call_on` suspends the fiber until the answer has arrived. The function object is copied as
// bytes (at most ~1 KiB). It runs as a handler between the fibers of its core, so it must not suspend.

#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "gossamer/base/element_parameter.hpp"
#include "gossamer/base/short_name.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/message/endpoint.hpp"
#include "gossamer/message/internal/capture_check.hpp"
#include "gossamer/message/internal/remote_failure.hpp"

namespace gossamer {

namespace message {

/// Checks captures for addresses in development builds: for calls made once per message.
template <class F>
void check_captures([[maybe_unused]] const F& f) {
#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
  find_captures(f, endpoint::here(), nullptr);
#endif
}

template <class F>
struct async_record {
  F f;
  void operator()(const dispatch&) { f(); }
};

/// An operation on an object of the destination. The cache line of the object is prefetched.
template <class T, class F>
struct async_at_record {
  T* object;
  F f;
  const void* target() const { return object; }
  void operator()(const dispatch&) { f(*object); }
};

struct nothing {};
template <class R>
using answer_of = std::conditional_t<std::is_void_v<R>, nothing, R>;

/// The place for the answer of a call, on the stack of the fiber that waits for it.
template <class R>
struct call_slot {
  static_assert(std::is_void_v<R> ||
                    (std::is_trivially_copyable_v<answer_of<R>> && sizeof(answer_of<R>) <= 512),
                "the answer of a call is copied as bytes: at most 512, trivially copyable");
  fiber::fiber* waiter;
  std::optional<answer_of<R>> value = std::nullopt;
  std::exception_ptr error = nullptr;
};

template <class R>
struct answer_record {
  call_slot<R>* slot;
  answer_of<R> value;
  void operator()(const dispatch& d) {
    slot->value.emplace(value);
    d.self.wake(*slot->waiter);
  }
};

template <class R>
struct failure_record {
  call_slot<R>* slot;
  std::exception_ptr* error;  // passed on; from another process: the name of the exception there
  void operator()(const dispatch& d) {
    if (d.self.is_local(d.source)) {
      slot->error = std::move(*error);
      delete error;
    } else {
      slot->error = std::make_exception_ptr(remote_failure{d.source, error});
    }
    d.self.wake(*slot->waiter);
  }
};

template <class R, class Operation>
struct call_record {
  call_slot<R>* slot;
  Operation operation;

  const void* target() const
    requires requires(const Operation& o) { o.target(); }
  {
    return operation.target();
  }
  void operator()(const dispatch& d) noexcept {
    try {
      if constexpr (std::is_void_v<R>) {
        operation();
        d.self.reply(d.source, answer_record<R>{slot, {}});
      } else {
        d.self.reply(d.source, answer_record<R>{slot, operation()});
      }
    } catch (...) {
      d.self.reply(d.source, failure_record<R>{slot, new std::exception_ptr(std::current_exception())});
    }
  }
};

/// Suspends until the slot of this fiber has its answer.
template <class R>
R take_answer(call_slot<R>& slot) {
  endpoint::here().suspend("the answer of a call");
  if (slot.error) rethrow(slot.error);
  if constexpr (!std::is_void_v<R>) {
    GOSSAMER_ASSERT(slot.value.has_value(), "a fiber that waits for an answer was woken without one");
    return *slot.value;
  }
}

template <class R, class Operation>
[[gnu::noinline]] R remote_call(core_id to, const Operation& operation) {
  endpoint& self = endpoint::here();
  call_slot<R> slot{self.running()};
  GOSSAMER_ASSERT(slot.waiter != nullptr, "only a fiber can call (a handler cannot wait)");
  self.issue_call(to, call_record<R, Operation>{&slot, operation},
                  sizeof(answer_record<R>) + sizeof(failure_record<R>));
  return take_answer(slot);
}

template <class T, class F>
struct operation_at {
  T* object;
  F f;
  const void* target() const { return object; }
  decltype(auto) operator()() { return f(*object); }
};

/// Ships f(*object) to core `to`, which owns the object. Counted by the enclosing completion.
template <class T, class F>
void async_at(core_id to, T* object, const F& f) {
  gossamer::detail::check_element_function<F, T>();
  check_captures(f);
  endpoint::here().issue_as<async_at_record<T, F>>(to, object, f);
}
/// Runs f(*object) at core `to`, which owns the object. Suspends until the result has arrived, and returns it.
template <class T, class F>
auto call_at(core_id to, T* object, F f) -> std::invoke_result_t<F&, T&> {
  if constexpr (std::is_void_v<std::invoke_result_t<F&, T&>>)
    gossamer::detail::check_element_function<F, T>();
  if (to == endpoint::here().id()) [[likely]]
    return f(*object);
  (void)inside("call, read or write", to);
  check_captures(f);
  return remote_call<std::invoke_result_t<F&, T&>>(to, operation_at<T, F>{object, std::move(f)});
}

}  // namespace message

/// Ships f() to core `to` and returns before it runs. The enclosing completion counts it (forall,
/// on_all_cores, finish), and rethrows its exception. Costs sizeof(F) bytes in an aggregated packet, no
/// allocation. Suspends when packets are exhausted. Yields to other fibers where this one has run for 0.4 ms
/// without a switch.
template <class F>
void async_on(core_id to, const F& f) {
  message::endpoint& self = message::inside("async_on", to);
  message::check_captures<std::decay_t<F>>(f);  // a function is shipped as its address
  self.issue_as<message::async_record<std::decay_t<F>>>(to, f);
}

/// Runs f() on core `to`. Suspends until the answer has arrived. Returns the result of f, or throws its
/// exception. Costs one aggregated message each way; on the own core it is a plain call.
template <class F>
auto call_on(core_id to, F f) -> std::invoke_result_t<F&> {
  if (to == here()) return f();
  (void)message::inside("call_on", to);
  message::check_captures(f);
  return message::remote_call<std::invoke_result_t<F&>>(to, std::move(f));
}

}  // namespace gossamer
