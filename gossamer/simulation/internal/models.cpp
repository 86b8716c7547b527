// The models that the options ask for, put together: network and transport, costs, choices, trace.

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "gossamer/machine/output_file.hpp"
#include "gossamer/simulation/choices.hpp"
#include "gossamer/simulation/faults.hpp"
#include "gossamer/simulation/internal/costs.hpp"
#include "gossamer/simulation/internal/model.hpp"
#include "gossamer/simulation/internal/simulated_transport.hpp"
#include "gossamer/simulation/internal/trace.hpp"
#include "gossamer/simulation/network.hpp"

namespace gossamer::simulation {
namespace {

// 64 bytes each.
constexpr std::size_t k_kept_for_text = 64, k_kept_for_time_line = std::size_t{1} << 20;

class standard_model final : public model {
 public:
  explicit standard_model(const options& o)
      : network_(find_network(o.network)),
        choices_(o.seed, fault_set::parse(o.faults), o.until),
        costs_(o, network_),
        trace_(o.trace.empty()  ? 0
               : o.trace == "-" ? k_kept_for_text
                                : k_kept_for_time_line),
        fabric_(network_, o.processes, o.lose, &trace_) {
    if (!o.trace.empty() && o.trace != "-")
      time_line_.emplace(o.trace);  // one that cannot be written is known now
    text_ = o.trace == "-";
  }

  std::uint64_t lookahead_ns() const override { return fabric_.least_ns(); }

  std::unique_ptr<fabric::transport> connect(unsigned process, engine_interface& engine) override {
    return fabric_.connect(process, engine);
  }

  std::uint64_t cost(unsigned process, unsigned core, const counters& before, const counters& now,
                     std::uint64_t real_ticks) override {
    const std::uint64_t ns = costs_.of(before, now, real_ticks);
    return ns == 0 ? 0 : disturbed(process, core, ns);
  }

  std::uint64_t look_ns() const override { return network_.look_ns; }
  std::uint64_t wake_ns() const override { return network_.wake_ns; }
  std::uint64_t start_ns() const override { return network_.start_ns; }
  std::uint64_t yield_ns() const override { return network_.yield_ns; }

  unsigned choose(unsigned n, const char* what) override {
    const unsigned answer = choices_.choose(n, what);
    if (answer != 0) trace_.chosen(what, answer);  // 0: the usual course
    return answer;
  }

  void note(trace_event what, unsigned process, unsigned core, std::uint64_t from, std::uint64_t to,
            std::uint64_t argument) override {
    trace_.note(what, process, core, from, to, argument);
  }

  void ended() override {
    if (text_) std::fputs(trace_.text().c_str(), stderr);
    if (!time_line_) return;
    time_line_->write(trace_.json());
    time_line_->commit();
  }

 private:
  /// Cores that are slow, steps that take longer or less, and now and then one that is interrupted.
  std::uint64_t disturbed(unsigned process, unsigned core, std::uint64_t ns) {
    constexpr unsigned k_steps_per_pause = 1 << 16, k_lengths = 100;
    constexpr std::uint64_t k_shortest_pause_ns = 50'000;  // to 5 ms
    constexpr std::array<unsigned, 8> k_quarters{4, 4, 4, 4, 2, 6, 8, 16};
    ns *= slowness(process, core);
    ns = std::max<std::uint64_t>(1, ns * k_quarters.at(choose(k_quarters.size(), "cost")) / 4);
    if (choose(k_steps_per_pause, "pause") == 1) ns += k_shortest_pause_ns * (1 + choose(k_lengths, "pause"));
    return ns;
  }

  /// Of one core, decided when it is first seen: one in eight takes three times as long for everything.
  unsigned slowness(unsigned process, unsigned core) {
    if (!choices_.on(fault::slow)) return 1;
    const auto [at, first] = slowness_.try_emplace({process, core}, 1);
    if (first && choose(8, "slow") == 1) at->second = 3;
    return at->second;
  }

  network network_;
  choices choices_;
  costs costs_;
  trace trace_;
  fabric_model fabric_;
  std::optional<machine::output_file> time_line_;
  bool text_ = false;
  std::map<std::pair<unsigned, unsigned>, unsigned> slowness_;
};

}  // namespace

std::unique_ptr<model> make_model(const options& o) { return std::make_unique<standard_model>(o); }

}  // namespace gossamer::simulation
