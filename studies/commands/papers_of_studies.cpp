// gossamer-studies papers: replaces itself by tools/papers of the sources that this program was built from,
// with the programs in its own folder.

#include <fmt/format.h>

#include <filesystem>

#include "commands/papers_command.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "studies/commands/studies.hpp"

namespace gossamer::studies {
namespace {

namespace fs = std::filesystem;

constexpr cli::command_text k_study_papers_text{
    "papers", "pages of the papers' figures, each drawn from a recorded run beside the paper's numbers",
    "  gossamer-studies papers --list\n"
    "  gossamer-studies papers --quick hybrid-address-spaces/barriers\n"
    "  gossamer-studies papers --kept -o pages  all pages, of what is recorded\n"};

/// Returns the script tools/papers in the folder or the nearest one above; empty if there is none.
fs::path script_above(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    if (fs::path script = folder / "tools/papers"; fs::is_regular_file(script)) return script;
    if (folder == folder.parent_path()) return {};
  }
}

class study_papers final : public cli::papers_command {
 public:
  study_papers() : papers_command(k_study_papers_text) {}

  int run() override {
    const std::string folder = machine::program_folder();
    fs::path script = script_above(folder);
    if (script.empty()) script = script_above(fs::current_path());
    if (script.empty())
      throw error(
          fmt::format("papers: expected Gossamer's sources, with tools/papers, above {} or above the current "
                      "folder, found none",
                      folder));
    std::vector<std::string> all{script.string(), "--programs", folder};
    for (auto& word : words()) all.push_back(std::move(word));
    machine::become_program(all);
  }
};

}  // namespace

std::unique_ptr<cli::command> make_study_papers() { return std::make_unique<study_papers>(); }

}  // namespace gossamer::studies
