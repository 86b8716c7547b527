#include "commands/spill_options.hpp"

#include "gossamer/machine/memory.hpp"

namespace gossamer::cli {

void spill_options::declare(declaration& d, const std::string& what) {
  d.bytes(
      "--memory", memory,
      "the most that " + what +
          " of a process may take; the rest goes to scratch files (default: half of GOSSAMER_MEMORY_LIMIT, "
          "or no bound)",
      1);
  d.folder("--scratch", scratch, "where scratch files lie, without names (default: TMPDIR, or /tmp)");
}

void spill_options::declare_resume(declaration& d) {
  d.folder("--resume", resume,
           "keep finished work in this folder until the command has ended well: started again with the same "
           "files, options and cores, it goes on from there");
}

std::uint64_t spill_options::bound() const {
  if (memory != 0) return memory;
  return machine::memory_limit_hint().empty() ? 0 : machine::available_memory() / 2;
}

void say_spills(session& s, std::uint64_t spills, std::uint64_t pairs, std::uint64_t bytes) {
  s.json().set("spills", spills);
  s.json().set("spilled_pairs", pairs);
  s.json().set("spilled_bytes", bytes);
  if (spills == 0) return;
  s.say("to scratch files: {} pairs, {}, in {}", format_count(pairs), format_bytes(bytes),
        plural(spills, "turn", "turns"));
}

void say_tasks_before(session& s, std::uint64_t tasks) {
  s.json().set("tasks_before", tasks);
  if (tasks != 0) s.say("continued: {} of the map stage had been done", plural(tasks, "task", "tasks"));
}

}  // namespace gossamer::cli
