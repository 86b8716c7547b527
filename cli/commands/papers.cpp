// gossamer papers: the figures of the five papers beside ours. Replaces itself by gossamer-studies in the
// same folder. That program is not installed; without it, the error says how to build it.

#include "commands/papers_command.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/subprocess.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_papers_text{
    "papers", "pages of the papers' figures, each drawn from a recorded run beside the paper's numbers",
    "  gossamer papers --list\n"
    "  gossamer papers --quick hybrid-address-spaces/barriers\n"
    "  gossamer papers --kept -o pages          all pages, of what is recorded\n"};

class papers final : public papers_command {
 public:
  papers() : papers_command(k_papers_text) {}

  int run() override {
    std::string studies = machine::program_folder() + "/gossamer-studies";
    if (machine::find_program(studies).empty())
      throw error(
          "papers: expected the program gossamer-studies beside this one, found none: it is not installed; "
          "`make papers` in "
          "Gossamer's sources builds it, records and draws");
    std::vector<std::string> all{std::move(studies), "papers"};
    for (auto& word : words()) all.push_back(std::move(word));
    machine::become_program(all);
  }
};

}  // namespace

std::unique_ptr<command> make_papers() { return std::make_unique<papers>(); }

}  // namespace gossamer::cli
