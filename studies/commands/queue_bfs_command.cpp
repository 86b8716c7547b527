// gossamer-studies queue-bfs: breadth-first search with a shared queue as the frontier, and its speed.

#include <string>

#include "commands/shared_structures.hpp"
#include "studies/commands/search_command.hpp"
#include "studies/commands/studies.hpp"
#include "studies/queue_bfs.hpp"

namespace gossamer::studies {
namespace {

using namespace cli;

constexpr command_text k_queue_bfs_text{
    "queue-bfs", "breadth-first search whose frontier is one queue of all cores",
    "  gossamer-studies queue-bfs kron:18 --source 1 --verify\n"
    "  gossamer-studies queue-bfs kron:18 --trials 4 --combining off\n"
    "  gossamer-studies queue-bfs kron:18 --trials 4 --kind queue-singly\n"};

class queue_bfs_command final : public search_command {
 public:
  queue_bfs_command() : search_command(k_queue_bfs_text) {}

 private:
  void describe_search(json_object& j) const override;
  void declare_search(declaration& d) override;
  job_options job() const override { return with_combining(graph_command::job(), combining_); }
  void answer(session& s) override;

  std::string kind_;  // queue (also when empty), queue-singly or queue-locked
  std::string combining_;  // empty: that of the job
};

void queue_bfs_command::declare_search(declaration& d) {
  d.word("--kind", "KIND", kind_,
         "queue: cores put in and take out many vertices at a time (default); queue-singly: each vertex a "
         "request; queue-locked: such requests to a queue with a lock, which is held over a message",
         {"queue", "queue-singly", "queue-locked"});
  declare_combining(d, combining_, "the queue");
}

void queue_bfs_command::describe_search(json_object& j) const {
  if (!kind_.empty()) j.set("options/kind", kind_);
  if (!combining_.empty()) j.set("options/combining", combining_);
}

void queue_bfs_command::answer(session& s) {
  const loaded_graph g = load(s);
  queue_bfs search(g.view(), {.singly = kind_ == "queue-singly", .locked = kind_ == "queue-locked"});
  answer_by(search, s, g);
}

}  // namespace

std::unique_ptr<cli::command> make_queue_bfs() { return std::make_unique<queue_bfs_command>(); }

}  // namespace gossamer::studies
