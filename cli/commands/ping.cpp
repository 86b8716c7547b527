// gossamer ping: bandwidth by message size between two cores or two processes, with and without aggregation,
// and that of plain MPI if there is one; and the latency of a small message. With --all-cores: the bandwidth
// of all cores of a node.

#include "gossamer/kernels/ping.hpp"

#include <algorithm>
#include <optional>

#include "commands/job_command.hpp"
#include "commands/kernel_answer.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::cli {
namespace {

struct point {
  std::size_t bytes;
  std::uint64_t messages;
  double together = 0, alone = 0;  // MB/s
  std::optional<double> plain = std::nullopt;
};

std::vector<point> points_of() {
  constexpr std::uint64_t k_bytes = 256 << 20, k_most = 2'000'000;
  std::vector<point> points;
  for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= bytes == 8 ? 4 : 2)
    points.push_back({.bytes = bytes, .messages = std::min(k_most, k_bytes / bytes)});
  return points;
}

/// Measures the bandwidth of core 0 and its partner, or of all pairs, among which the messages are divided.
double rate_of(bool all_cores, const point& p, std::uint64_t messages) {
  const auto stream = [&](std::uint64_t n) {
    if (!all_cores) return kernels::stream_to(kernels::ping_partner(), p.bytes, n);
    return kernels::stream_from_all(p.bytes, std::max<std::uint64_t>(1, n / kernels::ping_pairs()));
  };
  (void)stream(std::max<std::uint64_t>(16, messages / 16));  // warms up
  const auto r = stream(messages);
  if (!r.verified) throw error(fmt::format("ping, {}: {}", format_bytes(p.bytes), r.verified.reason));
  return r.mb_per_s();
}

std::string rate_text(double mb_per_s) { return fmt::format("{:.4g}", mb_per_s); }

void say(session& s, const std::vector<point>& points, bool all_cores, double latency, double seconds) {
  json_object& j = s.json();
  j.set("pairs", std::uint64_t{all_cores ? kernels::ping_pairs() : core_id{1}});
  const bool plain = std::ranges::any_of(points, [](const point& p) { return p.plain.has_value(); });
  j.set("latency_us", latency * 1e6);
  j.set_array("sizes");
  table rows({{"bytes"}, {"aggregated"}, {"without aggregation"}, {plain ? "plain MPI" : ""}});
  for (const point& p : points) {
    json_object row;
    row.set("bytes", std::uint64_t{p.bytes});
    row.set("aggregated_mb_per_s", p.together);
    row.set("bypassed_mb_per_s", p.alone);
    if (p.plain) row.set("mpi_mb_per_s", *p.plain);
    j.append("sizes", std::move(row));
    rows.row({format_count(p.bytes), rate_text(p.together), rate_text(p.alone),
              p.plain ? rate_text(*p.plain) : ""});
  }
  if (all_cores)
    s.say("{}  {} to as many others, all at once, MB/s", s.colours().bold("ping"),
          plural(kernels::ping_pairs(), "core", "cores"));
  else
    s.say("{}  core 0 to core {}{}, MB/s", s.colours().bold("ping"), kernels::ping_partner(),
          processes() > 1 ? " of another process" : "");
  s.say("");
  s.say(rows);
  s.say("\n8 bytes one way: {}", format_duration(latency));
  set_run(s, seconds);
}

/// Measures plain MPI, from process 0 to 1, in windows of at most 64 messages. Every process of the job calls
/// this function, between two runs. Does nothing without other processes.
void measure_plain(std::vector<point>& points) {
  auto* const others = fabric::connected_transport();
  if (others == nullptr) return;
  for (point& p : points) {
    const auto messages = static_cast<unsigned>(std::max<std::uint64_t>(64, p.messages / 8));
    others->barrier();
    if (others->rank() > 1) continue;
    const double seconds = others->plain_stream(0, 1, p.bytes, messages);
    p.plain = static_cast<double>(messages) * static_cast<double>(p.bytes) / seconds / 1e6;
  }
  others->barrier();
}

constexpr command_text k_ping_text{"ping", "bandwidth and latency of messages between two cores",
                                   "  gossamer ping\n"
                                   "  mpirun -n 2 gossamer ping    between processes, beside plain MPI\n"
                                   "  gossamer simulate -n 2 --cores 16 --network qdr -- ping --all-cores\n"};

/// Runs one job without aggregation and one with it.
class ping_command final : public job_command {
 public:
  ping_command() : job_command(k_ping_text) {}
  bool is_timed() const override { return false; }
  int run() override;

 private:
  void declare_own(declaration& d) override {
    d.flag("--all-cores", all_cores_,
           "all cores of the first half of the job send, each to one of the second");
  }
  void answer(session&) override {}

  bool all_cores_ = false;
};

int ping_command::run() {
  session s(reporting());
  job_options job = this->job();
  std::vector<point> points = points_of();
  // The time is taken inside each run: a simulated run has its own virtual clock, and outside is the clock of
  // the host.
  double seconds = 0;
  job.aggregate = false;
  gossamer::run(job, [&] {
    const std::uint64_t start = machine::now_ns();
    s.steps().step("ping, each message by itself");
    for (point& p : points) p.alone = rate_of(all_cores_, p, std::max<std::uint64_t>(64, p.messages / 8));
    seconds += machine::seconds_since(start);
  });
  if (!all_cores_) measure_plain(points);
  job.aggregate = true;
  gossamer::run(job, [&] {
    answer_and_account(s, [&] {
      const std::uint64_t start = machine::now_ns();
      s.step("bandwidth");
      for (point& p : points) p.together = rate_of(all_cores_, p, p.messages);
      s.step("latency");
      const double latency = kernels::one_way_seconds(kernels::ping_partner(), 8, 20'000);
      say(s, points, all_cores_, latency, seconds + machine::seconds_since(start));
      if (verify_) s.verified({}, "look at every payload, in every run");  // rate_of() throws otherwise
    });
  });
  return s.finish();
}

}  // namespace

std::unique_ptr<command> make_ping() { return std::make_unique<ping_command>(); }

}  // namespace gossamer::cli
