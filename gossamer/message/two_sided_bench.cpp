// Ping-pong: pairs of fibers on two cores, each with a tag of its own, that send a message there and back.
// With one pair it is latency; with many, time per message. Wall time, by core 0. Started by a launcher, the two cores are
// of two processes; then process 1 reports nothing.

#include "gossamer/message/two_sided.hpp"

#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/memory.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t k_pair_bytes = 2 * (k_fiber_bytes + 1024);  // fibers, and their places in tables

/// What the fibers of both cores do. Trivially copyable: it travels to the other one.
struct plan {
  std::uint64_t pairs, rounds;
  std::size_t bytes;
  std::uint64_t repeats;
};

struct outcome {
  samples ns;
  bool right = true;
};

/// Returns a job of two cores, of one process or two.
job_options two_cores(std::uint64_t pairs) { return fiber_job(of_two_processes() ? 1 : 2, pairs); }

/// Plays one fiber's part of a repetition. Returns false where a message held another number than it should.
bool play(numbered_message& message, message_tag tag, std::uint64_t rounds) {
  bool right = true;
  const core_id other = 1 - here();
  const std::span<std::byte> bytes(message.data(), message.size());
  for (std::uint64_t i = 0; i < rounds; ++i) {
    if (here() == 0) message.set(tag + i), send(other, tag, bytes);
    right &= receive(other, tag, bytes) == message.size() && message.holds(tag + i);
    if (here() == 1) send(other, tag, bytes);
  }
  return right;
}

/// The fibers of one core, which wait for the start of each repetition, and its main fiber, which waits for
/// their end.
class side {
 public:
  explicit side(const plan& what) : plan_(what) {
    waiting_.reserve(what.pairs);
    for (std::uint64_t tag = 0; tag < what.pairs; ++tag)
      fibers_.push_back(start([this, tag] { take_part(tag); }, stacks_for(what.pairs)));
  }
  ~side() {
    for (auto& f : fibers_) f.join();
  }

  double repetition() {
    while (waiting_.size() < plan_.pairs) gossamer::yield();
    std::vector<fiber::fiber*> ready;
    ready.reserve(plan_.pairs);
    ready.swap(waiting_);
    playing_ = plan_.pairs;
    barrier();
    return wall_ns_of([&] {
             for (fiber::fiber* f : ready) this_core().wake(*f);
             this_core().suspend("the end of a repetition");
           }) /
           static_cast<double>(2 * plan_.rounds * plan_.pairs);
  }

  /// Returns whether every message held what it should, after all repetitions.
  bool right() const { return right_; }

 private:
  void take_part(message_tag tag) {
    numbered_message message(plan_.bytes);
    for (std::uint64_t r = 0; r <= plan_.repeats; ++r) {
      waiting_.push_back(this_core().running());
      this_core().suspend("the start of a repetition");
      right_ &= play(message, tag, plan_.rounds);
      if (--playing_ == 0) this_core().wake(*main_);
    }
  }

  const plan plan_;
  fiber::fiber* const main_ = this_core().running();
  std::vector<fiber::fiber*> waiting_;
  std::vector<joinable<void>> fibers_;
  std::uint64_t playing_ = 0;
  bool right_ = true;
};

/// Measures, and adds the row in the process that has core 0.
std::optional<row> play_all(const settings& s, std::string name, std::uint64_t pairs, std::size_t bytes) {
  const std::uint64_t messages = s.pick<std::uint64_t>(bytes > 4096 ? 20'000 : 200'000, 2000);
  constexpr std::uint64_t k_least_rounds =
      16;  // so that the start of a repetition, which wakes every fiber, counts for little
  const plan what{pairs, std::max(s.pick<std::uint64_t>(k_least_rounds, 4), messages / pairs), bytes,
                  s.repeats};
  std::unique_ptr<outcome> measured;
  run(two_cores(pairs), [&] {
    if (cores() != 2)
      throw error(fmt::format("bench pingpong: expected two processes, found {}", processes()));
    measured = std::make_unique<outcome>();
    on_all_cores([what, to = measured.get()] {
      side mine(what);
      settings asked;
      asked.repeats = static_cast<unsigned>(what.repeats);
      samples ns = repeat(asked, [&] { return mine.repetition(); });
      const bool right = all_reduce(static_cast<unsigned char>(mine.right()), std::bit_and<>()) != 0;
      if (here() == 0) *to = {std::move(ns), right};
    });
  });
  if (measured == nullptr) return std::nullopt;
  return checked(row_of("pingpong", placed(std::move(name)), "ns", measured->ns), measured->right);
}

/// Returns whether every process has so much memory; the same in all.
bool fits(std::uint64_t bytes, const report& out, const std::string& name) {
  if (!of_two_processes()) return out.room_for(bytes, "pingpong", name);
  static bool all_have;
  all_have = false;
  run(two_cores(1), [&] {
    on_all_cores([bytes] {
      all_have =
          all_reduce(static_cast<unsigned char>(bytes <= machine::available_memory()), std::bit_and<>()) != 0;
    });
  });
  if (!all_have && machine::speaks_for_job())
    out.skip("pingpong", placed(name), fmt::format("needs {} in each process", format_bytes(bytes)));
  return all_have;
}

/// Returns the nanoseconds that a message of many pairs may take.
double budget_of(std::uint64_t pairs) {
  const double alone = pairs <= 1024 ? 40 : pairs <= 131'072 ? 90 : 120;
  return of_two_processes() ? 1.5 * alone : alone;
}

void many(const settings& s, const report& out, std::uint64_t pairs, std::size_t bytes,
          std::string_view curve) {
  const std::string name = pingpong_fibers_case(pairs, bytes);
  if (!fits(pairs * k_pair_bytes, out, name)) return;
  const auto measured = play_all(s, name, pairs, bytes);
  if (!measured) return;
  const row r = point(*measured, curve, static_cast<double>(pairs));
  out.add(pairs >= 16 && bytes == 8 ? within(r, budget_of(pairs)) : r);
}

}  // namespace

void pingpong(const settings& s, const report& out) {
  std::optional<row> line;
  if (machine::speaks_for_job()) {  // meanwhile another process waits for this one
    line = line_transfer(s, "pingpong");
    out.add(*line);
  }
  constexpr double k_most_lines = 4, k_most_lines_of_processes = 5;
  if (const auto r = play_all(s, std::string(k_pingpong_case), 1, 8))
    out.add(within_lines(*r, 0, of_two_processes() ? k_most_lines_of_processes : k_most_lines, line->value));
  for (const std::uint64_t bytes : message_sizes(s))
    if (const auto r = play_all(s, pingpong_size_case(bytes), 1, bytes))
      out.add(point(*r, k_pingpong_size_curve, static_cast<double>(bytes)));
  for (const std::uint64_t bytes : paper_sizes(s)) {
    const auto measured = play_all(s, pingpong_fibers_case(k_paper_pairs, bytes), k_paper_pairs, bytes);
    if (measured) out.add(point(*measured, k_paper_pairs_curve, static_cast<double>(bytes)));
  }
  for (const std::uint64_t pairs : pingpong_fibers(s)) many(s, out, pairs, 8, k_pingpong_fibers_curve);
  for (const std::uint64_t pairs : pingpong_fibers(s)) many(s, out, pairs, 64, k_pingpong_fibers64_curve);
}

}  // namespace gossamer::bench
