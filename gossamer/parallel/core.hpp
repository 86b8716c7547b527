#pragma once
// A core: scheduler, endpoint, heap and tasks. This object has all state of a core.
//
// A task counted by a completion of another core runs under this core's proxy of it (message/internal/remote_completion_proxies.hpp).
//
// Stealing across processes uses lifelines (Saraswat et al., PPoPP 2011). A core that runs out of work sends
// one request to a random core and to one core of each neighbour process, and sleeps; the numbers of
// neighbours differ in one bit. The victim sends half of the tasks that its process offers. If there are
// none, it stores the thief and sends it the next task that it spawns. So no core sends another request
// before it has received a task, and a job without work sends no messages.
//
//   thief:   busy --idle: sends requests--> waiting --a task arrives--> busy
//   victim:  idle_thieves_: thieves without an answer; departures_: tasks to send, until a fiber sends them

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/memory/heap.hpp"
#include "gossamer/parallel/combine.hpp"
#include "gossamer/parallel/internal/structure_table.hpp"
#include "gossamer/parallel/internal/task.hpp"

namespace gossamer::parallel {

/// The barrier of all cores of a process that also exchanges values; one fiber per core (collective.hpp).
class exchange_barrier;

/// The cores that would take work that this core splits off.
struct idle_thieves {
  bool here;  // this core has no tasks left to steal in its process
  bool elsewhere;  // a core of another process has requested tasks and received none
  explicit operator bool() const { return here || elsewhere; }
};

/// The destinations of an offered task: cores of other processes that have requested one, or first an idle
/// core of this process. In the second case a core that requests tasks later may still receive it.
enum class offered : std::uint8_t { to_all, prefer_local };

/// Limits of tasks. 0: no fixed limit, the number of tasks or indices decides.
struct task_limits {
  std::size_t steal_tasks = 0;  // that a thief of another process takes at once
  std::size_t steal_chunk = 0;  // that a thief of the same process takes at once
  std::uint64_t loop_grain = 0;
};

class core final : public memory::partition {
 public:
  core(unsigned id, const message::endpoint_options& options, message::process_context& shared,
       memory::space& addresses, exchange_barrier& all, const task_limits& limits = {},
       combine combining = combine::automatic)
      : partition(id, options, shared, addresses),
        exchange_barrier_(all),
        limits_(limits),
        combining_(combining) {}

  static core& here() { return static_cast<core&>(*fiber::scheduler::current()); }
  /// Returns core c of this process, counted from 0 in each process.
  core& team_mate(unsigned c) { return static_cast<core&>(*shared_.endpoints[c]); }
  /// Returns the largest number of indices of a loop's task, or 0 if no setting limits it.
  std::uint64_t loop_grain() const { return limits_.loop_grain; }
  exchange_barrier& everybody() { return exchange_barrier_; }
  /// Returns the default place where structures combine.
  combine combining() const { return combining_; }
  structure_table& structures() { return structures_; }

  /// Adds a task that its scope has already counted (one unit).
  void push_plain(const task& t) { plain_.push_back(t); }
  void push_stealable(const task& t) {
    if (!idle_thieves_.empty() && t.type->ship != nullptr) [[unlikely]]
      return give(t, take_idle_thief());
    keep_stealable(t);
  }
  /// Adds a task as push_stealable() does, preferably for other cores.
  void push_offered(const task& t, offered to) {
    if (to == offered::to_all && !idle_thieves_.empty() && t.type->ship != nullptr)
      return give(t, take_idle_thief());
    stealable_.offer(t);
    wake_a_thief();
  }
  /// Adds a task that another process has sent.
  void arrive(const task& t) {
    has_requested_ = false;
    ++counters_.steals;
    keep_stealable(t);
  }
  /// Serves a thief: an idle core of another process.
  void serve_thief(unsigned thief);
  /// Runs tasks that `scope` counts on the stack of the calling fiber, which is about to wait for them. Runs
  /// the newest first, so recursion proceeds depth-first. Returns false if the stack is too small for a
  /// remaining task. Suspends if a task does.
  bool help(message::completion& scope);
  /// Runs the newest tasks first until end_deep_wait(), because a fiber waits for tasks that did not fit its
  /// stack in help().
  void begin_deep_wait() { ++deep_waits_; }
  void end_deep_wait() { --deep_waits_; }
  /// Implements gossamer::has_idle_thieves().
  idle_thieves has_idle_thieves();

 protected:
  bool has_task() override;
  bool run_task() override;
  bool before_idle(idling step) override;
  bool has_news() const override;

 private:
  static constexpr unsigned k_tasks_per_poll = 64;  // between two polls

  struct departure {
    task what;
    unsigned to;
  };

  void keep_stealable(const task& t) {
    if (stealable_.push(t)) wake_a_thief();
  }
  void depart(const task& t, unsigned to) { departures_.push_back({t, to}); }
  /// Sends one task to a core that has requested one.
  void give(const task& t, unsigned to) {
    counters_.count_steal_of(1);
    depart(t, to);
  }
  unsigned take_idle_thief();
  void send_departures();
  static void request_tasks(void* self);

  /// The number of tasks that a core runs newest first before it runs the oldest one. It doubles each time.
  /// So tasks that spawn one another endlessly delay other tasks but do not starve them, and few additional
  /// fibers are started.
  class patience {
   public:
    bool over() {
      if (--left_ > 0) return false;
      span_ = std::min(2 * span_, k_longest);
      left_ = span_;
      return true;
    }
    void renew() { left_ = span_ = k_shortest; }

   private:
    static constexpr unsigned k_shortest = 64, k_longest = 4096;
    unsigned span_ = k_shortest, left_ = k_shortest;
  };

  bool newest_first();
  bool newest_is_of(const message::completion& scope) const;
  bool pop_of(const message::completion& scope, task& t);
  void let_others_run();
  template <class Body>
  void under_scope(task& t, Body body);
  void execute(task& t);
  bool steal();
  bool any_core_offers() const;
  void wake_a_thief();

  exchange_barrier& exchange_barrier_;
  task_ring plain_;
  std::size_t deep_waits_ = 0;
  unsigned until_poll_ = k_tasks_per_poll;  // tasks of help() until the next poll
  std::size_t yielding_ = 0;  // fibers in let_others_run()
  patience help_patience_, newest_patience_;
  stealable_tasks stealable_;
  unsigned next_victim_ = 0;
  unsigned busy_rounds_ = 0;  // searches for tasks while fibers were ready
  const task_limits limits_;  // from job_options
  const combine combining_;  // from job_options
  structure_table structures_;
  std::uint64_t requests_sent_ = 0;
  bool has_requested_ = false;  // requests for tasks were sent to the neighbours
  std::vector<unsigned> idle_thieves_;  // cores of neighbours that wait for a task: at most one of each
  std::vector<departure> departures_;
};

}  // namespace gossamer::parallel
