// gossamer-studies task-bfs: breadth-first search by tasks that wait for every neighbour, and its speed.

#include <string>

#include "studies/commands/search_command.hpp"
#include "studies/commands/studies.hpp"
#include "studies/commands/tasks_option.hpp"
#include "studies/task_bfs.hpp"

namespace gossamer::studies {
namespace {

using namespace cli;

constexpr command_text k_task_bfs_text{
    "task-bfs", "breadth-first search by tasks that wait for a compare-and-exchange at every neighbour",
    "  gossamer-studies task-bfs kron:16 --trials 4 --verify\n"
    "  gossamer-studies sweep --set flush_delay_us=10..5000:log -n 32 --cores 2 -- task-bfs kron:14 --source "
    "1\n"
    "  gossamer-studies sweep --set grain=1..1024 -n 8 --cores 4 -- task-bfs kron:14 --source 1 --grain "
    "{grain}\n"};

class task_bfs_command final : public search_command {
 public:
  task_bfs_command() : search_command(k_task_bfs_text) {}

 private:
  void describe_search(json_object& j) const override {
    if (!tasks_.empty()) j.set("options/tasks", tasks_);
    if (grain_ != 0) j.set("options/grain", grain_);
  }
  void declare_search(declaration& d) override {
    declare_tasks(d, tasks_);
    d.number("--grain", grain_,
             "iterations of a loop that a task goes through by itself (default GOSSAMER_LOOP_GRAIN, else 1 "
             "to 32 by the arcs of a core)",
             1);
  }
  void answer(session& s) override {
    const loaded_graph g = load(s);
    task_bfs search(g.view(), {.stealable = are_stealable(tasks_), .grain = grain_});
    answer_by(search, s, g);
  }

  std::string tasks_;  // stealable (also when empty) or private
  std::uint64_t grain_ = 0;
};

}  // namespace

std::unique_ptr<cli::command> make_task_bfs() { return std::make_unique<task_bfs_command>(); }

}  // namespace gossamer::studies
