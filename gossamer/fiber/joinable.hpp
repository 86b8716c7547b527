#pragma once
// Fibers that can be joined. start(f) runs f in a new fiber of this core; join() waits for its end, and returns its result
// or rethrows its exception. The function object, its result and the waiting fiber lie on the new fiber's
// stack, above its first frame. So a start allocates nothing, and costs some tens of ns where a stack is reused. The state is
// local to the core: plain memory, no atomics.

#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/short_name.hpp"
#include "gossamer/fiber/owning_job.hpp"
#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::fiber {

/// A started fiber. Move-only. Belongs to the core that started it. Its destructor joins: it drops the result, and passes an
/// exception to scheduler::not_joined(). A handle that outlives its job has no result, because the fiber's stack is gone: its
/// destructor does nothing.
template <class R>
class joinable {
 public:
  joinable() = default;
  /// Takes over the fiber of another handle.
  joinable(joinable&& other) noexcept : state_(std::exchange(other.state_, nullptr)), job_(other.job_) {}
  /// Takes over the fiber of another handle. Joins the fiber that this handle has first.
  joinable& operator=(joinable&& other) noexcept {
    joinable taken(std::move(other));
    std::swap(state_, taken.state_);
    std::swap(job_, taken.job_);
    return *this;
  }
  ~joinable() {
    if (state_ == nullptr || !job_.runs_here()) return;
    state& s = *wait();
    if (s.error) s.self->home->not_joined(*s.self, std::move(s.error));
    release(&s);
  }

  /// Returns whether the handle has a fiber to join.
  explicit operator bool() const { return state_ != nullptr; }
  /// Returns whether the fiber has ended, so that join() would not suspend.
  bool done() const { return !job_.runs_here() || state_->done; }

  /// Suspends until the fiber has ended. Returns its result, or throws its exception. May be called once. Throws gossamer::error
  /// outside of the fiber's job.
  R join() {
    GOSSAMER_ASSERT(state_ != nullptr, "a fiber is joined twice, or was never started");
    if (!job_.runs_here()) [[unlikely]]
      throw error("join: the job of the fiber has ended, and its result is gone: join it inside the job");
    state& s = *wait();
    const std::exception_ptr error = std::move(s.error);
    if constexpr (std::is_void_v<R>) {
      release(&s);
      if (error) std::rethrow_exception(error);
    } else {
      std::optional<R> result = std::move(s.result);
      release(&s);
      if (error) std::rethrow_exception(error);
      return *std::move(result);
    }
  }

 private:
  template <class F, class Ended>
  friend auto start(scheduler& core, F f, stack_class kind, void* local, Ended ended)
      -> joinable<std::invoke_result_t<F&>>;

  struct nothing {};
  struct state {
    fiber* self;
    fiber* joiner = nullptr;
    bool done = false;
    std::exception_ptr error = nullptr;
    std::optional<std::conditional_t<std::is_void_v<R>, nothing, R>> result = std::nullopt;

    void finished() {
      done = true;
      if (joiner != nullptr) self->home->wake(*joiner);
    }
  };

  template <class F, class Ended>
  struct whole : state {
    F f;
    [[no_unique_address]] Ended ended;
    static void entry(void* argument) {
      auto& s = *static_cast<whole*>(argument);
      try {
        if constexpr (std::is_void_v<R>)
          s.f();
        else
          s.result.emplace(s.f());
      } catch (...) {
        s.error = std::current_exception();
      }
      std::destroy_at(&s.f);
      s.ended();
      s.finished();
    }
  };

  state* wait() {
    state* s = std::exchange(state_, nullptr);
    scheduler& core = *s->self->home;
    GOSSAMER_ASSERT(scheduler::current() == &core, "a fiber is joined on another core than its own");
    if (!s->done) {
      s->joiner = core.running();
      core.suspend("the end of a fiber");
    }
    return s;
  }
  static void release(state* s) {
    fiber& f = *s->self;
    s->~state();
    f.home->release(f);
  }

  state* state_ = nullptr;
  owning_job job_;
};

/// Starts f() in a new fiber of `core`, which must be the caller's; `local` is the new fiber's scheduler::local(). Does not
/// suspend: the fiber joins the ready ring. Calls ended() in the fiber after f was destroyed; it must not throw. Throws
/// gossamer::error when all fibers of `kind` are in use, or memory is short.
template <class F, class Ended>
auto start(scheduler& core, F f, stack_class kind, void* local, Ended ended)
    -> joinable<std::invoke_result_t<F&>> {
  static_assert(std::is_trivially_copyable_v<Ended>);
  using handle = joinable<std::invoke_result_t<F&>>;
  using whole = typename handle::template whole<F, Ended>;
  static_assert(sizeof(whole) <= 1024 && alignof(whole) <= k_line_bytes,
                "what a fiber starts with lies on its stack: capture at most ~1 KiB");
  fiber* f_new = core.prepare(&whole::entry, name_of<F>(), kind);
  f_new->local = local;
  auto* const top = reinterpret_cast<std::byte*>(f_new) - round_up(sizeof(whole), k_line_bytes);
  whole* s = nullptr;
  try {
    s = new (top) whole{{f_new}, std::move(f), ended};
  } catch (...) {  // the move of f has thrown
    core.release(*f_new);
    throw;
  }
  core.launch(*f_new, top, s);
  handle h;
  h.state_ = s;
  return h;
}

}  // namespace gossamer::fiber
