// Ping-pong: pairs of fibers on two cores, each with a tag of its own, that send a message there and back.
// With one pair it is latency; with many, time per message. Wall time, by core 0.

#include "gossamer/message/two_sided.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t k_pair_bytes = 2 * (k_fiber_bytes + 1024);  // fibers, and their places in tables

struct match {
  std::uint64_t pairs, rounds;
  std::size_t bytes;
  settings asked;
  samples ns = {};
  std::atomic<bool> right = true;
};

std::uint64_t& number_in(std::vector<std::byte>& message) {
  return *reinterpret_cast<std::uint64_t*>(message.data());
}

/// Plays one fiber's part of a repetition. Returns false where a message held another number than it should.
bool play(std::vector<std::byte>& message, message_tag tag, std::uint64_t rounds) {
  bool right = true;
  const core_id other = 1 - here();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    if (here() == 0) number_in(message) = tag + i, send(other, tag, message);
    right &= receive(other, tag, message) == message.size() && number_in(message) == tag + i;
    if (here() == 1) send(other, tag, message);
  }
  return right;
}

/// The fibers of one core, which wait for the start of each repetition, and its main fiber, which waits for
/// their end.
class side {
 public:
  explicit side(match& m) : match_(m) {
    waiting_.reserve(m.pairs);
    for (std::uint64_t tag = 0; tag < m.pairs; ++tag)
      fibers_.push_back(start([this, tag] { take_part(tag); }, stacks_for(m.pairs)));
  }
  ~side() {
    for (auto& f : fibers_) f.join();
  }

  double repetition() {
    while (waiting_.size() < match_.pairs) gossamer::yield();
    std::vector<fiber::fiber*> ready;
    ready.reserve(match_.pairs);
    ready.swap(waiting_);
    playing_ = match_.pairs;
    barrier();
    return wall_ns_of([&] {
             for (fiber::fiber* f : ready) this_core().wake(*f);
             this_core().suspend("the end of a repetition");
           }) /
           static_cast<double>(2 * match_.rounds * match_.pairs);
  }

 private:
  void take_part(message_tag tag) {
    std::vector<std::byte> message(match_.bytes);
    for (unsigned r = 0; r <= match_.asked.repeats; ++r) {
      waiting_.push_back(this_core().running());
      this_core().suspend("the start of a repetition");
      if (!play(message, tag, match_.rounds)) match_.right = false;
      if (--playing_ == 0) this_core().wake(*main_);
    }
  }

  match& match_;
  fiber::fiber* const main_ = this_core().running();
  std::vector<fiber::fiber*> waiting_;
  std::vector<joinable<void>> fibers_;
  std::uint64_t playing_ = 0;
};

row play_all(const settings& s, std::string name, std::uint64_t pairs, std::size_t bytes) {
  const std::uint64_t messages = s.pick<std::uint64_t>(bytes > 4096 ? 20'000 : 200'000, 2000);
  const auto m = std::make_unique<match>(pairs, std::max<std::uint64_t>(4, messages / pairs), bytes, s);
  run(fiber_job(2, pairs), [&m] {
    on_all_cores([m = m.get()] {
      side mine(*m);
      const samples ns = repeat(m->asked, [&] { return mine.repetition(); });
      if (here() == 0) m->ns = ns;
    });
  });
  return checked(row_of("pingpong", std::move(name), "ns", m->ns), m->right);
}

void many(const settings& s, const report& out, std::uint64_t pairs, std::size_t bytes,
          std::string_view curve) {
  const std::string name = pingpong_fibers_case(pairs, bytes);
  if (!out.room_for(pairs * k_pair_bytes, "pingpong", name)) return;
  const row r = point(play_all(s, name, pairs, bytes), curve, static_cast<double>(pairs));
  out.add(pairs >= 16 && bytes == 8 ? within(r, 120) : r);
}

}  // namespace

void pingpong(const settings& s, const report& out) {
  const row line = line_transfer(s, "pingpong");
  out.add(line);
  out.add(within_lines(play_all(s, std::string(k_pingpong_case), 1, 8), 0, 5, line.value));
  for (const std::uint64_t bytes : message_sizes(s))
    out.add(point(play_all(s, pingpong_size_case(bytes), 1, bytes), k_pingpong_size_curve,
                  static_cast<double>(bytes)));
  for (const std::uint64_t pairs : pingpong_fibers(s)) many(s, out, pairs, 8, k_pingpong_fibers_curve);
  for (const std::uint64_t pairs : pingpong_fibers(s)) many(s, out, pairs, 64, k_pingpong_fibers64_curve);
}

}  // namespace gossamer::bench
