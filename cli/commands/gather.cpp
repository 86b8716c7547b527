// gossamer gather: random reads of a table, in millions a second.

#include "commands/registry.hpp"
#include "commands/table_command.hpp"
#include "gossamer/kernels/gups.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_gather_text{"gather", "random reads of a table that is spread over all cores",
                                     "  gossamer gather --table 1GiB --json\n"};

class gather_command final : public table_command {
 public:
  gather_command() : table_command(k_gather_text, "reads") {}

 private:
  void answer(session& s) override {
    const kernels::table_work w = work();
    const auto r = kernels::random_reads(w, watch(s, "gather"));
    say(s, w, r);
    if (w.verify) s.verified(r.verified, "look at every answer");
  }
};

}  // namespace

std::unique_ptr<command> make_gather() { return std::make_unique<gather_command>(); }

}  // namespace gossamer::cli
