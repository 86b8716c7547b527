#include "gossamer/parallel/internal/world.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/registry.hpp"
#include "gossamer/parallel/internal/job_memory.hpp"

namespace gossamer::parallel {

namespace {

struct introduction {
  std::uint64_t program, options;
  std::uint32_t cores, wanted, processors, sharing, neighbours;
  std::uint64_t memory;  // available bytes
};

std::uint64_t mix(std::uint64_t digest, std::uint64_t value) {
  return (digest ^ value) * 0x100000001b3 + (digest >> 29);
}

std::uint64_t digest_of(const job_options& o) {
  std::uint64_t d = 0xcbf29ce484222325;
  for (const std::uint64_t v :
       {o.seed, std::uint64_t{o.packet_bytes}, std::uint64_t{o.wire_packet_bytes},
        std::uint64_t{o.unexpected}, std::uint64_t{o.unexpected_bytes}, std::uint64_t{o.aggregate},
        std::uint64_t{o.wire_packets}, std::uint64_t{o.bulk_bytes}, std::uint64_t(o.barrier),
        std::uint64_t(o.routes), std::uint64_t(o.combining)})
    d = mix(d, v);
  return d;
}

/// Returns the memory that this process may still take, or the largest number if so few bytes need no check.
/// Simulated processes are checked all together.
std::uint64_t memory_left(std::uint64_t bytes) {
  if (machine::simulated() != nullptr || !is_worth_asking(bytes)) return ~std::uint64_t{0};
  return machine::available_memory();
}

/// Returns the maximum size of the lanes from a process, if a node has so many processes.
std::uint64_t lanes_of_process(unsigned processes, unsigned cores, const job_options& options) {
  return fabric::node_lanes::bytes_of_process(processes, cores, options.packet_bytes);
}

// Joins the reports of at most 16 processes. Processes in which something waits come first; the others report
// only their wires.
std::string of_all_processes(std::vector<std::string> reports) {
  constexpr std::size_t k_shown = 16;
  std::erase_if(reports, [](const std::string& r) { return r.empty(); });
  std::ranges::stable_partition(reports,
                                [](const std::string& r) { return !r.starts_with("; wire of process "); });
  std::string all;
  for (std::size_t i = 0; i < std::min(reports.size(), k_shown); ++i) all += reports[i];
  if (reports.size() > k_shown) all += fmt::format("; and {} more processes", reports.size() - k_shown);
  return all;
}

}  // namespace

agreement agree(fabric::transport& t, const job_options& options, unsigned usable, unsigned local_processes) {
  const unsigned share = std::max(1U, usable / std::max(1U, local_processes));
  const job_memory memory = memory_of(options, t.size());
  const std::uint32_t job = t.begin_job();
  const unsigned neighbours = fabric::node_lanes::neighbours(fabric::neighbours());
  const unsigned wanted = options.cores != 0 ? options.cores : share;
  const introduction mine{
      message::registry_digest(),
      digest_of(options),
      wanted,
      options.cores,
      std::max(1U, usable),
      std::max(1U, local_processes),
      neighbours,
      memory_left(memory.at_start(wanted) + lanes_of_process(neighbours, wanted, options))};
  std::vector<introduction> all(t.size());
  t.all_gather(std::as_bytes(std::span<const introduction, 1>(&mine, 1)),
               std::as_writable_bytes(std::span<introduction>(all)));
  agreement a{mine.cores, 1, job, false};
  std::uint64_t least_memory = ~std::uint64_t{0};
  unsigned most_neighbours = 1;  // of any node
  const auto name = [](unsigned p) { return fabric::process_name(p); };
  for (unsigned p = 0; p < t.size(); ++p) {
    const introduction& other = all[p];
    if (other.program != all[0].program)
      throw error(
          fmt::format("{} runs another program than process 0: start the same file everywhere", name(p)));
    if (other.options != all[0].options)
      throw error(fmt::format("{} was given other options than process 0: they must be the same", name(p)));
    if (other.wanted != all[0].wanted)
      throw error(fmt::format("{} was given {} cores, process 0 {}: they must be the same", name(p),
                              other.wanted, all[0].wanted));
    a.cores = std::min(a.cores, other.cores);
    least_memory = std::min(least_memory, other.memory);
    most_neighbours = std::max(most_neighbours, other.neighbours);
  }
  for (const introduction& other : all)
    a.cores_per_processor =
        std::max(a.cores_per_processor, divide_up(a.cores * other.sharing, other.processors));
  // Lanes may take a part of the memory, which the processes of a node share. Without them neighbours
  // exchange packets over the transport.
  constexpr unsigned k_part_for_lanes = 8;
  const std::uint64_t lanes = lanes_of_process(most_neighbours, a.cores, options);
  a.lanes = lanes != 0 && lanes <= least_memory / k_part_for_lanes;
  const std::uint64_t needed = memory.at_start(a.cores) + (a.lanes ? lanes : 0);
  for (unsigned p = 0; p < t.size(); ++p)  // all compute the same result
    if (needed > all[p].memory)
      throw error(fmt::format("a process of {} core{} needs {}, {} available to {}", a.cores,
                              a.cores == 1 ? "" : "s", format_bytes(needed), format_bytes(all[p].memory),
                              name(p)));
  return a;
}

world::world(fabric::transport& t, message::process_context& shared, const job_options& options,
             const agreement& agreed)
    : transport_(t),
      host_(shared),
      wire_(t, shared.lanes, host_,
            {options.wire_packet_bytes, options.wire_packets, options.routes, options.aggregate}, agreed.job),
      node_lanes_(agreed.lanes ? fabric::node_lanes::make(fabric::neighbours(), t.rank(), shared.cores(),
                                                          options.packet_bytes)
                               : nullptr) {
  host_.on_note = [this](unsigned from, std::span<const std::byte> text) { take_note(from, text); };
}

void world::send_message(unsigned to, message_kind kind, std::span<const std::byte> what) {
  std::vector<std::byte> note(1 + what.size());
  note[0] = static_cast<std::byte>(kind);
  if (!what.empty()) std::memcpy(&note[1], what.data(), what.size());
  wire_.send_note(to, note);
}

void world::stop_others(std::string_view failure) {
  const std::string text = abridged(failure, wire_.most_note_bytes() - 1);  // behind the kind
  for (unsigned p = 1; p < transport_.size(); ++p)
    send_message(p, message_kind::stop, std::as_bytes(std::span(text)));
}

void world::begin_watch(std::uint32_t timeout_s) {
  constexpr std::uint64_t k_second_ns = 1'000'000'000;
  constexpr unsigned k_heartbeats = 4;  // within the time-out
  if (timeout_s == 0) return;
  heartbeat_.emplace("gossamer-heart", timeout_s * k_second_ns / k_heartbeats, [this](machine::ticker&) {
    try {
      if (wire_.heartbeat() > k_heartbeats) calls_.silent(wire_.watched());
    } catch (const std::exception& e) {
      calls_.failed(e.what());
    }
  });
}

void world::close() {
  end_watch();
  wire_.close();
}

// --- stalls -------------------------------------------------------------------------------------

world::wave_answer world::answer_to(std::uint64_t wave) {
  wave_answer a{wave, wire_.sent(), wire_.received(), false};
  if (node_lanes_ != nullptr) {
    a.sent += node_lanes_->sent();
    a.received += node_lanes_->received();
  }
  wire_.return_credits();  // a fiber that waits for them continues, and then this was no stall
  a.quiet = calls_.quiet();  // last: a received packet has incremented the wake epoch
  return a;
}

void world::all_asleep() {
  if (to_describe_.exchange(false, std::memory_order_relaxed)) {
    const std::string text = calls_.describe_stall();
    send_message(0, message_kind::description, std::as_bytes(std::span(text)));
  }
  if (!leads()) return;
  std::unique_lock hold(lock_);
  if (!reports_.empty() && reports_due_ == 0) {
    std::string all = of_all_processes(std::exchange(reports_, {}));
    hold.unlock();
    return calls_.stalled(std::move(all));
  }
  if (answers_due_ != 0 || reports_due_ != 0 || ++paused_ < pause_) return;
  paused_ = 0;
  pause_ = std::min(2 * pause_, 256U);
  begin_wave(std::move(hold));
}

/// Starts a wave. Releases the lock before it sends anything.
void world::begin_wave(std::unique_lock<std::mutex> hold) {
  ++wave_;
  const wave_answer mine = answer_to(wave_);
  sent_ = mine.sent;
  received_ = mine.received;
  all_quiet_ = mine.quiet;
  answers_due_ = transport_.size() - 1;
  const std::uint64_t wave = wave_;
  hold.unlock();
  for (unsigned p = 1; p < transport_.size(); ++p)
    send_message(p, message_kind::ask, std::as_bytes(std::span<const std::uint64_t, 1>(&wave, 1)));
}

void world::take_answer(const wave_answer& a) {
  std::unique_lock hold(lock_);
  sent_ += a.sent;
  received_ += a.received;
  all_quiet_ &= a.quiet;
  if (--answers_due_ != 0) return;
  const bool over = all_quiet_ && sent_ == received_ && calls_.quiet();
  if (!over) {
    sent_before_ = ~std::uint64_t{0};
    return;
  }
  if (std::exchange(sent_before_, sent_) != sent_) {  // another wave, at once
    begin_wave(std::move(hold));
    return;
  }
  reports_.assign(transport_.size(), "");
  reports_due_ = transport_.size() - 1;
  hold.unlock();
  for (unsigned p = 1; p < transport_.size(); ++p) send_message(p, message_kind::describe);
}

void world::take_note(unsigned from, std::span<const std::byte> text) {
  const auto kind = static_cast<message_kind>(text[0]);
  const auto what = text.subspan(1);
  switch (kind) {
    case message_kind::stop:
      return calls_.stop({reinterpret_cast<const char*>(what.data()), what.size()});
    case message_kind::ask: {
      std::uint64_t wave = 0;
      std::memcpy(&wave, what.data(), sizeof wave);
      const wave_answer a = answer_to(wave);
      return send_message(from, message_kind::answer, std::as_bytes(std::span<const wave_answer, 1>(&a, 1)));
    }
    case message_kind::answer: {
      wave_answer a{};
      std::memcpy(&a, what.data(), sizeof a);
      return take_answer(a);
    }
    case message_kind::describe:
      to_describe_.store(true, std::memory_order_relaxed);
      return;
    case message_kind::description: {
      const std::lock_guard hold(lock_);
      reports_[from].assign(reinterpret_cast<const char*>(what.data()), what.size());
      --reports_due_;  // the next all_asleep() has all reports
      return;
    }
  }
}

}  // namespace gossamer::parallel
