#include "commands/table_command.hpp"

#include "commands/kernel_answer.hpp"

namespace gossamer::cli {

void table_command::declare_own(declaration& d) {
  d.bytes("--table", bytes_, "size of the table (default 1GiB)", 4096);
  d.number("--" + operations_, count_, "how many (default: as many as the table has cells)", 1);
  d.number("--seed", seed_, "of the random cells (default 1)");
}

kernels::table_work table_command::work() const {
  kernels::table_work w{.operations = count_, .seed = seed_, .verify = verify_};
  if (bytes_ != 0) w.bytes = bytes_;
  return w;
}

kernels::table_progress table_command::watch(session& s, const std::string& what) {
  s.step(what);
  return [&s](std::uint64_t done, std::uint64_t total) { s.steps().at(done, total); };
}

void table_command::say(session& s, const kernels::table_work& w, const kernels::table_result& r) const {
  json_object& j = s.json();
  j.set("table_bytes", w.bytes);
  j.set(operations_, r.operations);
  j.set("mups", r.mups());
  set_run(s, r.seconds);
  s.say("{}  {} of a table of {}", s.colours().bold(name()),
        plural(r.operations, operations_.substr(0, operations_.size() - 1), operations_),
        format_bytes(w.bytes));
  s.say("\n{:.1f} M {}/s: {}", r.mups(), operations_, time_and_place(r.seconds));
}

}  // namespace gossamer::cli
