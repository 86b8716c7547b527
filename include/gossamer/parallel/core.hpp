#pragma once
// A core, whole: scheduler, mail, memory and tasks. All that a core has hangs off this object.
//
// A task counted by a completion of another core runs under this core's share of it (message/share.hpp).

#include <atomic>
#include <cstdint>
#include <memory>

#include "gossamer/memory/heap.hpp"
#include "gossamer/parallel/task.hpp"

namespace gossamer::parallel {

/// Meeting point of all cores of a process, one fiber per core (collective.hpp).
class meeting;

class core final : public memory::partition {
 public:
  core(unsigned id, const message::endpoint_options& options, message::neighbourhood& shared,
       memory::space& addresses, meeting& all)
      : partition(id, options, shared, addresses), meeting_(all) {}

  static core& here() { return static_cast<core&>(*fiber::scheduler::current()); }
  /// A core of this process, from 0.
  core& team_mate(unsigned c) { return static_cast<core&>(*shared_.endpoints[c]); }
  meeting& everybody() { return meeting_; }

  /// Counted by `scope` already (one unit).
  void push_plain(const task& t) { plain_.push_back(t); }
  void push_stealable(const task& t) {
    if (stealable_.push(t)) wake_a_thief();
  }
  /// See gossamer::work_is_wanted().
  bool work_is_wanted();

 protected:
  bool has_task() override;
  bool run_task() override;
  bool has_news() const override;

 private:
  void execute(task& t);
  bool steal();
  bool anybody_offers() const;
  void wake_a_thief();

  meeting& meeting_;
  task_ring plain_;
  stealable_tasks stealable_;
  unsigned next_victim_ = 0;
};

}  // namespace gossamer::parallel
