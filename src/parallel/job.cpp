#include "gossamer/parallel/job.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "gossamer/base/options.hpp"
#include "gossamer/fiber/sanitizer.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/fault.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/core.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer {

namespace parallel {
namespace {

constexpr unsigned k_most_cores = 4096;

bool explain_fault(void* address, char* buffer, std::size_t size) {
  const auto* core = fiber::scheduler::current();
  return core != nullptr && core->explain_fault(address, buffer, size);
}

std::size_t describe_running(char* buffer, std::size_t size) {
  const auto* core = fiber::scheduler::current();
  return core != nullptr ? core->describe_running(buffer, size) : 0;
}

/// Cores, threads and main fiber of one run.
class job {
 public:
  job(const job_options& options, function_ref<void()> main);
  ~job() { stop(); }
  void run();

 private:
  static message::endpoint_options endpoint_options(const job_options& o, unsigned n, bool spin);
  static void main_entry(void* self);
  void main_fiber();
  void stop();
  std::string stalled() const;
  void run_core(unsigned c);

  const unsigned usable_ = machine::usable_processors();
  const unsigned n_;
  function_ref<void()> main_;
  std::vector<machine::processor> places_;  // empty: not pinned
  message::neighbourhood shared_;
  meeting meeting_;
  std::vector<std::unique_ptr<core>> cores_;
  std::exception_ptr error_;
  std::string stall_;
  std::vector<machine::thread> threads_;  // last: joined before the rest goes
};

unsigned core_number(const job_options& o, unsigned usable) {
  const unsigned n = o.cores != 0 ? o.cores : usable;
  if (n > k_most_cores)
    throw error(fmt::format("{} cores asked for: one process has at most {}", n, k_most_cores));
  return n;
}

// The address sanitizer puts guards around every variable: frames are several times as large.
#if defined(GOSSAMER_ASAN)
constexpr std::size_t k_frame_growth = 4;
#else
constexpr std::size_t k_frame_growth = 1;
#endif

message::endpoint_options job::endpoint_options(const job_options& o, unsigned n, bool spin) {
  message::endpoint_options e;
  e.scheduler.large.bytes = o.main_stack_bytes;
  e.scheduler.regular = {o.fibers, o.stack_bytes * k_frame_growth};
  e.scheduler.small = {o.small_fibers, o.small_stack_bytes * k_frame_growth};
  e.scheduler.guards.mappings =
      machine::max_mappings() / 8 / n;  // two each, two classes; half is left to others
  e.scheduler.spin_ns = spin ? o.spin_us * 1000 : 0;
  e.packet_bytes = o.packet_bytes;
  e.request_packets = o.packets;
  e.unexpected_messages = o.unexpected;
  e.unexpected_bytes = o.unexpected_bytes;
  e.lent_bytes = o.lent_bytes;
  e.flush_delay_ns = o.aggregate ? o.flush_delay_us * 1000 : 0;
  e.aggregate = o.aggregate;
  return e;
}

job::job(const job_options& o, function_ref<void()> main)
    : n_(core_number(o, usable_)), main_(main), shared_(n_), meeting_(n_, n_ <= usable_) {
  if (o.packet_bytes < 2048 || o.packet_bytes > 65536)
    throw error(fmt::format("packets of {} bytes asked for: expected 2 KiB to 64 KiB", o.packet_bytes));
  if (o.fibers < 2 || o.packets < 1)
    throw error(
        fmt::format("{} fibers and {} packets asked for: expected at least 2 and 1", o.fibers, o.packets));
  if (o.pin == job_options::pinning::on ||
      (o.pin == job_options::pinning::automatic && n_ == usable_ && n_ > 1)) {
    const machine::topology t = machine::discover_topology();
    // Under a quota, or on a part of the processors, two jobs would pile up on the same ones.
    if (o.pin == job_options::pinning::on || t.processors.size() == n_) places_ = t.processors;
  }
  for (unsigned c = 0; c < n_; ++c)
    cores_.push_back(std::make_unique<core>(c, endpoint_options(o, n_, n_ <= usable_), shared_, meeting_));
  shared_.sleepers.on_stall = [this] {
    stall_ = stalled();
    stop();
  };
}

void job::run() {
  [[maybe_unused]] const bool started =
      cores_[0]->start(&main_entry, this, "main", fiber::stack_class::large) != nullptr;
  for (unsigned c = 1; c < n_; ++c)
    threads_.emplace_back(fmt::format("gossamer-{}", c), [this, c] { run_core(c); });
  const std::vector<unsigned> before = places_.empty() ? std::vector<unsigned>{} : machine::affinity();
  run_core(0);
  if (!before.empty()) (void)machine::pin_thread(before);
  stop();
  threads_.clear();
  if (!stall_.empty()) throw error(stall_);
  if (error_) std::rethrow_exception(error_);
}

void job::run_core(unsigned c) {
  const machine::fault_stack stack;
  if (c < places_.size()) (void)machine::pin_thread(places_[c].id);  // where refused it may run anywhere
  cores_[c]->run();
}

void job::main_entry(void* self) { static_cast<job*>(self)->main_fiber(); }

void job::main_fiber() {
  try {
    finish([this] { main_(); });
  } catch (...) {
    error_ = std::current_exception();
  }
  stop();
}

void job::stop() {
  for (auto& c : cores_) c->request_stop();
}

std::string job::stalled() const {
  constexpr unsigned k_shown = 8;
  unsigned total = 0;
  std::string who, unmatched;
  for (const auto& c : cores_) {
    const std::string held = c->describe_unmatched();
    if (!held.empty()) unmatched += "; " + held;
    c->each_suspended([&](const fiber::fiber& f) {
      if (++total <= k_shown)
        who += fmt::format("; core {} fiber {} ({}) waits for {}", c->id(), f.index,
                           f.task != nullptr ? f.task : "unnamed", c->describe_wait(f));
    });
  }
  return fmt::format("the job has stalled: {} fiber{} and nothing is under way{}{}", total,
                     total == 1 ? " waits" : "s wait", who, total > k_shown ? "; ..." : "") +
         unmatched;
}

}  // namespace

void run_job(const job_options& options, function_ref<void()> main) {
  GOSSAMER_ASSERT(fiber::scheduler::current() == nullptr, "a job cannot be run inside a job");
  message::freeze_registry();
  machine::install_fault_handlers();
  machine::set_fault_explainer(&explain_fault);
  set_failure_context(&describe_running);
  job(options, main).run();
}

int report_errors(function_ref<void()> body) noexcept {
  try {
    body();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
  } catch (...) {
    std::fprintf(stderr, "error: the program threw something that is not a std::exception\n");
  }
  return 2;
}

}  // namespace parallel

job_options job_options::from_environment() {
  const gossamer::options given;
  job_options o;
  const auto take = [](auto& into, auto value) {
    if (value) into = static_cast<std::remove_reference_t<decltype(into)>>(*value);
  };
  take(o.cores, given.number("GOSSAMER_CORES", 1, parallel::k_most_cores));
  take(o.seed, given.number("GOSSAMER_SEED"));
  take(o.stack_bytes, given.bytes("GOSSAMER_STACK_BYTES", 16 << 10, 1 << 30));
  take(o.fibers, given.number("GOSSAMER_FIBERS", 2, 1 << 24));
  take(o.small_stack_bytes, given.bytes("GOSSAMER_SMALL_STACK_BYTES", 4 << 10, 1 << 30));
  take(o.small_fibers, given.number("GOSSAMER_SMALL_FIBERS", 1, 1 << 24));
  take(o.packet_bytes, given.bytes("GOSSAMER_PACKET_BYTES", 2 << 10, 64 << 10));
  take(o.packets, given.number("GOSSAMER_PACKETS", 1, 1 << 24));
  take(o.unexpected, given.number("GOSSAMER_UNEXPECTED", 1, 1 << 20));
  take(o.unexpected_bytes, given.bytes("GOSSAMER_UNEXPECTED_BYTES", 1 << 20, std::uint64_t{1} << 40));
  take(o.lent_bytes, given.bytes("GOSSAMER_LENT_BYTES"));
  take(o.flush_delay_us, given.number("GOSSAMER_FLUSH_DELAY_US", 0, 1'000'000));
  take(o.spin_us, given.number("GOSSAMER_SPIN_US", 0, 1'000'000));
  if (const auto given_aggregation = given.choice("GOSSAMER_AGGREGATION", {"off", "on"}))
    o.aggregate = *given_aggregation == 1;
  if (const auto pin = given.choice("GOSSAMER_PIN", {"automatic", "on", "off"}))
    o.pin = static_cast<pinning>(*pin);
  return o;
}

std::vector<counters> statistics() {
  std::vector<counters> all;
  all.reserve(cores());
  for (core_id c = 0; c < cores(); ++c)
    all.push_back(call_on(c, [] {
      auto& self = message::endpoint::here();
      self.count().stack_deepest = std::max(self.deepest_use(fiber::stack_class::regular),
                                            self.deepest_use(fiber::stack_class::small));
      return self.count();
    }));
  return all;
}

}  // namespace gossamer
