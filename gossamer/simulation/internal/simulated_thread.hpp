#pragma once
// A simulated thread: a stack, a clock, and the thread-local data of the language (running core, exceptions
// in flight). A context runs until it leaves, on its current stack (its own, or that of a fiber of its core),
// and is resumed there.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "gossamer/base/counters.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/simulation/internal/model.hpp"

namespace gossamer::simulation {

inline constexpr std::uint64_t k_never = ~std::uint64_t{0};

/// The simulating thread, to which contexts return.
struct base_stack {
  fiber::running_word word;
  void* sp = nullptr;
  fiber::sanitizer_stack sanitizer;
};

class context {
 public:
  enum class state : std::uint8_t { runnable, waiting, joining, meeting, ended, abandoned };

  /// `body` must not throw. `number`: 0 is the process's first.
  context(unsigned process, unsigned number, std::string name, std::function<void()> body,
          std::size_t stack_bytes, base_stack& base);
  ~context();
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  /// Runs the context until it leaves. By the engine.
  void resume();
  /// Switches back to the engine, until it resumes the context. By the context.
  void leave();

  const unsigned process, number;
  const std::string name;
  state is = state::runnable;
  std::uint64_t clock = 0;  // virtual time
  std::uint64_t next = 0;  // when it continues; k_never: when another context wakes it

  // waiting
  const void* word = nullptr;
  bool spinning = false;
  bool woken = false;
  std::uint64_t waited_ns = 0;  // slept, polled without success, or yielded
  model::trace_event pausing = model::trace_event::meet;  // its state while it does not run, for a trace

  context* joiner = nullptr;  // waits for its end

  // Its state when the clock was set last.
  const fiber::scheduler* counted = nullptr;
  counters seen;
  std::uint64_t ticks_seen = 0;

 private:
  struct exception_words {  // the C++ runtime's two per-thread words (Itanium C++ ABI 2.2.2)
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  static exception_words& exceptions() noexcept;
  static void entry(fiber::running_word* switched);

  base_stack& base_;
  std::function<void()> body_;
  machine::memory_region stack_;
  fiber::fiber head_;  // names it to the switch
  fiber::sanitizer_stack sanitizer_;
  fiber::scheduler* core_ = nullptr;  // while it does not run
  exception_words exceptions_;
};

}  // namespace gossamer::simulation
