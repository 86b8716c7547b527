#include "gossamer/simulation/internal/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/fiber/sanitizer.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/fiber/turn_watch.hpp"

namespace gossamer::simulation {

namespace {
#if defined(GOSSAMER_ASAN)
constexpr std::size_t k_thread_stack_bytes = 1 << 20;  // frames are several times as large
#else
constexpr std::size_t k_thread_stack_bytes = 256 << 10;
#endif
}  // namespace

void process::preemption_point() noexcept {
  constexpr unsigned k_seldom = 8;
  if (engine_.choose(k_seldom, "order") == 1) engine_.step_aside();
  computing_point();
}

void process::computing_point() noexcept {
  constexpr unsigned k_seldom = 256;
  auto* const core = fiber::scheduler::current();
  if (core == nullptr || core->running() == nullptr) return;
  if (engine_.choose(k_seldom, "compute") == 1) engine_.compute();
  watch_turn(*core);
}

/// Simulates the turn watch of a real process, which checks at intervals of virtual time.
void process::watch_turn(fiber::scheduler& core) {
  const std::size_t local = core.id() % cores_;
  if (turns_.size() <= local) turns_.resize(cores_);
  seen_turn& seen = turns_[local];
  const std::uint64_t number = core.turn(), now = engine_.now();
  if (number != seen.number)
    seen = {number, now};
  else if (now - seen.since_ns > fiber::turn_watch::k_interval_ns && !core.late())
    core.cut_turn();
}

bool process::wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns,
                   bool spinning) noexcept {
  return engine_.wait(&word, expected, word.load(std::memory_order_relaxed), timeout_ns, spinning);
}

void process::wake(const std::atomic<std::uint32_t>& word, bool) noexcept { engine_.wake(&word); }

std::uintptr_t process::start(std::string name, std::function<void()> body) {
  return reinterpret_cast<std::uintptr_t>(
      &engine_.add(number_, std::move(name), std::move(body), k_thread_stack_bytes));
}

void process::join(std::uintptr_t thread) noexcept { engine_.join(*reinterpret_cast<context*>(thread)); }

std::uint64_t process::random() noexcept { return hash64(hash64(seed_, number_), randoms_++); }

std::size_t process::describe(char* buffer, std::size_t size) noexcept {
  const int n = std::snprintf(buffer, size, "process %u, at %llu ns of virtual time (%s)", number_,
                              static_cast<unsigned long long>(engine_.latest()), engine_.what().c_str());
  return n < 0 ? 0 : std::min(static_cast<std::size_t>(n), size);
}

void process::fail(const char* what) { engine_.fail(fmt::format("process {}: {}", number_, what)); }

std::byte* process::node_memory(std::size_t bytes) {
  machine::memory_region& memory = node_->memory;
  if (memory.size() == 0)
    memory = machine::memory_region(bytes, "lanes of a simulated node", machine::pages::small);
  GOSSAMER_ASSERT(memory.size() >= bytes, "the processes of a node agree on their lanes");
  return memory.data();
}

void process::lane_written(unsigned to, unsigned core) noexcept { engine_.notice(to, core); }

std::byte* process::map_common(std::byte* at, std::size_t bytes) {
  return engine_.windows().map(number_, at, bytes);
}

bool process::unmap_common(std::byte* at, std::size_t bytes) noexcept {
  return engine_.windows().unmap(number_, at, bytes);
}

}  // namespace gossamer::simulation
