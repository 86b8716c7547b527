#pragma once
// What the person asked for, as plain values. The command line is parsed into this once (parse.cpp);
// nothing behind it knows of option syntax.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gossamer::cli {

enum class command {
  info,
  components,
  bfs,
  pagerank,
  betweenness,
  convert,
  uts,
  uts_mem,
  gups,
  gather,
  structures,
  ping,
  run,
  simulate,
  scale,
  network,
  doctor,
  bench
};

/// Those that read no graph: a tree, a table or messages are all they need.
constexpr bool is_kernel(command c) { return c >= command::uts && c <= command::ping; }

struct options {
  command what = command::info;
  std::string name;   // of the command, as typed
  std::string graph;  // a file, or kron:… or uniform:…

  unsigned cores = 0;            // 0: the processors this process may use
  std::optional<bool> directed;  // unset: files are directed, generated graphs are not
  bool labels = false;
  std::optional<bool> header;         // unset: as the file looks
  std::vector<std::string> columns;   // source, target, weight: names or numbers
  char separator = '\0';              // as the file looks
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> top;  // unset: 10 where a command has a ranking of its own
  std::string output;
  bool json = false;
  bool stats = false;
  bool verify = false;
  bool quiet = false;

  std::optional<std::string> source;  // bfs: a label
  std::uint64_t trials = 0;           // bfs: 0 means one run
  std::string frontier;               // bfs: lists (also when empty), queue or queue-singly
  std::string method;                 // components: hooking (also when empty) or three-phase
  std::string combining;              // of shared structures: off, master, local, both; empty: the job's
  double tolerance = 1e-6;            // pagerank
  double damping = 0.85;
  std::uint64_t max_iterations = 1000;
  std::optional<std::uint64_t> samples;  // betweenness
  bool exact = false;
  bool normalised = false;  // betweenness: from 0 to 1
  std::string destination;  // convert
  std::vector<std::string> benches;  // bench: empty for all of them
  bool list = false;
  bool quick = false;
  bool no_peers = false;
  std::uint64_t table_bytes = 0;  // 0: each bench's own sizes, 1 GiB for gups and gather
  std::uint64_t operations = 0;   // gups, gather: 0: as many as the table has cells; structures
  std::string structure;          // structures: stack, queue, set or map; bench: empty for all of them
  std::optional<unsigned> puts, erases;  // structures, bench: percent; unset: what the paper has
  std::optional<std::uint64_t> keys, structure_cells, fibers, payload;
  bool bulk = false;
  std::string tree;               // uts, uts-mem: a name or arguments
  unsigned repeats = 5;
  unsigned processes = 0;            // run
  std::string mpi;                   // run: empty for the first that there is
  std::string network;               // network: a preset or file
  std::vector<std::string> wrapped;  // run, simulate, scale: the command and its options
  std::string simulated;             // simulate, scale: as in GOSSAMER_SIMULATE, without the seed
  std::uint64_t last_seed = 0;       // simulate: from `seed` to here, one run each; 0: one run, of `seed`
  std::uint64_t timeout_s = 300;     // simulate: of one of these runs; scale: of each
  std::vector<unsigned> counts{1, 2, 4, 8, 16};  // scale: of processes
  std::string figure;                // scale: empty for scale-<command>.svg
  bool no_figure = false;
};

/// Whether processes of one job may run the command together.
inline bool is_for_several(const options& o) {
  return o.what != command::bench || o.benches == std::vector<std::string>{"barrier"};
}

inline constexpr std::uint64_t k_default_top = 10;

}  // namespace gossamer::cli
