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
  d.text("--scratch", "DIR", scratch, "where scratch files lie, without names (default: TMPDIR, or /tmp)");
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

}  // namespace gossamer::cli
