#pragma once
// Explains where the core time of a run went. explain() is a pure function. Its input is the counters of
// every core in each phase of a run (recorded by run_recorder.hpp). Its output is findings, those with the
// most core time first.
//
// The core time of a phase is its time on every core, added up. It has exactly four parts:
//   working         the core had work and a processor. Includes waits for memory: no counter separates them
//   working         the core had work and a processor. Waits for memory count as working: no counter separates them
//   no processor    it had work, and its thread did not run: files, other programs, more cores than processors
//   for the busiest it had no work, while the busiest core of the phase worked longer than it did
//   without work    it had no work for longer than that: messages under way, barriers, fibers that wait for one another
//
// "No processor" is a lower bound: polling for work uses processor time, which hides an equal part of it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/counters.hpp"

namespace gossamer {

/// The counters of one core in a phase.
struct core_record {
  std::uint64_t ns = 0;  ///< from the beginning of the phase to its end, by the clock of the core
  std::uint64_t cpu_ns = 0;  ///< processor time of its thread
  counters count = {};  ///< its counters in this phase, including idle_ns
};

/// The cores in one phase of a run. A phase may occur several times; its times are added up (add_phase()).
struct phase_record {
  std::string name = {};  ///< the activity: "reading web.tsv", "components"
  std::vector<core_record> cores = {};  ///< by core number
};

/// A fact about a process that may explain why others wait for it.
struct known_of_process {
  unsigned process = 0;  ///< its number
  std::string what = {};  ///< continues its name: "owns the vertex of largest degree (hub, 20,000 edges)"
  std::string advice = {};  ///< a sentence
};

/// The input of explain().
struct run_record {
  std::vector<phase_record> phases;  ///< in order
  unsigned cores_of_process = 1;  ///< cores in each process
  bool has_cpu_time = true;  ///< false if core_record::cpu_ns is meaningless, as in a simulation
  std::vector<known_of_process> known;  ///< facts about single processes
  std::uint64_t data_bytes = 0;  ///< data that the program accesses in random order; 0: not known
  std::uint64_t cache_bytes = 0;  ///< of the last-level cache; 0: not known
  bool parses_graph = false;  ///< it reads a graph, of another format than the native one
};

/// The parts of a core time. Their sum is 1, or 0 if there was none.
struct time_shares {
  double working = 0;  ///< with work, on a processor
  double no_processor = 0;  ///< with work, while the thread did not run
  double for_the_busiest = 0;  ///< idle while the busiest core worked longer
  double without_work = 0;  ///< idle for longer than that
};

/// A phase with its shares.
struct explained_phase {
  std::string name = {};  ///< as in phase_record
  double seconds = 0;  ///< from its beginning to its end
  time_shares shares = {};  ///< of its own core time
};

/// A finding: one sentence about the run, with numbers and an advice.
struct finding {
  std::string key = {};  ///< the kind, for programs: "for_the_busiest", "no_processor", ...
  std::string phase = {};  ///< the phase; empty: the whole run
  double share = 0;  ///< share of `share_of`, from 0 to 1
  std::string share_of = {};  ///< "core time", "time", "packets", "tries" or "messages"
  double core_time = 0;  ///< an upper bound of its part of the run's core time; findings are in this order
  std::string text = {};  ///< a sentence with the numbers
  std::string advice = {};  ///< recommended action: a sentence
  std::vector<std::pair<std::string, double>> numbers = {};  ///< the numbers of the text, by name
};

/// The result of explain().
struct explanation {
  double seconds = 0;  ///< of all phases
  unsigned cores = 0;  ///< of the job
  time_shares shares = {};  ///< of the core time of all phases
  std::vector<explained_phase> phases;  ///< in order; phases of the same name are merged
  std::vector<finding> findings;  ///< the most core time first
};

/// Adds a phase to the one of `all` that has the same name and number of cores, or behind the others if there is none.
void add_phase(std::vector<phase_record>& all, const phase_record& more);

/// Explains a run. Does not suspend; has no side effects. Skips phases without cores.
explanation explain(const run_record& run);

}  // namespace gossamer
