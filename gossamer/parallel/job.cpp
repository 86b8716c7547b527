#include "gossamer/parallel/job.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/base/settings.hpp"
#include "gossamer/base/short_name.hpp"
#include "gossamer/fabric/peer_watch.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/fabric/simulated_process.hpp"
#include "gossamer/fiber/sanitizer.hpp"
#include "gossamer/fiber/turn_watch.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/fault.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/machine/standard_streams.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/message/mailbox.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/core.hpp"
#include "gossamer/parallel/host_link.hpp"
#include "gossamer/parallel/internal/grouped_list.hpp"
#include "gossamer/parallel/internal/job_memory.hpp"
#include "gossamer/parallel/internal/world.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/simulation/cluster.hpp"
#include "gossamer/simulation/faults.hpp"

namespace gossamer {

namespace parallel {
namespace {

constexpr unsigned k_most_cores_of_job = 65535;  // numbers of 16 bits

bool explain_fault(void* address, char* buffer, std::size_t size) {
  const auto* running = fiber::scheduler::current();
  if (running != nullptr) return running->explain_fault(address, buffer, size);
  if (reinterpret_cast<std::uintptr_t>(address) >= sizeof(core)) return false;  // no member of a missing core
  std::snprintf(
      buffer, size,
      "segmentation fault at address %p on a thread that is no core: an operation of a job was called "
      "there (only fibers of gossamer::run() may), or a null pointer was used",
      address);
  return true;
}

std::size_t describe_running(char* buffer, std::size_t size) {
  const auto* core = fiber::scheduler::current();
  std::size_t n = core != nullptr ? core->describe_running(buffer, size) : 0;
  if (auto* s = fabric::current_simulated_process(); s != nullptr && n + 2 < size) {
    if (n != 0) buffer[n++] = ',', buffer[n++] = ' ';
    n += s->describe(buffer + n, size - n);
  }
  return n;
}

/// The cores, threads and main fiber of one run.
class job {
 public:
  job(const job_options& options, function_ref<void()> main, const host_link* host);
  ~job() {
    stop();
    if (world_ != nullptr) world_->end_watch();
  }
  void run();

 private:
  static message::endpoint_options endpoint_options(const job_options& o, const agreement& agreed);
  static void main_entry(void* self);
  void main_fiber();
  void stop();
  void stop_all(std::string_view failure);
  void outlive_others();
  bool allow_more_workers();
  bool waits_for_host() const { return host_ != nullptr && host_->news.awaited(); }
  void join_world(const job_options& o);
  void watch_turns();
  template <class F>
  void take(F f);
  std::string stalled() const;
  std::string list_waiting(unsigned& total) const;
  void run_core(unsigned c);
  [[noreturn]] void transport_failed(const char* what) const;
  agreement agree_on(const job_options& o) const;

  fabric::transport* const transport_;  // null: one process
  const unsigned usable_ = machine::usable_processors();
  const agreement agreed_;
  const std::size_t fibers_;  // of a core
  const unsigned n_;
  const unsigned processes_, process_;
  function_ref<void()> main_;
  const host_link* const host_;  // null: run()
  std::vector<machine::processor> places_;  // empty: not pinned
  message::process_context shared_;
  memory::space addresses_;
  exchange_barrier exchange_barrier_;
  std::unique_ptr<world> world_;  // several processes
  std::vector<std::unique_ptr<core>> cores_;
  std::exception_ptr error_;
  std::string failure_;  // a stall, or the error in process 0; empty: none
  std::atomic<std::uint64_t> quiet_since_{~std::uint64_t{0}};  // wake_epoch, when all cores slept last
  std::optional<fiber::turn_watch> turns_;
  std::vector<machine::thread> threads_;  // last: joined before other members are destroyed
};

unsigned core_number(const job_options& o, unsigned usable) {
  const unsigned n = o.cores != 0 ? o.cores : usable;
  if (n > k_most_cores)
    throw error(fmt::format("{} cores asked for: one process has at most {}", n, k_most_cores));
  return n;
}

void check_stacks(const job_options& o) {
  constexpr std::size_t k_least = 16 << 10, k_least_small = 4 << 10, k_most = 1 << 30;  // as settings
  if (std::min(o.stack_bytes, o.main_stack_bytes) < k_least || o.small_stack_bytes < k_least_small ||
      std::max({o.stack_bytes, o.main_stack_bytes, o.small_stack_bytes}) > k_most)
    throw error(
        fmt::format("stacks of {} bytes asked for, of {} for the main fiber and of {} for small fibers: "
                    "expected 16 KiB to "
                    "1 GiB, for small ones 4 KiB to 1 GiB",
                    o.stack_bytes, o.main_stack_bytes, o.small_stack_bytes));
}

void check(const job_options& o) {
  check_stacks(o);
  if (o.packet_bytes < 2048 || o.packet_bytes > 65536)
    throw error(fmt::format("packets of {} bytes asked for: expected 2 KiB to 64 KiB", o.packet_bytes));
  constexpr std::uint64_t k_most = 1 << 24,
                          k_longest_us = 1'000'000;  // as settings: their sizes and times are multiplied
  if (o.fibers < 2 || o.packets < 1 || std::max({o.fibers, o.small_fibers, o.packets}) > k_most)
    throw error(fmt::format(
        "{} fibers, {} small ones and {} packets asked for: expected at least 2, 0 and 1, and up to {}",
        o.fibers, o.small_fibers, o.packets, k_most));
  if (std::max({o.flush_delay_us, o.spin_us.value_or(0), o.activity_us}) > k_longest_us)
    throw error(
        fmt::format("a flush delay of {} us, {} us of looking for work and intervals of {} us asked for: "
                    "expected up to {}",
                    o.flush_delay_us, o.spin_us.value_or(0), o.activity_us, k_longest_us));
  if (o.wire_packet_bytes < 4096 || o.wire_packet_bytes > (1 << 20))
    throw error(fmt::format("packets of {} bytes between processes asked for: expected 4 KiB to 1 MiB",
                            o.wire_packet_bytes));
  if (o.unexpected < 1 || o.unexpected > message::mailbox::k_most_messages)
    throw error(fmt::format("room for {} unexpected messages asked for: expected 1 to {}", o.unexpected,
                            message::mailbox::k_most_messages));
}

std::string of_cores(unsigned n) { return fmt::format("a job of {} core{}", n, n == 1 ? "" : "s"); }

/// Checks that memory of this size is available, before a job takes it.
void require_start(std::uint64_t bytes, const std::string& what) {
  if (is_worth_asking(bytes)) machine::require_memory(bytes, what);
}

// The address sanitizer puts guards around every variable, so frames are several times as large.
#if defined(GOSSAMER_ASAN)
constexpr std::size_t k_frame_growth = 4;
#else
constexpr std::size_t k_frame_growth = 1;
#endif

/// Returns the number of simulated processes, which share the kernel's limits; 1 outside of a simulation.
unsigned simulated_processes() {
  const auto* s = machine::simulated();
  return s != nullptr ? s->processes() : 1;
}

/// Returns how long an idle core polls for work. One of several processes wakes late from a timed wait: by up
/// to an eighth of its idle time, and by the system's delay, some 100 us on virtual machines. It polls long
/// enough that this delay is relatively small. Simulated cores wake in time.
std::uint64_t spin_us_of_process() {
  constexpr std::uint64_t k_alone = 50, k_among_others = 500;
  const auto* transport = fabric::connected_transport();
  const bool others = transport != nullptr && transport->size() > 1 && machine::simulated() == nullptr;
  return others ? k_among_others : k_alone;
}

message::endpoint_options job::endpoint_options(const job_options& o, const agreement& agreed) {
  message::endpoint_options e;
  e.scheduler.large.bytes = o.main_stack_bytes;
  e.scheduler.regular.fibers = o.fibers;
  e.scheduler.regular.bytes = o.stack_bytes * k_frame_growth;
  e.scheduler.small.fibers = o.small_fibers;
  e.scheduler.small.bytes = o.small_stack_bytes * k_frame_growth;
  e.scheduler.guards.mappings =
      machine::max_mappings() / 8 /
      (agreed.cores * simulated_processes());  // two mappings each, two classes; half is left to others
  e.scheduler.spin_ns = !agreed.is_crowded() ? o.spin_us.value_or(spin_us_of_process()) * 1000 : 0;
  e.scheduler.activity_ns = o.activity_us * 1000;
  e.packet_bytes = o.packet_bytes;
  e.request_packets = o.packets;
  e.unexpected_messages = o.unexpected;
  e.unexpected_bytes = o.unexpected_bytes;
  e.payload_bytes_in_flight = o.payload_bytes_in_flight;
  e.bulk_bytes = o.bulk_bytes;
  e.crowded = agreed.is_crowded();
  e.flush_delay_ns = o.aggregate ? o.flush_delay_us * 1000 : 0;
  e.aggregate = o.aggregate;
  return e;
}

agreement job::agree_on(const job_options& o) const {
  if (transport_ == nullptr) {
    const unsigned n = core_number(o, usable_);
    if (machine::simulated() == nullptr) require_start(memory_of(o, 1).at_start(n), of_cores(n));
    return {n, divide_up(n, usable_), 0, false};
  }
  (void)core_number(o, usable_);
  const auto* others = fabric::peers();
  return agree(*transport_, o, usable_, others != nullptr ? others->sharing_processors() : 1);
}

job::job(const job_options& o, function_ref<void()> main, const host_link* host)
    : transport_(fabric::connected_transport()),
      agreed_(agree_on(o)),
      fibers_(o.fibers),
      n_(agreed_.cores),
      processes_(transport_ != nullptr ? transport_->size() : 1),
      process_(transport_ != nullptr ? transport_->rank() : 0),
      main_(main),
      host_(host),
      shared_(n_, processes_, process_),
      addresses_(process_, processes_, fabric::neighbours()),
      exchange_barrier_({n_, processes_, agreed_.cores_per_processor}, process_, !agreed_.is_crowded(),
                        o.barrier) {
  check(o);
  if (host_ != nullptr) shared_.call = &host_->call;
  if (std::size_t{processes_} * n_ > k_most_cores_of_job)
    throw error(fmt::format("{} processes of {} cores asked for: a job has at most {} cores", processes_, n_,
                            k_most_cores_of_job));
  // If there are several processes, their launcher places them; simulated cores have no places.
  if (machine::simulated() == nullptr &&
      (o.pin == job_options::pinning::on ||
       (o.pin == job_options::pinning::automatic && n_ == usable_ && n_ > 1 && processes_ == 1))) {
    const machine::topology t = machine::discover_topology();
    // Under a quota, or on a subset of the processors, two jobs would be placed on the same ones.
    if (o.pin == job_options::pinning::on || t.processors.size() == n_) places_ = t.processors;
  }
  take([&] {
    if (processes_ > 1) join_world(o);
    for (unsigned c = 0; c < n_; ++c)
      cores_.push_back(std::make_unique<core>(
          shared_.first + c, endpoint_options(o, agreed_), shared_, addresses_, exchange_barrier_,
          task_limits{o.steal_tasks, o.steal_chunk, o.loop_grain}, o.combining));
  });
  if (processes_ > 1) return;
  shared_.sleepers.on_stall = [this](std::uint64_t) {
    if (allow_more_workers() || waits_for_host()) return;
    failure_ = stalled();
    stop();
  };
}

/// Calls f(), which allocates memory or threads. If one process fails, the job ends everywhere, because the
/// others already wait for it.
template <class F>
void job::take(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    if (processes_ == 1) throw;
    transport_failed(e.what());
  }
}

void job::join_world(const job_options& o) {
  constexpr std::uint64_t k_longest_wait_ns = 1'000'000;
  // From here on an error that only one process detects ends the job.
  if (auto* others = fabric::peers()) others->job_began();
  world_ = std::make_unique<world>(*transport_, shared_, o, agreed_);
  world_->set_callbacks({
      .stop =
          [this](std::string failure) {
            failure_ = std::move(failure);
            stop();
          },
      .quiet =
          [this] {
            return !world_->wire().anything_queued() &&
                   (shared_.node == nullptr || !shared_.node->may_go_on()) &&
                   quiet_since_ == shared_.sleepers.wake_epoch.load(std::memory_order_seq_cst);
          },
      .describe_stall =
          [this] {
            unsigned total = 0;
            return list_waiting(total);
          },
      .stalled =
          [this](const std::string& others) {
            failure_ = stalled() + others;
            stop_all(failure_);
          },
      .silent =
          [](unsigned process) {
            if (auto* others = fabric::peers()) others->give_up(process);
          },
      .failed = [this](const char* what) { transport_failed(what); },
  });
  shared_.wire = &world_->wire();
  shared_.node = world_->node_lanes();
  if (shared_.node != nullptr) exchange_barrier_.use(*shared_.node);
  shared_.sleepers.longest_wait_ns = k_longest_wait_ns;
  shared_.sleepers.on_stall = [this](std::uint64_t wake_epoch) {
    if (allow_more_workers() || waits_for_host()) return;
    quiet_since_ = wake_epoch;
    world_->all_asleep();
  };
}

/// Keeps process 0 of a host program alive when another process is lost: the job is abandoned.
void job::outlive_others() {
  if (auto* others = fabric::peers(); others != nullptr && host_ != nullptr && process_ == 0)
    (void)others->outlive([this](const std::string&) {
      for (auto& c : cores_) c->abandon();
    });
}

void job::run() {
  if (const auto* others = fabric::peers(); others != nullptr && world_ != nullptr)
    world_->begin_watch(others->timeout_s());
  outlive_others();
  if (process_ == 0) {
    [[maybe_unused]] const bool started =
        cores_[0]->start(&main_entry, this, "main", fiber::stack_class::large) != nullptr;
  }
  take([this] {
    watch_turns();
    for (unsigned c = 1; c < n_; ++c)
      threads_.emplace_back(fmt::format("gossamer-{}", c), [this, c] { run_core(c); });
  });
  const std::vector<unsigned> before = places_.empty() ? std::vector<unsigned>{} : machine::affinity();
  run_core(0);
  if (!before.empty()) (void)machine::pin_thread(before);
  stop();
  threads_.clear();
  turns_.reset();
  auto* const others = fabric::peers();
  if (others != nullptr && !others->end_with_others()) {
    others->job_ended();
    host_->news.abandon();
    throw error(others->loss());
  }
  if (world_ != nullptr) world_->close();
  if (others != nullptr) others->job_ended();
  if (error_) std::rethrow_exception(error_);
  if (!failure_.empty()) throw error(failure_);
}

/// Bounds turns in time if another core may wait for messages of a core. Seeds bound the turns of simulated
/// cores.
void job::watch_turns() {
  if (machine::simulated() != nullptr || n_ * processes_ == 1) return;
  turns_.emplace(std::vector<fiber::scheduler*>(shared_.endpoints.begin(), shared_.endpoints.end()));
  shared_.sleepers.watch = &*turns_;
  turns_->start(agreed_.cores_per_processor);
}

void job::run_core(unsigned c) {
  const machine::fault_stack stack;
  if (c < places_.size()) (void)machine::pin_thread(places_[c].id);  // if refused it may run anywhere
  if (transport_ == nullptr) return cores_[c]->run();
  try {
    cores_[c]->run();
  } catch (const std::exception& e) {
    transport_failed(e.what());
  }
}

/// Ends the job after the transport has failed. No message to other processes is possible any more.
void job::transport_failed(const char* what) const {
  if (auto* s = fabric::current_simulated_process()) s->fail(what);
  if (auto* others = fabric::peers()) others->fail(what);
  machine::print_error(fmt::format("process {}: {}", process_, what));
  transport_->abort(2);
  std::_Exit(2);  // gcc 12 does not know that a virtual function never returns
}

void job::main_entry(void* self) { static_cast<job*>(self)->main_fiber(); }

void job::main_fiber() {
  std::string failure;
  try {
    finish([this] { main_(); });
  } catch (...) {
    error_ = std::current_exception();
    failure = "the job failed in process 0: " + message::text_of(error_);
  }
  stop_all(failure);
}

void job::stop_all(std::string_view failure) {
  if (world_ != nullptr && world_->leads()) world_->stop_others(failure);
  stop();
}

void job::stop() {
  for (auto& c : cores_) c->request_stop();
}

/// Raises the fiber limit of cores whose tasks wait for a fiber, while all cores sleep. Returns false if
/// there are none.
bool job::allow_more_workers() {
  bool some = false;
  for (auto& c : cores_) some |= c->allow_more_workers();
  return some;
}

std::string job::list_waiting(unsigned& total) const {
  constexpr unsigned k_described = 64;  // in full; finding the messages that a fiber waits for takes time
  grouped_list waiting, holding, short_of_memory, full;
  for (const auto& c : cores_) {
    const std::string held = c->describe_unmatched();
    if (!held.empty()) holding.add(held, [&] { return std::string(held); });
    std::size_t regular = 0;
    c->each_suspended([&](const fiber::fiber& f) {
      regular += f.kind == fiber::stack_class::regular;
      const short_name task = shown(f.task);
      const auto reason = ++total <= k_described ? c->describe_wait(f) : f.waits_for;
      waiting.add(fmt::format("{}\n{}", task.view(), reason), [&] {
        return fmt::format("core {} fiber {} ({}) waits for {}", c->id(), f.index, task.view(), reason);
      });
    });
    if (c->short_of_memory())
      short_of_memory.add("", [&] {
        return fmt::format("memory is short for further fibers of core {}{}", c->id(),
                           machine::memory_limit_hint());
      });
    if (regular == fibers_)
      full.add("", [&] {
        return fmt::format(
            "all {} fibers of core {} wait: none is left for its tasks, raise job_options::fibers "
            "(GOSSAMER_FIBERS)",
            fibers_, c->id());
      });
  }
  return waiting.print("fibers") + holding.print("cores") + short_of_memory.print("cores") +
         full.print("cores") + (world_ != nullptr ? world_->wire().describe() : "") +
         (shared_.node != nullptr ? shared_.node->describe() : "");
}

std::string job::stalled() const {
  unsigned total = 0;
  const std::string waiting = list_waiting(total);
  return fmt::format("the job has stalled: {} fiber{} and nothing is under way", total,
                     total == 1 ? " waits" : "s wait") +
         (processes_ > 1 ? " in process 0" : "") + waiting;
}

/// Sets few packets, and small ones, so that everything that may have to wait for buffers does. Small blocks
/// are moved in bulk.
void starve(job_options& o, std::uint64_t seed) {
  o.packets = 1 + hash64(seed, 0) % 8;
  o.packet_bytes = std::size_t{2048} << hash64(seed, 1) % 3;
  o.wire_packets = 4;
  o.wire_packet_bytes = 4 * o.packet_bytes;
  o.bulk_bytes = std::size_t{64} << hash64(seed, 2) % 8;
}

void run_simulated(simulation::options what, job_options o, function_ref<void()> main) {
  check(o);  // as given: few packets may hide invalid values
  if (o.cores == 0) o.cores = std::max(1U, what.cores);
  what.cores = o.cores;
  require_start(memory_of(o, what.processes).at_start(o.cores, what.processes),
                fmt::format("a simulated cluster of {} processes, {} core{} each,", what.processes, o.cores,
                            o.cores == 1 ? "" : "s"));
  if (simulation::fault_set::parse(what.faults).has(simulation::fault::pools)) starve(o, what.seed);
  const simulation::outcome end = simulation::run(what, [&](unsigned) { job(o, main, nullptr).run(); });
  if (o.simulated != nullptr) *o.simulated = end;
}

/// Reserves the process for one job: jobs share the addresses that are common to all processes, the transport
/// and the watch.
class one_job {
 public:
  explicit one_job(bool of_host) {
    std::uint64_t by = 0;
    const std::uint64_t self = machine::process_id();
    // acquire: pairs with the release of the previous job
    if (s_owner.compare_exchange_strong(by, self, std::memory_order_acquire)) {
      s_of_host.store(of_host, std::memory_order_relaxed);
      return;
    }
    if (by != self)
      throw error(
          fmt::format("run: this process was forked from process {} while that ran a job: start a program of "
                      "its own instead",
                      by));
    if (s_of_host.load(std::memory_order_relaxed))
      throw error("run: this process has a runtime, which has the cores: submit to it, or end it first");
    throw error("run: another thread of this process runs a job; call run() again when that has ended");
  }
  ~one_job() { s_owner.store(0, std::memory_order_release); }  // pairs with the acquire of the next job
  one_job(const one_job&) = delete;
  one_job& operator=(const one_job&) = delete;

 private:
  inline static constinit std::atomic<std::uint64_t> s_owner{
      0};  // process id; a forked child has that of its parent
  inline static constinit std::atomic<bool> s_of_host{false};
};

}  // namespace

void run_job(const job_options& options, function_ref<void()> main, const host_link* host) {
  if (fiber::scheduler::current() != nullptr)
    throw error("run: called inside a job: call the function directly");
  if (machine::simulated() == nullptr) {
    machine::occupy_standard_streams();
    check_settings();
  }
  const one_job hold(host != nullptr);
  message::freeze_registry();
  machine::install_fault_handlers();
  machine::set_fault_explainer(&explain_fault);
  set_failure_context(&describe_running);
  if (machine::simulated() == nullptr) {
    const auto what = options.simulate ? options.simulate : simulation::options::from_environment();
    if (what) return run_simulated(*what, options, main);
  }
  job(options, main, host).run();
}

namespace {

/// Runs body() and reports its error to all processes of the job. Returns the error.
std::optional<std::string> reported(function_ref<void()> body) {
  std::string what;
  try {
    body();
    return std::nullopt;
  } catch (...) {
    what = message::text_of(std::current_exception());
  }
  auto* const others = fabric::peers();
  if (others != nullptr && others->in_job()) others->fail(what.c_str());
  if (machine::speaks_for_job()) machine::print_error(what);
  machine::let_speaker_report();
  return what;
}

constexpr int k_failed = 2;

/// Writes what the program has printed, so that its loss is an error. In the process that speaks for the job.
void write_printed() {
  if (!machine::speaks_for_job()) return;
  errno = EIO;  // the reason of an earlier failure is not kept
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

}  // namespace

int report_errors(function_ref<void()> body) noexcept {
  const std::optional<std::string> what = reported([body] {
    body();
    write_printed();
  });
  if (!what) return 0;
  fabric::fail_before_connecting(*what);
  return k_failed;
}

int report_errors_of_host(function_ref<void()> body) noexcept { return reported(body) ? k_failed : 0; }

}  // namespace parallel

job_options job_options::from_environment() {
  const gossamer::options given;
  job_options o;
  const auto take = [](auto& into, auto value) {
    if (value) into = static_cast<std::remove_reference_t<decltype(into)>>(*value);
  };
  take(o.cores, read_setting(given, "GOSSAMER_CORES"));
  take(o.seed, read_setting(given, "GOSSAMER_SEED"));
  take(o.stack_bytes, read_setting(given, "GOSSAMER_STACK_BYTES"));
  take(o.fibers, read_setting(given, "GOSSAMER_FIBERS"));
  take(o.small_stack_bytes, read_setting(given, "GOSSAMER_SMALL_STACK_BYTES"));
  take(o.small_fibers, read_setting(given, "GOSSAMER_SMALL_FIBERS"));
  take(o.packet_bytes, read_setting(given, "GOSSAMER_PACKET_BYTES"));
  take(o.wire_packet_bytes, read_setting(given, "GOSSAMER_WIRE_PACKET_BYTES"));
  take(o.wire_packets, read_setting(given, "GOSSAMER_WIRE_PACKETS"));
  take(o.bulk_bytes, read_setting(given, "GOSSAMER_BULK_BYTES"));
  take(o.packets, read_setting(given, "GOSSAMER_PACKETS"));
  take(o.unexpected, read_setting(given, "GOSSAMER_UNEXPECTED"));
  take(o.unexpected_bytes, read_setting(given, "GOSSAMER_UNEXPECTED_BYTES"));
  take(o.payload_bytes_in_flight, read_setting(given, "GOSSAMER_PAYLOAD_BYTES_IN_FLIGHT"));
  take(o.flush_delay_us, read_setting(given, "GOSSAMER_FLUSH_DELAY_US"));
  take(o.spin_us, read_setting(given, "GOSSAMER_SPIN_US"));
  take(o.steal_tasks, read_setting(given, "GOSSAMER_STEAL_TASKS"));
  take(o.steal_chunk, read_setting(given, "GOSSAMER_STEAL_CHUNK"));
  take(o.loop_grain, read_setting(given, "GOSSAMER_LOOP_GRAIN"));
  take(o.activity_us, read_setting(given, "GOSSAMER_ACTIVITY_US"));
  if (const auto given_aggregation = read_setting(given, "GOSSAMER_AGGREGATION"))
    o.aggregate = *given_aggregation == 1;
  if (const auto barrier = read_setting(given, "GOSSAMER_BARRIER"))
    o.barrier = static_cast<barrier_algorithm>(*barrier);
  if (const auto where = read_setting(given, "GOSSAMER_COMBINING"))
    o.combining = static_cast<combine>(*where);
  if (const auto routes = read_setting(given, "GOSSAMER_ROUTES")) o.routes = static_cast<routing>(*routes);
  if (const auto pin = read_setting(given, "GOSSAMER_PIN")) o.pin = static_cast<pinning>(*pin);
  return o;
}

std::vector<counters> statistics() {
  (void)message::inside("statistics");
  std::vector<counters> all;
  all.reserve(cores());
  for (core_id c = 0; c < cores(); ++c)
    all.push_back(call_on(c, [] {
      auto& self = message::endpoint::here();
      if (machine::simulated() ==
          nullptr)  // depends on the compiler: simulated runs are the same with every compiler
        self.count().stack_deepest = std::max(self.deepest_use(fiber::stack_class::regular),
                                              self.deepest_use(fiber::stack_class::small));
      if (const fabric::wire* wire = self.process().wire; wire != nullptr && here() == first_core(process()))
        self.count().wire_joined = wire->joined();
      self.count().idle_ns = self.idle_ns();
      return self.count();
    }));
  return all;
}

std::vector<activity> activities() {
  std::vector<activity> all;
  if (message::inside("activities").active_over_time() == nullptr) return all;
  all.reserve(cores());
  for (core_id c = 0; c < cores(); ++c)
    all.push_back(call_on(c, [] { return *message::endpoint::here().active_over_time(); }));
  return all;
}

}  // namespace gossamer
