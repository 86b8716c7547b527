#include "application.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <new>
#include <system_error>

#include "commands.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/base/settings.hpp"
#include "gossamer/fabric/peer_watch.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/parallel/job.hpp"
#include "parse.hpp"
#include "requests.hpp"
#include "statistics.hpp"
#include "terminal.hpp"

namespace gossamer::cli {
namespace {

/// Options worth repeating beside an answer: those that decide it.
void set_options(session& s) {
  const options& o = s.asked();
  json_object& j = s.json();
  if (!is_kernel(o.what)) j.set("graph", o.graph);
  if (!is_kernel(o.what) || o.what == command::gups || o.what == command::gather ||
      o.what == command::structures)
    j.set("options/seed", o.seed);
  if (o.directed) j.set("options/directed", *o.directed);
  if (o.labels) j.set("options/labels", true);
  if (o.header) j.set("options/header", *o.header);
  if (!o.columns.empty()) j.set("options/columns", fmt::to_string(fmt::join(o.columns, ",")));
  if (o.separator != '\0') j.set("options/separator", std::string(1, o.separator));
  if (!o.output.empty()) j.set("options/output", o.output);
  if (o.top) j.set("options/top", *o.top);
  if (o.source) j.set("options/source", *o.source);
  if (o.trials > 0) j.set("options/trials", o.trials);
  if (!o.frontier.empty()) j.set("options/frontier", o.frontier);
  if (!o.method.empty()) j.set("options/method", o.method);
  if (!o.combining.empty()) j.set("options/combining", o.combining);
  if (o.what == command::pagerank) {
    j.set("options/tolerance", o.tolerance);
    j.set("options/damping", o.damping);
    j.set("options/max_iterations", o.max_iterations);
  }
  if (o.samples) j.set("options/samples", *o.samples);
  if (o.exact) j.set("options/exact", true);
  if (o.normalised) j.set("options/normalised", true);
}

void answer_command(session& s) {
  switch (s.asked().what) {
    case command::info:
      return info(s);
    case command::components:
      return components(s);
    case command::bfs:
      return bfs(s);
    case command::pagerank:
      return pagerank(s);
    case command::betweenness:
      return betweenness(s);
    case command::convert:
      return convert(s);
    case command::uts:
      return uts(s);
    case command::uts_mem:
      return uts_mem(s);
    case command::gups:
      return gups(s);
    case command::gather:
      return gather(s);
    case command::structures:
      return structures(s);
    case command::ping:
    case command::run:
    case command::simulate:
    case command::scale:
    case command::network:
    case command::doctor:
    case command::bench:
      break;  // without a job: run_command()
  }
}

/// Writing over the graph that is being read is a slip, never a wish.
void spare_the_graph(const options& o) {
  for (const std::string& written : {o.output, o.destination}) {
    std::error_code unknown;  // a file that is not there is no file to spare
    if (written.empty() || !std::filesystem::equivalent(o.graph, written, unknown)) continue;
    throw error(fmt::format("expected another file to write than the graph itself, found \"{}\"",
                            printable(written)));
  }
}

constexpr std::size_t k_other_fibers = 64;  // beside those of --fibers: workers and committers

job_options job_of(const options& o) {
  job_options job = job_options::from_environment();
  if (o.cores > 0) job.cores = o.cores;
  job.seed = o.seed;
  if (o.fibers) {
    job.fibers = std::max<std::size_t>(job.fibers, *o.fibers + k_other_fibers);
    job.small_fibers = std::max<std::size_t>(job.small_fibers, *o.fibers + k_other_fibers);
  }
  if (!o.combining.empty()) job.combining = static_cast<combine>(index_of(k_combine_names, o.combining));
  return job;
}

int run_command(const options& o) {
  if (o.what == command::run) launch(o);
  if (o.what == command::simulate) return simulate(o);
  if (o.what == command::scale) return scale(o);
  if (o.what == command::bench) {
    if (gossamer::options().text("GOSSAMER_SIMULATE"))
      throw error(
          "bench: expected this machine's time, found GOSSAMER_SIMULATE (gossamer scale times commands "
          "such as gups on simulated clusters)");
    if (const auto found = machine::find_launch(); found.several() && !is_for_several(o))
      throw error(fmt::format("bench: expected one process (but for `bench barrier`), found {} started by {}",
                              found.processes, found.launcher));
    return bench(o);
  }
  session s(o);
  if (o.what == command::doctor) {
    doctor(s);
    return s.finish();
  }
  if (o.what == command::network) {
    network(s);
    return s.finish();
  }
  if (!is_kernel(o.what)) spare_the_graph(o);
  set_options(s);
  if (o.what == command::ping) {
    ping(s, job_of(o));
    return s.finish();
  }
  gossamer::run(job_of(o), [&s] {
    answer_command(s);
    if (s.asked().stats) say_statistics(s, statistics());
  });
  return s.finish();
}

/// A launcher ends all processes when the first has failed: the one that speaks shall have said why by then.
void leave_the_word() noexcept {
  constexpr std::uint64_t k_patience_ns = 1'000'000'000;
  machine::set_job_interrupts(false, nullptr);
  std::atomic<std::uint32_t> nobody{0};
  machine::futex_wait_for(nobody, 0, k_patience_ns);
}

/// Errors that all processes of a job find are printed by one of them; those that only this one can know of
/// end the job.
void complain(const char* what) noexcept {
  try {
    if (auto* others = fabric::peers(); others != nullptr && others->in_job())
      others->fail(printable(what).c_str());
    if (!machine::speaks_for_job()) return leave_the_word();
    write_error(fmt::format("error: {}\n", printable(what)));
  } catch (...) {
    write_error("error: out of memory\n");
  }
}

}  // namespace

int run_program(int argc, const char* const* argv) noexcept {
  try {
    machine::install_interrupt_handlers();
    auto asked = parse(argc, argv);
    if (const auto* text = std::get_if<answer>(&asked)) {
      if (machine::speaks_for_job()) write_output(text->text);
      return 0;
    }
    check_settings();
    return run_command(std::get<options>(asked));
  } catch (const std::bad_alloc&) {
    complain("out of memory (gossamer doctor shows what is available)");
  } catch (const std::exception& e) {
    complain(e.what());
  } catch (...) {
    complain("unknown failure");
  }
  return 2;
}

}  // namespace gossamer::cli
