#pragma once
// Base of `gossamer papers` and `gossamer-studies papers`: the options, and the words that pass them on. The
// figures are scenario files. The script tools/papers of the sources records and draws them (ADR 0067); it is
// not installed.

#include <string>
#include <vector>

#include "commands/command.hpp"

namespace gossamer::cli {

class papers_command : public command {
 public:
  using command::command;

  void declare(declaration& d) override;
  std::string not_for_several() const override { return "it starts the runs of its figures itself"; }

 protected:
  /// Returns the given arguments and options as words, for the program that does the work.
  std::vector<std::string> words() const;

 private:
  std::vector<std::string> figures_;
  bool quick_ = false;
  bool again_ = false;
  bool missing_ = false;
  bool kept_ = false;
  bool list_ = false;
  std::string output_;
  std::string recorded_;
};

}  // namespace gossamer::cli
