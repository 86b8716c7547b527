#include "commands/papers_command.hpp"

namespace gossamer::cli {

void papers_command::declare(declaration& d) {
  d.arguments("FIGURE", figures_, "figures, as --list names them, or papers; default: all");
  d.section("Recording");
  d.flag("--quick", quick_, "small sizes: minutes for all, and said on the page");
  d.flag("--again", again_, "run what is recorded for this commit, too");
  d.flag("--missing", missing_, "run only what is recorded for no commit");
  d.flag("--kept", kept_, "run nothing: draw what is recorded");
  d.folder("--recorded", recorded_, "where recordings are (default: docs/performance/recorded/papers)");
  d.section("Pages");
  d.flag("--list", list_, "the names of papers and figures; nothing is run or drawn");
  d.folder("-o,--output", output_, "where the pages go (default: build/papers)");
  d.section(k_last_group);
  d.flag("-q,--quiet", quiet_, "no progress");
}

std::vector<std::string> papers_command::words() const {
  std::vector<std::string> words = figures_;
  const auto add = [&](bool given, const char* name) {
    if (given) words.emplace_back(name);
  };
  add(quick_, "--quick");
  add(again_, "--again");
  add(missing_, "--missing");
  add(kept_, "--kept");
  add(list_, "--list");
  add(quiet_, "--quiet");
  if (!output_.empty()) words.insert(words.end(), {"--output", output_});
  if (!recorded_.empty()) words.insert(words.end(), {"--recorded", recorded_});
  return words;
}

}  // namespace gossamer::cli
