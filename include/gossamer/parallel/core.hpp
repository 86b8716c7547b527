#pragma once
// A core, whole: scheduler, mail, memory and tasks. All that a core has hangs off this object.
//
// A task counted by a completion of another core runs under this core's *share* of it, so that
// what the task issues and spawns is counted at home, in plain memory. When the core runs out of
// work, or has finished k_report of them, the share is sealed and reports in bulk.
//
//   share:  running or holding reports  --idle or k_report-->  sealed  --all of it finished-->  reported,
//   gone

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "gossamer/memory/heap.hpp"
#include "gossamer/parallel/task.hpp"

namespace gossamer::parallel {

/// Meeting point of all cores of a process, one fiber per core (collective.hpp).
class meeting;

class core final : public memory::partition {
 public:
  core(unsigned id, const message::endpoint_options& options, message::neighbourhood& shared, meeting& all)
      : partition(id, options, shared), meeting_(all) {}
  ~core() override;

  static core& here() { return static_cast<core&>(*fiber::scheduler::current()); }
  core& other_core(unsigned c) { return static_cast<core&>(other(c)); }
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
  bool before_idle() override;
  bool has_news() const override;

 private:
  struct share {
    message::completion* counts;
    std::int64_t running = 0;   // tasks of it on this core
    std::int64_t finished = 0;  // not reported yet
  };
  static constexpr std::int64_t k_report = 256;

  void execute(task& t);
  share& share_of(message::completion& parent);
  void report(message::completion& parent, share& s);
  bool steal();
  bool anybody_offers() const;
  void wake_a_thief();

  meeting& meeting_;
  task_ring plain_;
  stealable_tasks stealable_;
  std::unordered_map<message::completion*, share> shares_;
  unsigned next_victim_ = 0;
};

}  // namespace gossamer::parallel
