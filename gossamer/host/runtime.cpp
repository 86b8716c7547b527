#include "gossamer/host/runtime.hpp"

#include <fmt/format.h>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/host/internal/engine.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer {

runtime::runtime(const job_options& options) : engine_(std::make_shared<host::engine>(options)) {
  if (engine_->process() == 0) engine_->start();
}

runtime::~runtime() {
  end();
  if (engine_->is_out_of_reach()) engine_->keep(engine_);  // its cores still run
}

void runtime::submit_call(std::shared_ptr<host::pending_call> call) { engine_->submit(std::move(call)); }

void runtime::refuse_inside(const char* call) {
  if (fiber::scheduler::current() != nullptr)
    throw error(fmt::format(
        "{}: inside a call of the runtime, whose core would wait for itself: use the function directly",
        call));
}

/// Returns whether the caller is a fiber of core 0. Throws on other cores.
bool runtime::is_inside(const char* call) {
  if (fiber::scheduler::current() == nullptr) return false;
  if (here() != 0) throw error(fmt::format("{}: inside a call of the runtime only core 0 may", call));
  return true;
}

bool runtime::interrupt() noexcept { return engine_->interrupt(); }

void runtime::serve() { engine_->serve(); }

void runtime::end() noexcept { engine_->end(); }

unsigned runtime::cores() const { return engine_->cores(); }

unsigned runtime::processes() const { return engine_->processes(); }

unsigned runtime::process() const { return engine_->process(); }

}  // namespace gossamer
