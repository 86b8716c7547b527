#pragma once
// A core, whole: scheduler, mail, memory and tasks. All that a core has hangs off this object.
//
// A task counted by a completion of another core runs under this core's proxy of it (message/internal/remote_completion_proxies.hpp).
//
// Stealing across processes goes by lifelines (Saraswat et al., PPoPP 2011): a core that runs out of work
// asks a random core and one core of each neighbour process once, where neighbours differ in one bit of their
// number, and sleeps. A core that is asked sends half of what its process has on offer, or remembers the thief
// and sends it the next task that it spawns. So no core asks twice before it was given something, and a job
// without work is silent.
//
//   thief:   busy --idle: asks--> waiting --a task arrives--> busy
//   victim:  idle_thieves_: thieves that got nothing; departures_: tasks on their way out, until a fiber sends them

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

/// Meeting point of all cores of a process, one fiber per core (collective.hpp).
class exchange_barrier;

/// Which cores would take work that this core splits off.
struct idle_thieves {
  bool here;  // nothing of this core's is left to steal in its process
  bool elsewhere;  // a core of another process has asked in vain
  explicit operator bool() const { return here || elsewhere; }
};

/// Which cores get a task that is offered: those of other processes that have asked in vain, or first of all
/// an idle one of this process. A core that asks later may get it, too.
enum class offered : std::uint8_t { to_all, prefer_local };

/// How many tasks are moved at once, and how many indices one gets; 0: by what there is.
struct task_limits {
  std::size_t steal_tasks = 0;  // by a thief of another process
  std::size_t steal_chunk = 0;  // by one of the same
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
  /// Returns a core of this process, by its number there from 0.
  core& team_mate(unsigned c) { return static_cast<core&>(*shared_.endpoints[c]); }
  /// Returns the most indices of a task of a loop, or 0 where no setting says so.
  std::uint64_t loop_grain() const { return limits_.loop_grain; }
  exchange_barrier& everybody() { return exchange_barrier_; }
  /// Returns where structures combine that do not say it themselves.
  combine combining() const { return combining_; }
  structure_table& structures() { return structures_; }

  /// Adds a task that its scope counts already (one unit).
  void push_plain(const task& t) { plain_.push_back(t); }
  void push_stealable(const task& t) {
    if (!idle_thieves_.empty() && t.type->ship != nullptr) [[unlikely]]
      return give(t, take_idle_thief());
    keep_stealable(t);
  }
  /// Adds a task like push_stealable(), for other cores before this one.
  void push_offered(const task& t, offered to) {
    if (to == offered::to_all && !idle_thieves_.empty() && t.type->ship != nullptr)
      return give(t, take_idle_thief());
    stealable_.offer(t);
    wake_a_thief();
  }
  /// Adds a task that another process has sent.
  void arrive(const task& t) {
    asked_ = false;
    ++counters_.steals;
    keep_stealable(t);
  }
  /// Serves a core of another process that has nothing to do.
  void serve_thief(unsigned thief);
  /// Runs tasks that `scope` counts on the stack of the calling fiber, which is about to wait for them: the
  /// newest first, so that recursion goes into the depth. Returns false where one is left that the stack has
  /// no room for. Suspends where a task does.
  bool help(message::completion& scope);
  /// Makes the newest tasks come first, until end_deep_wait(): a fiber waits for tasks that help() had no
  /// room for.
  void begin_deep_wait() { ++deep_waits_; }
  void end_deep_wait() { --deep_waits_; }
  /// Does what gossamer::has_idle_thieves() says.
  idle_thieves has_idle_thieves();

 protected:
  bool has_task() override;
  bool run_task() override;
  bool before_idle(idling step) override;
  bool has_news() const override;

 private:
  static constexpr unsigned k_look = 64;  // tasks between two looks around

  struct departure {
    task what;
    unsigned to;
  };

  void keep_stealable(const task& t) {
    if (stealable_.push(t)) wake_a_thief();
  }
  void depart(const task& t, unsigned to) { departures_.push_back({t, to}); }
  /// Sends one task to a core that has asked before.
  void give(const task& t, unsigned to) {
    counters_.count_steal_of(1);
    depart(t, to);
  }
  unsigned take_idle_thief();
  void send_departures();
  static void ask_neighbours(void* self);

  /// How many tasks a core runs newest first before the oldest comes: twice as many every time. So those that
  /// spawn one another for ever delay the others and keep none from running, and few fibers are started for
  /// it.
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
  bool anybody_offers() const;
  void wake_a_thief();

  exchange_barrier& exchange_barrier_;
  task_ring plain_;
  std::size_t deep_waits_ = 0;
  unsigned until_look_ = k_look;  // tasks of help()
  std::size_t standing_aside_ = 0;  // fibers in let_others_run()
  patience help_patience_, newest_patience_;
  stealable_tasks stealable_;
  unsigned next_victim_ = 0;
  unsigned busy_rounds_ = 0;  // looks for tasks while fibers could go on
  const task_limits limits_;  // job_options
  const combine combining_;  //   the same
  structure_table structures_;
  std::uint64_t asks_ = 0;
  bool asked_ = false;  // neighbours know that this core has no work
  std::vector<unsigned> idle_thieves_;  // cores of neighbours that wait for a task: at most one each
  std::vector<departure> departures_;
};

}  // namespace gossamer::parallel
