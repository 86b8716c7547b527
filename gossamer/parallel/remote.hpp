#pragma once
// Runs functions elsewhere: on a core, on all cores, on the first core of every process. Function objects are
// copied as bytes to the core that runs them: capture numbers and handles (arrays, per_core, global pointers)
// by value. By fibers. One fiber calls; each call waits for everything that it started, and rethrows the
// first exception.
//
//   call(g, f), call_on(c, f)     f is short and never suspends: a message and its answer (message/delegate.hpp)
//   async(g, f), async_on(c, f)   the same without an answer; counted by the enclosing completion
//   on_core(c, f)                 f may suspend: a task there; its result is sent back
//   spawn_on(c, f)                the same without waiting; counted by the enclosing completion
//   on_all_cores(f)               f on every core: collectives may be used inside
//   on_all_processes(f)           f on the first core of every process
//   local::on_all_cores(f)        f on every core of this process; may hold pointers

#include <cstring>
#include <new>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/message/payload.hpp"
#include "gossamer/parallel/internal/launch.hpp"
#include "gossamer/parallel/internal/process_tree.hpp"
#include "gossamer/parallel/spawn.hpp"

namespace gossamer {

namespace parallel {

/// The record of on_core() inside a process: f and the place for its result stay valid, because the caller waits.
template <class F, class R>  // R: an optional, or void
struct visit_record {
  F* f;
  R* result;
  message::completion* scope;

  void operator()(const message::dispatch&) const {
    core::here().push_plain(task::make(scope, [visit = *this] {
      if constexpr (std::is_void_v<R>)
        (*visit.f)();
      else
        visit.result->emplace((*visit.f)());  // read by the caller after the completion has settled
    }));
  }
};

/// Results that can be sent to another process as bytes.
template <class R>
struct shipped_result : std::bool_constant<std::is_trivially_copyable_v<R>> {};
template <class U>
struct shipped_result<std::vector<U>> : std::bool_constant<std::is_trivially_copyable_v<U>> {};
template <>
struct shipped_result<std::string> : std::true_type {};

/// Sends `value` to *there on core `to`, which waits for it. Counted by the enclosing completion.
template <class R>
void ship_result(core_id to, std::optional<R>* there, const R& value) {
  if constexpr (std::is_trivially_copyable_v<R>) {
    async_on(
        to,
        [there](std::span<const std::byte> bytes) {
          alignas(R) std::byte copy[sizeof(R)];
          std::memcpy(copy, bytes.data(), sizeof(R));
          there->emplace(*std::launder(reinterpret_cast<const R*>(copy)));
        },
        std::as_bytes(std::span<const R, 1>(&value, 1)));
  } else if constexpr (std::is_same_v<R, std::vector<bool>>) {  // its elements are no bytes in memory
    const std::vector<unsigned char> all(value.begin(), value.end());
    async_on(
        to,
        [there](std::span<const std::byte> bytes) {
          const auto* const first = reinterpret_cast<const unsigned char*>(bytes.data());
          there->emplace(first, first + bytes.size());
        },
        std::as_bytes(std::span(all)));
  } else {
    using element = typename R::value_type;
    async_on(
        to,
        [there](std::span<const std::byte> bytes) {
          R whole;
          whole.resize(bytes.size() / sizeof(element));
          if (!bytes.empty()) std::memcpy(whole.data(), bytes.data(), bytes.size());
          there->emplace(std::move(whole));
        },
        std::as_bytes(std::span<const element>(value.data(), value.size())));
  }
}

/// The record of on_core() to another process: carries f, and the result is sent back.
template <class F, class R>
struct remote_visit_record {
  F f;
  std::optional<R>* result;  // at the caller
  core_id caller;

  void operator()(const message::dispatch&) const {
    core& self = core::here();
    self.push_plain(counted_task(self, [visit = *this] {
      F mine(visit.f);
      ship_result<R>(visit.caller, visit.result, mine());
    }));
  }
};

}  // namespace parallel

/// Spawns a task on core `to`, and returns at once. The enclosing completion counts it. f may suspend. Costs one message.
template <class F>
void spawn_on(core_id to, F f) {
  (void)message::inside("spawn_on", to);
  async_on(to, [f] { spawn(f); });
}

namespace local {

/// Runs f() in a fiber on every core of this process, and waits for all of them and all that they issued.
/// Nothing is copied to other processes and the caller waits, so f may hold pointers, also to the caller's stack.
template <class F>
void on_all_cores(F f, const char* call = "on_all_cores") {
  (void)message::inside(call);
  parallel::run_on_team(parallel::shared_body::of(f), call);
}

}  // namespace local

/// Runs f() in a fiber on every core, and waits for all of them and all that they issued. Rethrows the first
/// exception. Inside, each core has one such fiber, so f may call barrier() and the other
/// collectives. Messages to the processes and their acknowledgements travel along a tree.
template <class F>
void on_all_cores(F f, const char* call = "on_all_cores",
                  std::source_location where = std::source_location::current()) {
  static_assert(parallel::k_ships<F>, "the body of a loop travels in a message: at most 1,000 bytes");
  static_assert(parallel::k_is_aligned<F>,
                "the body of a loop is aligned to 8 bytes at most: capture a pointer to such a value");
  (void)message::inside(call);
  parallel::check_body(f, where);
  if constexpr (std::is_trivially_copyable_v<F>) {  // otherwise check_body() has reported it
    if (processes() == 1) return local::on_all_cores(std::move(f), call);
    const auto team = [f] { local::on_all_cores(f); };
    parallel::run_on_all(parallel::travelling_body::of(team), parallel::shared_body::of(f), call);
  }
}

/// Runs f() in a fiber on the first core of every process, and waits for all of them and what they issued.
/// With one process it is a plain call on that core. f is copied as bytes. Rethrows the first exception.
/// Inside, local:: is this process.
template <class F>
void on_all_processes(F f, std::source_location where = std::source_location::current()) {
  (void)message::inside("on_all_processes");
  parallel::check_body(f, where);
  parallel::under_completion(
      [&f](parallel::core& self, message::completion& all) {
        if (processes() == 1 && self.id() == 0) return f();  // this is that core
        parallel::tell_others(self, parallel::travelling_body::of(f), parallel::all_from_here());
        parallel::launch_on(self, first_core(process()), all, parallel::shared_body::of(f));
      },
      "on_all_processes");
}

/// Runs f() as a task on core `to`, and waits for it and for all that it issued. Returns its result, or
/// rethrows the first exception. Unlike in call_on(), f may suspend, and call other cores. Costs one message
/// and a task. From another process the result must be a trivially copyable value, a vector of those, or a
/// string.
template <class F>
auto on_core(core_id to, F f, std::source_location where = std::source_location::current())
    -> std::invoke_result_t<F&> {
  using result_type = std::invoke_result_t<F&>;
  using stored = std::conditional_t<std::is_void_v<result_type>, char, result_type>;
  (void)message::inside("on_core", to);
  parallel::check_body(f, where);
  std::optional<stored> result;
  parallel::under_completion(
      [&](parallel::core& self, message::completion& visit) {
        using record = parallel::visit_record<
            F, std::conditional_t<std::is_void_v<result_type>, void, std::optional<stored>>>;
        if (!self.is_local(to)) {
          if constexpr (std::is_void_v<result_type>)
            return self.issue(to, parallel::remote_launch_record<F>{f});
          else if constexpr (parallel::shipped_result<result_type>::value)
            return self.issue(to, parallel::remote_visit_record<F, result_type>{f, &result, self.id()});
          else
            GOSSAMER_ASSERT(false, "a result of this type cannot travel between processes");
        }
        visit.issue(1);
        if constexpr (std::is_void_v<result_type>)
          self.issue_uncounted(to, record{&f, nullptr, &visit});
        else
          self.issue_uncounted(to, record{&f, &result, &visit});
      },
      "on_core");
  if constexpr (!std::is_void_v<result_type>) return *std::move(result);
}

}  // namespace gossamer
