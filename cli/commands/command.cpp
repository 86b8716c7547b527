#include "commands/command.hpp"

namespace gossamer::cli {

void command::declare_reporting(declaration& d, const std::string& json_help, const std::string& quiet_help) {
  d.flag("--json", json_, json_help);
  d.flag(quiet_names(), quiet_, quiet_help);
}

}  // namespace gossamer::cli
