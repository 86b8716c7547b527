#include "gossamer/simulation/internal/simulated_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::simulation {

// ---- the network ----

fabric_model::fabric_model(const network& n, unsigned processes, std::optional<options::loss> lose,
                           message_listener* listener)
    : net_(n), processes_(processes), lose_(lose), listener_(listener), adapters_(processes) {}

fabric_model::~fabric_model() = default;

bool fabric_model::later(const message& a, const message& b) {
  return a.arrives != b.arrives ? a.arrives > b.arrives : a.number > b.number;
}

bool fabric_model::lost(unsigned process, std::uint64_t t) const {
  return lose_ && lose_->process == process && t >= lose_->at_ns;
}

fabric_model::sending fabric_model::send(unsigned from, unsigned to, std::span<const std::byte> data,
                                         std::uint64_t t, std::uint64_t delay) {
  const std::uint64_t bytes = data.size(), whole = time_of(bytes, net_.byte_ps());
  const bool asks = net_.rendezvous_bytes != 0 && bytes > net_.rendezvous_bytes;
  const std::uint64_t leaves = leaves_at(from, to, bytes, t, asks ? rendezvous_time() : 0);
  way& w = adapters_[from].ways[to];
  const std::uint64_t arrives = std::max(leaves + net_.latency_ns + whole + delay, w.last_arrival);
  w.last_arrival = arrives;
  if (!lost(from, t) && !lost(to, arrives)) {
    if (listener_ != nullptr) listener_->sent(from, to, data.size(), leaves, arrives);
    put(from, to, data, arrives);
  }
  return {leaves + whole, std::max(arrives, adapters_[to].in_free + adapter_time(bytes))};
}

std::uint64_t fabric_model::leaves_at(unsigned from, unsigned to, std::uint64_t bytes, std::uint64_t t,
                                      std::uint64_t waits) {
  adapter& out = adapters_[from];
  if (out.ways.empty()) out.ways.resize(processes_);
  way& w = out.ways[to];
  const std::uint64_t begins = std::max(t, out.out_free);
  const std::uint64_t leaves = std::max({begins, t + waits, w.free});
  out.out_free = waits == 0 ? leaves + adapter_time(bytes) : begins + adapter_time(bytes);
  w.free = leaves + time_of(bytes, net_.link_byte_ps);
  return leaves;
}

/// Returns how long the two sides take to agree on a transfer.
std::uint64_t fabric_model::rendezvous_time() const {
  return 2 * net_.latency_ns + net_.send_ns + net_.receive_ns;
}

void fabric_model::schedule(const move_name& name, move& m) {
  const auto [from, to, tag] = name;
  if (m.data.size() != m.into.size())
    throw error(fmt::format("transport: a move of {} bytes came from process {} for a place of {}",
                            m.data.size(), from, m.into.size()));
  const std::uint64_t bytes = m.data.size();
  m.left = leaves_at(from, to, bytes, m.latest, rendezvous_time()) + time_of(bytes, net_.byte_ps());
}

std::uint64_t fabric_model::depart(const move_name& name, move& m, std::uint64_t t, std::uint64_t delay) {
  const auto [from, to, tag] = name;
  m.bytes.assign(m.data.begin(), m.data.end());
  const std::uint64_t arrives = t + net_.send_ns + net_.latency_ns + delay;
  if (lost(from, t) || lost(to, arrives)) return k_never;
  add(to, {arrives, sent_++, from, m.bytes.size(), {}, true, tag});
  if (listener_ != nullptr) listener_->sent(from, to, m.bytes.size(), t, arrives);
  return std::max(arrives, adapters_[to].in_free + adapter_time(m.bytes.size()));
}

std::uint64_t fabric_model::adapter_time(std::uint64_t bytes) const {
  return std::max(net_.gap_ns, time_of(bytes, net_.process_byte_ps));
}

void fabric_model::put(unsigned from, unsigned to, std::span<const std::byte> data, std::uint64_t arrives) {
  std::vector<std::byte> copy;
  if (!buffers_.empty()) {
    copy = std::move(buffers_.back());
    buffers_.pop_back();
  }
  copy.assign(data.begin(), data.end());
  add(to, {arrives, sent_++, from, data.size(), std::move(copy)});
}

void fabric_model::add(unsigned to, message m) {
  auto& coming = adapters_[to].coming;
  coming.push_back(std::move(m));
  std::push_heap(coming.begin(), coming.end(), later);
}

void fabric_model::admit(unsigned process, std::uint64_t t) {
  adapter& in = adapters_[process];
  while (!in.coming.empty() && in.coming.front().arrives <= t) {  // all arrivals until then are known
    std::pop_heap(in.coming.begin(), in.coming.end(), later);
    message& m = in.coming.back();
    m.arrives = std::max(m.arrives, in.in_free + adapter_time(m.size));
    in.in_free = m.arrives;
    if (!m.is_move)
      in.come.push_back(std::move(m));
    else if (const auto at = moves_.find({m.from, process, m.tag}); at != moves_.end())  // not cancelled
      at->second.arrives = m.arrives;
    in.coming.pop_back();
  }
}

std::optional<fabric_model::message> fabric_model::take(unsigned process, std::uint64_t t,
                                                        std::uint64_t& again) {
  admit(process, t);
  adapter& in = adapters_[process];
  again = 0;
  if (in.come.empty()) return {};
  if (in.come.front().arrives > t) {
    again = in.come.front().arrives;
    return {};
  }
  message m = std::move(in.come.front());
  in.come.pop_front();
  return m;
}

void fabric_model::recycle(std::vector<std::byte>&& buffer) {
  constexpr std::size_t k_kept = 1024;
  if (buffers_.size() < k_kept) buffers_.push_back(std::move(buffer));
}

// ---- one process's end ----

class simulated_transport final : public fabric::transport {
 public:
  simulated_transport(fabric_model& all, unsigned process, engine_interface& engine)
      : all_(all), net_(all.net_), process_(process), engine_(engine) {}

  unsigned rank() const override { return process_; }
  unsigned size() const override { return all_.processes_; }
  std::string description() const override { return fmt::format("simulated network {}", net_.name); }

  void receive(unsigned slot, std::span<std::byte> buffer) override {
    GOSSAMER_ASSERT(slot < k_receive_slots && !receives_[slot].started, "a slot holds one buffer at a time");
    receives_[slot] = {buffer, true, {}};
    started_.push_back(slot);
  }

  std::optional<arrival> received(unsigned slot) override {
    GOSSAMER_ASSERT(slot < k_receive_slots && receives_[slot].started, "nothing was started in that slot");
    posted& p = receives_[slot];
    const bool taken = engine_.choose(k_taken, "lock") == 1;  // as if another core held the lock
    if (!taken) fill_slots();
    if (taken || !p.filled) {
      refuse_without_the_lost();
      engine_.charge(net_.poll_ns);
      others_may_go();
      return {};
    }
    const arrival a = *p.filled;
    p = {};
    engine_.charge(net_.receive_ns + time_of(a.bytes, net_.receive_byte_ps));
    return a;
  }

  void send(unsigned slot, unsigned to, std::span<const std::byte> data) override {
    GOSSAMER_ASSERT(slot < k_send_slots && to < size() && to != process_);
    GOSSAMER_ASSERT(!sending_[slot], "a slot sends one message at a time");
    sending_[slot] = true;
    engine_.charge(net_.send_ns + time_of(data.size(), net_.send_byte_ps));
    const std::uint64_t delay = extra_delay();
    const auto s = all_.send(process_, to, data, engine_.now(), delay);
    free_at_[slot] = s.free;
    engine_.expect(to, s.found);
  }

  bool sent(unsigned slot) override {
    GOSSAMER_ASSERT(slot < k_send_slots);
    if (engine_.now() >= free_at_[slot]) {
      sending_[slot] = false;
      return true;
    }
    if (free_at_[slot] > awaited_) {  // a context that spins here sees that it has left
      awaited_ = free_at_[slot];
      engine_.expect(process_, awaited_);
    }
    engine_.charge(net_.poll_ns);
    others_may_go();
    return false;
  }

  void cancel_receives() override {
    GOSSAMER_ASSERT(sending_.none(), "a job ends with a send that was not seen to leave: its slot is lost");
    for (posted& p : receives_) p = {};
    started_.clear();
  }

  unsigned bulk_tags() const override { return k_bulk_tags; }

  void bulk_send(unsigned slot, unsigned to, unsigned tag, std::span<const std::byte> data) override {
    engine_.charge(net_.send_ns + time_of(data.size(), net_.send_byte_ps));
    begin(slot, {process_, to, tag}).data = data;
    both_begun(slot);
  }

  void bulk_receive(unsigned slot, unsigned from, unsigned tag, std::span<std::byte> into) override {
    engine_.charge(net_.receive_ns);
    begin(slot, {from, process_, tag}).into = into;
    both_begun(slot);
  }

  void bulk_cancel(unsigned slot, bool /*sends*/) override {
    all_.moves_.erase(moving_.at(slot));
    moving_.erase(slot);
  }

  bool bulk_over(unsigned slot) override {
    const fabric_model::move_name name = moving_.at(slot);
    const bool sends = std::get<0>(name) == process_;
    fabric_model::move& m = all_.moves_.at(name);
    if (!sends) all_.admit(process_, engine_.now());
    const std::uint64_t over = m.begun < 2 ? fabric_model::k_never : sends ? m.left : m.arrives;
    if (engine_.choose(k_taken, "lock") == 1 || engine_.now() < over) {
      if (!sends && over != fabric_model::k_never && !std::exchange(m.is_announced, true))
        engine_.expect(process_, over);  // the adapter is busy until then
      refuse_without_the_lost();
      engine_.charge(net_.poll_ns);
      others_may_go();
      return false;
    }
    moving_.erase(slot);
    if (sends) {
      const unsigned to = std::get<1>(name);
      const std::uint64_t delay = extra_delay();
      const std::uint64_t arrives = all_.depart(name, m, engine_.now(), delay);
      if (arrives != fabric_model::k_never) engine_.expect(to, arrives);
      return true;
    }
    std::ranges::copy(m.bytes, m.into.begin());
    engine_.charge(time_of(m.into.size(), net_.receive_byte_ps));
    all_.moves_.erase(name);
    return true;
  }

  void barrier() override { meet(0); }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    GOSSAMER_ASSERT(all.size() == mine.size() * size());
    auto& shared = all_.gatherings_[gathered_++ % 2];
    shared.resize(all.size());
    if (!mine.empty()) std::memcpy(shared.data() + process_ * mine.size(), mine.data(), mine.size());
    meet(all.size());
    if (!all.empty()) std::memcpy(all.data(), shared.data(), all.size());
  }

  double plain_stream(unsigned from, unsigned to, std::size_t bytes, unsigned count) override {
    const std::uint64_t one = std::max({net_.gap_ns, time_of(bytes, net_.byte_ps()),
                                        net_.send_ns + time_of(bytes, net_.send_byte_ps),
                                        net_.receive_ns + time_of(bytes, net_.receive_byte_ps)});
    const std::uint64_t whole = net_.latency_ns + one * count;
    if (process_ == from || process_ == to) engine_.charge(whole);
    return static_cast<double>(whole) * 1e-9;
  }

  [[noreturn]] void abort(int code) override {
    engine_.aborted(process_, code);
    std::abort();  // gcc 12 does not believe a virtual function that it never returns
  }

 private:
  static constexpr unsigned k_taken = 8;  // one poll in so many
  static constexpr unsigned k_bulk_tags = 1 << 15;

  struct posted {
    std::span<std::byte> buffer;
    bool started = false;
    std::optional<arrival> filled;
  };

  /// Arrivals are assigned to slots in the order in which these were started.
  void fill_slots() {
    const std::uint64_t now = engine_.now();
    while (!started_.empty()) {
      std::uint64_t again = 0;
      auto m = all_.take(process_, now, again);
      if (!m && again > announced_) {
        announced_ = again;
        engine_.expect(process_, again);
      }
      if (!m) return;
      posted& p = receives_[started_.front()];
      started_.pop_front();
      if (m->bytes.size() > p.buffer.size())
        throw error(fmt::format("transport: a message of {} bytes came from process {} for a buffer of {}",
                                m->bytes.size(), m->from, p.buffer.size()));
      std::copy(m->bytes.begin(), m->bytes.end(), p.buffer.begin());
      p.filled = arrival{m->from, m->bytes.size()};
      all_.recycle(std::move(m->bytes));
    }
  }

  /// Names a move that begins in a slot.
  fabric_model::move& begin(unsigned slot, const fabric_model::move_name& name) {
    GOSSAMER_ASSERT(moving_.emplace(slot, name).second, "a slot holds one move at a time");
    return all_.moves_[name];
  }

  /// Makes a move leave as soon as both sides have begun it.
  void both_begun(unsigned slot) {
    const fabric_model::move_name& name = moving_.at(slot);
    fabric_model::move& m = all_.moves_.at(name);
    m.latest = std::max(m.latest, engine_.now());
    GOSSAMER_ASSERT(m.begun < 2, "a tag names one move at a time");
    if (++m.begun < 2) return;
    all_.schedule(name, m);
    const unsigned from = std::get<0>(name);
    engine_.expect(from, std::max(m.left, engine_.now() + net_.send_ns + net_.latency_ns));
  }

  void refuse_without_the_lost() const {
    if (all_.lose_ && all_.lose_->process != process_ && engine_.now() >= all_.lose_->at_ns + net_.detect_ns)
      throw error(fmt::format("process {} was lost", all_.lose_->process));
  }

  /// Loops outside of cores (the end of a job) wait here for other processes.
  static void others_may_go() {
    if (fiber::scheduler::current() != nullptr) return;
    if (auto* const s = machine::simulated()) s->look();
  }

  /// Mostly none; else up to 16 latencies, few of them long.
  std::uint64_t extra_delay() {
    constexpr unsigned k_kinds = 8, k_steps = 64;
    const unsigned kind = engine_.choose(k_kinds, "delay");
    if (kind < k_kinds / 2) return 0;
    const std::uint64_t step = engine_.choose(k_steps, "delay");
    const std::uint64_t most = net_.latency_ns << (kind - k_kinds / 2 + 1);
    return most * step / k_steps;
  }

  /// The cost of messages along a tree: one after another for each doubling of the processes.
  void meet(std::uint64_t bytes) {
    refuse_without_the_lost();
    engine_.meet(process_);
    const auto steps = static_cast<unsigned>(std::bit_width(size() - 1));
    engine_.charge(steps * (net_.latency_ns + net_.send_ns + net_.receive_ns) +
                   time_of(bytes, net_.byte_ps() + net_.receive_byte_ps));
  }

  fabric_model& all_;
  const network& net_;
  unsigned process_;
  engine_interface& engine_;
  std::array<posted, k_receive_slots> receives_{};
  std::deque<unsigned> started_;
  std::array<std::uint64_t, k_send_slots> free_at_{};
  std::bitset<k_send_slots> sending_;
  std::map<unsigned, fabric_model::move_name> moving_;  // by slot
  unsigned gathered_ = 0;
  std::uint64_t awaited_ = 0;  // when a send will be over
  std::uint64_t announced_ = 0;  // when the adapter will have received its message
};

std::unique_ptr<fabric::transport> fabric_model::connect(unsigned process, engine_interface& engine) {
  return std::make_unique<simulated_transport>(*this, process, engine);
}

}  // namespace gossamer::simulation
