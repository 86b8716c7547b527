#include "gossamer/simulation/internal/simulated_thread.hpp"

#include <cxxabi.h>

#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/fiber/context.hpp"

namespace gossamer::simulation {

context::exception_words& context::exceptions() noexcept {
  return *reinterpret_cast<exception_words*>(abi::__cxa_get_globals());
}

context::context(unsigned process_, unsigned number_, std::string name_, std::function<void()> body,
                 std::size_t stack_bytes, base_stack& base)
    : process(process_),
      number(number_),
      name(std::move(name_)),
      base_(base),
      body_(std::move(body)),
      stack_(stack_bytes + machine::page_bytes(), "a simulated thread", machine::pages::small) {
  const std::size_t page = machine::page_bytes();
  if (!stack_.install_guard(0, page)) (void)stack_.protect(0, page);  // where refused it lives without
  head_.argument = this;
  head_.sp = fiber::make_context(stack_.data() + stack_.size(), &entry, &head_);
  sanitizer_.describe(stack_.data() + page, stack_.size() - page);
}

context::~context() {
#if defined(GOSSAMER_ASAN)  // what was abandoned left frames behind, and perhaps on a fiber's stack
  sanitizer_.describe(stack_.data() + machine::page_bytes(), stack_.size() - machine::page_bytes());
#endif
  sanitizer_.discard();
}

void context::resume() {
  exception_words& words = exceptions();
  const exception_words engines = std::exchange(words, exceptions_);
  fiber::scheduler* const outside = fiber::scheduler::swap_current(core_);
  fiber::sanitizer_leave(base_.sanitizer, sanitizer_);
  fiber::switch_context(&base_.word, &base_.sp, &head_.sp);
#if defined(GOSSAMER_ASAN)
  sanitizer_.bottom = nullptr;  // it may be on another stack now: learns which
#endif
  fiber::sanitizer_arrive(base_.sanitizer, &sanitizer_);
  core_ = fiber::scheduler::swap_current(outside);
  exceptions_ = std::exchange(words, engines);
}

void context::leave() {
  sanitizer_.adopt_thread();  // may have become a fiber's
  fiber::sanitizer_leave(sanitizer_, base_.sanitizer);
  fiber::switch_context(&base_.word, &head_.sp, &base_.sp);
  fiber::sanitizer_arrive(sanitizer_, nullptr);
  GOSSAMER_ASSERT(is != state::ended && is != state::abandoned);
}

void context::entry(fiber::running_word* switched) {
  context& self = *static_cast<context*>(switched->running->argument);
  fiber::sanitizer_arrive(self.sanitizer_, &self.base_.sanitizer);
  self.body_();
  self.body_ = nullptr;
  self.is = state::ended;
  self.leave();
}

}  // namespace gossamer::simulation
