// compilers COMMAND: a command of the program gossamer without its command line, which takes as long to
// compile as the library. Prints the answer, what it took and every counter of every core; GOSSAMER_SIMULATE
// says where.

#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "gossamer/gossamer.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/kernels/gups.hpp"
#include "gossamer/kernels/uts.hpp"

namespace {

using namespace gossamer;

std::string search_tree() {
  const auto r = kernels::search_tree(kernels::parse_tree("-t 1 -a 3 -d 7 -b 4 -r 19"));
  return fmt::format("{} nodes, {} leaves, {} deep, {} s", r.size.nodes, r.size.leaves, r.size.depth,
                     r.seconds);
}

graph::graph small_graph() { return graph::load("kron:9"); }

std::string find_distances() {
  const graph::graph g = small_graph();
  graph::bfs search(g.view());
  std::string text;
  for (const graph::vertex_id from : {1U, 7U}) {
    const auto r = search.run(from);
    text += fmt::format("{} reached in {} levels over {} edges, {} s\n", r.reached, r.levels.size(), r.edges,
                        r.seconds);
  }
  return text;
}

std::string find_components() {
  const graph::graph g = small_graph();
  const auto r = graph::connected_components(g.view());
  return fmt::format("{} components, {} s", r.components, r.seconds);
}

kernels::table_work small_table() {
  kernels::table_work w;
  w.bytes = 256 << 10;
  return w;
}

std::string update() {
  const auto r = kernels::random_updates(small_table());
  return fmt::format("{} updates, {} s", r.operations, r.seconds);
}

std::string read() {
  const auto r = kernels::random_reads(small_table());
  return fmt::format("{} reads, {} s", r.operations, r.seconds);
}

std::string answer(std::string_view command) {
  if (command == "uts") return search_tree();
  if (command == "bfs") return find_distances();
  if (command == "components") return find_components();
  if (command == "gups") return update();
  if (command == "gather") return read();
  throw error(fmt::format("expected uts, bfs, components, gups or gather, found {}", command));
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&] {
    fmt::print("{}\n", answer(argc > 1 ? argv[1] : ""));
    const auto all = statistics();
    for (std::size_t core = 0; core < all.size(); ++core)
      for (const auto& [name, member] : k_counter_fields)
        fmt::print("core {} {} {}\n", core, name, all[core].*member);
  });
}
