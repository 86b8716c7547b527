#include "application.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <new>

#include "commands/command.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/settings.hpp"
#include "gossamer/fabric/peer_watch.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/standard_streams.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"
#include "parse/parse.hpp"

namespace gossamer::cli {
namespace {

/// Prints an error. Process 0 prints an error that all processes of a job find. An error that only this
/// process can know ends the job.
void report_error(const char* what) noexcept {
  try {
    if (auto* others = fabric::peers(); others != nullptr && others->in_job())
      others->fail(printable(what).c_str());
    if (!machine::speaks_for_job()) {
      machine::set_job_interrupts(false, nullptr);
      machine::let_speaker_report();
      return fabric::fail_before_connecting(printable(what));
    }
    write_error(fmt::format("error: {}\n", printable(what)));
    if (!machine::find_launch().several()) return;
    machine::set_job_interrupts(false,
                                nullptr);  // the launcher may end this process because another one has failed
    machine::wait_for_readers();
    fabric::fail_before_connecting(printable(what));
  } catch (...) {
    write_error("error: out of memory\n");
  }
}

}  // namespace

int run_program(const program& p, int argc, const char* const* argv) noexcept {
  try {
    machine::occupy_standard_streams();
    machine::install_interrupt_handlers();
    auto asked = parse(p, argc, argv);
    if (const auto* text = std::get_if<answer>(&asked)) {
      if (machine::speaks_for_job()) write_output(text->text);
      return 0;
    }
    check_settings();
    return std::get<std::unique_ptr<command>>(asked)->run();
  } catch (const std::bad_alloc&) {
    report_error("out of memory (gossamer doctor shows what is available)");
  } catch (const std::exception& e) {
    report_error(e.what());
  } catch (...) {
    report_error("unknown failure");
  }
  return 2;
}

}  // namespace gossamer::cli
