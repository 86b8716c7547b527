// The simplest model that works: set costs, and a network of constant latency without limits of bandwidth.
#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/simulation/model.hpp"

namespace gossamer::simulation {
namespace {

constexpr std::uint64_t k_latency_ns = 1500, k_overhead_ns = 150;

struct message {
  unsigned from;
  std::uint64_t at;
  std::vector<std::byte> data;
};

/// What the processes have in common.
struct switchboard {
  explicit switchboard(unsigned processes) : on_the_way(processes), gathered(processes) {}
  std::vector<std::deque<message>> on_the_way;  // by destination; ordered by time: all take equally long
  std::vector<std::vector<std::byte>> gathered;
};

class plain_transport final : public fabric::transport {
 public:
  plain_transport(switchboard& all, unsigned rank, clockwork& engine) 
      : all_(all), rank_(rank), engine_(engine), last_(engine.processes()) {}

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return engine_.processes(); }
  std::string description() const override { return "simulated, constant latency"; }

  void receive(unsigned slot, std::span<std::byte> buffer) override { buffers_[slot] = buffer; }

  std::optional<arrival> received(unsigned slot) override {
    pass_time();
    auto& mine = all_.on_the_way[rank_];
    if (mine.empty() || mine.front().at > engine_.now()) return std::nullopt;
    engine_.charge(k_overhead_ns);
    const message m = std::move(mine.front());
    mine.pop_front();
    GOSSAMER_ASSERT(m.data.size() <= buffers_[slot].size());
    std::memcpy(buffers_[slot].data(), m.data.data(), m.data.size());
    return arrival{m.from, m.data.size()};
  }

  void send(unsigned, unsigned to, std::span<const std::byte> data) override {
    engine_.charge(k_overhead_ns);
    auto& there = all_.on_the_way[to];
    // Clocks of cores differ, but messages of one process stay in order.
    const std::uint64_t at = last_[to] = std::max(last_[to], engine_.now() + k_latency_ns);
    there.insert(std::ranges::upper_bound(there, at, {}, &message::at), {rank_, at, {data.begin(), data.end()}});
    engine_.expect(to, at);
  }

  bool sent(unsigned) override {
    pass_time();
    return true;
  }
  void cancel_receives() override {}

  void barrier() override {
    engine_.meet(rank_);
    engine_.charge(2 * k_latency_ns);
  }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    all_.gathered[rank_].assign(mine.begin(), mine.end());
    engine_.meet(rank_);
    for (unsigned p = 0; p < size(); ++p)
      std::memcpy(all.data() + p * mine.size(), all_.gathered[p].data(), mine.size());
    engine_.meet(rank_);  // before anybody writes the next one
    engine_.charge(2 * k_latency_ns);
  }

  double plain_stream(unsigned, unsigned, std::size_t, unsigned) override { return 0; }
  [[noreturn]] void abort(int code) override {
    engine_.aborted(rank_, code);
    __builtin_unreachable();
  }

 private:
  /// Where no core runs, before and after the job, nobody else asks what time it is.
  void pass_time() {
    if (fiber::scheduler::current() == nullptr) machine::simulated()->look();
  }

  switchboard& all_;
  const unsigned rank_;
  clockwork& engine_;
  std::vector<std::uint64_t> last_;  // by destination: when the newest message gets there
  std::array<std::span<std::byte>, k_receive_slots> buffers_;
};

class plain_model final : public model {
 public:
  explicit plain_model(const options& o) : options_(o), network_(o.processes) {}

  std::uint64_t lookahead_ns() const override { return k_latency_ns; }
  std::unique_ptr<fabric::transport> connect(unsigned process, clockwork& engine) override {
    return std::make_unique<plain_transport>(network_, process, engine);
  }
  std::uint64_t cost(unsigned, unsigned, const counters& b, const counters& n, std::uint64_t) override {
    return 5 * (n.switches - b.switches) + 30 * (n.tasks - b.tasks) + 8 * (n.messages - b.messages) +
           60 * (n.packets - b.packets) + (n.bytes - b.bytes) / 16;
  }
  std::uint64_t look_ns() const override { return 20; }
  std::uint64_t wake_ns() const override { return 17'000; }
  std::uint64_t start_ns() const override { return 18'000; }
  std::uint64_t yield_ns() const override { return 500; }
  unsigned choose(unsigned n, const char*) override {
    if (options_.faults == "none" || choices_ >= options_.until) return 0;
    return static_cast<unsigned>(hash64(options_.seed, choices_++) % n);
  }
  void note(happening, unsigned, unsigned, std::uint64_t, std::uint64_t, std::uint64_t) override {}

 private:
  const options options_;
  switchboard network_;
  std::uint64_t choices_ = 0;
};

}  // namespace

std::unique_ptr<model> make_model(const options& o) { return std::make_unique<plain_model>(o); }

}  // namespace gossamer::simulation
