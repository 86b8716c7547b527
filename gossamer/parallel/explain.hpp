#pragma once
// Says where the time of a run went, in words and numbers that a person can act on. explain() is a pure function: from what every core
// has counted in each phase of a run (run_recorder.hpp takes that) to findings, those that took the most core time first.
//
// The core time of a phase is its time on every core, added up. It has four parts, which are the whole of it:
//
//   working         a core had something to do and a processor to do it on. Waits for memory are part of it: no counter tells them
//   no processor    it had something to do, and its thread did not run: files, other programs, more cores than processors
//   for the busiest it had nothing to do, while the busiest core of the phase worked longer than it did
//   without work    it had nothing to do, for longer than that: messages are under way, cores meet, or one fiber waits for another
//
// "No processor" is the least that it can be: a core that looks for work uses processor time, which hides as much of it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/counters.hpp"

namespace gossamer {

/// What one core did in a phase.
struct core_record {
  std::uint64_t ns = 0;  ///< from the beginning of the phase to its end, by the clock of the core
  std::uint64_t cpu_ns = 0;  ///< processor time of its thread
  counters count = {};  ///< what it counted meanwhile, idle_ns among it
};

/// What the cores did in one part of a run. A phase may come again: its times are added up.
struct phase_record {
  std::string name = {};  ///< what was done: "reading web.tsv", "components"
  std::vector<core_record> cores = {};  ///< by number
};

/// Something that the program knows of a process, and that may be why others wait for it.
struct known_of_process {
  unsigned process = 0;  ///< which one
  std::string what = {};  ///< behind its name: "owns the vertex of largest degree (hub, 20,000 edges)"
  std::string advice = {};  ///< a whole sentence
};

/// All that is known of a run.
struct run_record {
  std::vector<phase_record> phases;  ///< in order
  unsigned cores_of_process = 1;  ///< cores in each process
  bool has_cpu_time = true;  ///< false: core_record::cpu_ns says nothing, as in a simulation
  std::vector<known_of_process> known;  ///< of single processes
  std::uint64_t data_bytes = 0;  ///< that the program goes through in no order; 0: not known
  std::uint64_t cache_bytes = 0;  ///< of the last-level cache; 0: not known
};

/// Parts of some core time; together 1, or 0 where there was none.
struct time_shares {
  double working = 0;  ///< with something to do, on a processor
  double no_processor = 0;  ///< with something to do, and the thread did not run
  double for_the_busiest = 0;  ///< idle while the busiest core worked longer
  double without_work = 0;  ///< idle for longer than that
};

/// A phase as it went.
struct explained_phase {
  std::string name = {};  ///< as phase_record has it
  double seconds = 0;  ///< from its beginning to its end
  time_shares shares = {};  ///< of its own core time
};

/// Something that a person may want to know or change.
struct finding {
  std::string key = {};  ///< the kind, for programs: "for_the_busiest", "no_processor", ...
  std::string phase = {};  ///< where; empty: in all of the run
  double share = 0;  ///< how much of `share_of`, from 0 to 1
  std::string share_of = {};  ///< "core time", "time", "packets", "tries" or "messages"
  double core_time =
      0;  ///< at most so much of the core time of the run it concerns: findings are in this order
  std::string text = {};  ///< a sentence with the numbers
  std::string advice = {};  ///< what to do about it, a sentence
  std::vector<std::pair<std::string, double>> numbers = {};  ///< those of the text, by name
};

/// The answer of explain().
struct explanation {
  double seconds = 0;  ///< of all phases
  unsigned cores = 0;  ///< of the job
  time_shares shares = {};  ///< of the core time of all phases
  std::vector<explained_phase> phases;  ///< in order; those of the same name are one
  std::vector<finding> findings;  ///< the most core time first
};

/// Explains a run. Does not suspend, touches nothing else. Phases without cores are passed over.
explanation explain(const run_record& run);

}  // namespace gossamer
