// gossamer gups: random updates of a table, in millions a second.

#include "gossamer/kernels/gups.hpp"

#include "commands/registry.hpp"
#include "commands/table_command.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_gups_text{"gups", "random updates of a table that is spread over all cores",
                                   "  gossamer gups\n"
                                   "  gossamer gups --table 64MiB --updates 100000000 --verify\n"};

class gups_command final : public table_command {
 public:
  gups_command() : table_command(k_gups_text, "updates") {}

 private:
  void answer(session& s) override {
    const kernels::table_work w = work();
    const auto r = kernels::random_updates(w, watch(s, "gups"));
    say(s, w, r);
    if (w.verify) s.verified(r.verified, "sum of the updates; making them again leaves nothing");
  }
};

}  // namespace

std::unique_ptr<command> make_gups() { return std::make_unique<gups_command>(); }

}  // namespace gossamer::cli
