// Messages of MPI (gossamer/mpi.h) by its rules: of two messages that one fiber sends to one rank in one communicator, and that a
// receive takes both, the first is received first, whatever their tags and sizes (MPI 4.1, 3.5: messages do not overtake). Receives
// leave source or tag open as they like; some messages are probed for. What was received by which receive is a history, which is
// looked at when the job has ended.
//
// A receiver posts a receive only where more messages are left for it than open receives could take of them: then no order of
// arrivals leaves one without a message.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/mpi/internal/engine.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/remote.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

constexpr unsigned k_communicators = 2;
constexpr std::size_t k_most_words = 1500;

/// What one fiber sends to one rank.
struct stream {
  int from, to;
  std::uint32_t context;
  std::vector<int> tags;  // by message
  std::vector<std::size_t> words;
  std::vector<std::int64_t>
      taken_by;  // receives of that rank and communicator, in the order in which they were posted
};

struct {
  std::uint64_t key = 0;
  std::vector<stream> streams;
  std::vector<std::vector<mpi::envelope>> receives;  // by rank and communicator
  std::vector<std::unique_ptr<mpi::engine>> engines;  // by rank
} all;

std::uint32_t context_of(unsigned communicator) { return 2 * communicator; }

std::uint64_t word_of(std::size_t of, std::size_t number, std::size_t i) {
  return i == 0 ? std::uint64_t{of} << 32 | number : hash64(all.key + of, number * k_most_words + i);
}

/// Sends a stream, all of it open at once: no message waits for the receive of an earlier one.
void send_stream(mpi::engine& e, std::size_t of) {
  const stream& s = all.streams[of];
  struct sent {
    std::vector<std::uint64_t> data;
    mpi::operation op;
  };
  draws d(hash64(all.key, 100 + of));
  const bool in_haste = d.one_in(2);
  std::deque<sent> open;
  for (std::size_t i = 0; i < s.tags.size(); ++i) {
    sent& m = open.emplace_back();
    m.data.resize(s.words[i]);
    for (std::size_t w = 0; w < m.data.size(); ++w) m.data[w] = word_of(of, i, w);
    e.send(m.op, "send", s.context, s.to, s.tags[i], std::as_bytes(std::span(m.data)));
    if (!in_haste) dawdle(d);
  }
  for (sent& m : open) e.wait(m.op);
}

class receiver {
 public:
  receiver(mpi::engine& e, unsigned communicator)
      : e_(e),
        context_(context_of(communicator)),
        receives_(all.receives[static_cast<std::size_t>(e.rank()) * k_communicators + communicator]),
        d_(hash64(all.key, 7000 + static_cast<unsigned>(e.rank()) * k_communicators + communicator)) {
    for (const stream& s : all.streams)
      if (s.to == e.rank() && s.context == context_)
        for (const int tag : s.tags) ++left_[{s.from, tag}];
  }

  void run() {
    const unsigned window = 1 + d_.below(6);
    while (!left_.empty()) {
      if (open_.size() < window && !d_.one_in(3)) {
        const mpi::envelope what = drawn();
        if (messages_for(what) > rivals_of(what)) {
          post(what);
          dawdle(d_);
          continue;
        }
      }
      if (!open_.empty())
        finish(d_.below(open_.size()));
      else if (d_.one_in(3))
        probe();
      else
        post(drawn());
    }
  }

 private:
  struct receive {
    std::vector<std::uint64_t> buffer = std::vector<std::uint64_t>(k_most_words);
    std::size_t number = 0;  // of the receive
    mpi::operation op;
  };

  /// Draws what a receive for one of the messages that are left may ask for.
  mpi::envelope drawn() {
    auto at = left_.begin();
    std::advance(at, d_.below(left_.size()));
    mpi::envelope what{context_, at->first.first, at->first.second};
    if (d_.one_in(3)) what.source = mpi::k_open;
    if (d_.one_in(3)) what.tag = mpi::k_open;
    return what;
  }
  unsigned messages_for(const mpi::envelope& what) const {
    unsigned n = 0;
    for (const auto& [key, count] : left_)
      if (what.takes({context_, key.first, key.second})) n += count;
    return n;
  }
  /// Counts the open receives that may take a message that `what` takes.
  unsigned rivals_of(const mpi::envelope& what) const {
    const auto meet = [](std::int32_t a, std::int32_t b) {
      return a == b || a == mpi::k_open || b == mpi::k_open;
    };
    return static_cast<unsigned>(std::ranges::count_if(open_, [&](const auto& r) {
      return meet(r->op.what.source, what.source) && meet(r->op.what.tag, what.tag);
    }));
  }
  void post(const mpi::envelope& what) {
    auto& r = *open_.emplace_back(std::make_unique<receive>());
    r.number = receives_.size();
    receives_.push_back(what);
    e_.receive(r.op, "receive", context_, what.source, what.tag, std::as_writable_bytes(std::span(r.buffer)));
  }
  void finish(std::size_t which) {
    receive& r = *open_[which];
    if (d_.one_in(3))
      while (!e_.test(r.op)) dawdle(d_);
    else
      e_.wait(r.op);
    take(r);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
  }
  /// Probes for a message, and receives it. While no receive is open, which would take it.
  void probe() {
    const mpi::envelope what = drawn();
    const mpi::message_kept* found = nullptr;
    if (d_.one_in(2))
      found = &e_.probe("probe", what);
    else
      while ((found = e_.look(what)) == nullptr) dawdle(d_);
    const mpi::envelope probed = found->what;
    const std::size_t bytes = found->bytes;
    complain_unless(what.takes(probed), "mpi: a probe has found a message that it does not ask for");
    post(probed);
    receive& r = *open_.back();
    e_.wait(r.op);
    complain_unless(r.op.got == bytes, "mpi: a message of {} bytes was probed for, and {} were received",
                    bytes, r.op.got);
    take(r);
    open_.pop_back();
  }
  /// Notes which message has come.
  void take(const receive& r) {
    const std::size_t of = r.buffer[0] >> 32, number = r.buffer[0] & 0xffffffff;
    if (of >= all.streams.size() || number >= all.streams[of].tags.size())
      return complain(fmt::format("mpi: rank {} has received what nobody sent", e_.rank()));
    stream& s = all.streams[of];
    const mpi::envelope is{s.context, s.from, s.tags[number]};
    complain_unless(s.to == e_.rank() && is == r.op.met && receives_[r.number].takes(is),
                    "mpi: receive {} of rank {} has taken message {} of stream {}, which is another's",
                    r.number, e_.rank(), number, of);
    bool right = r.op.got == 8 * s.words[number];
    for (std::size_t i = 0; right && i < s.words[number]; ++i) right = r.buffer[i] == word_of(of, number, i);
    complain_unless(right, "mpi: message {} of stream {} has changed", number, of);
    complain_unless(s.taken_by[number] < 0, "mpi: message {} of stream {} came twice", number, of);
    s.taken_by[number] = static_cast<std::int64_t>(r.number);
    const auto at = left_.find({s.from, s.tags[number]});
    if (at != left_.end() && --at->second == 0) left_.erase(at);
  }

  mpi::engine& e_;
  const std::uint32_t context_;
  std::vector<mpi::envelope>& receives_;
  draws d_;
  std::map<std::pair<int, int>, unsigned>
      left_;  // messages by source and tag that are not known to have come
  std::vector<std::unique_ptr<receive>> open_;
};

int rank_program(int, char**, char**) {
  mpi::engine& e = *mpi::engine::of_process();
  std::vector<joinable<void>> fibers;
  for (std::size_t of = 0; of < all.streams.size(); ++of)
    if (all.streams[of].from == e.rank()) fibers.push_back(start([&e, of] { send_stream(e, of); }));
  for (unsigned c = 0; c < k_communicators; ++c) fibers.push_back(start([&e, c] { receiver(e, c).run(); }));
  for (auto& f : fibers) f.join();
  return 0;
}

stream drawn_stream(draws& d) {
  constexpr std::size_t k_sizes[] = {1, 1, 1, 2, 9, 29, 30, 60, 120, 400, k_most_words};
  stream s{static_cast<int>(d.below(processes())),
           static_cast<int>(d.below(processes())),
           context_of(d.below(k_communicators)),
           {},
           {},
           {}};
  const unsigned tags = 1 + d.below(4), messages = 1 + d.below(12);
  for (unsigned i = 0; i < messages; ++i) {
    s.tags.push_back(static_cast<int>(d.below(tags)));
    s.words.push_back(d.of(k_sizes));
  }
  s.taken_by.assign(messages, -1);
  return s;
}

void run(draws& d) {
  all = {};
  all.key = d.next();
  for (unsigned n = 1 + d.below(3 * processes()); n > 0; --n) all.streams.push_back(drawn_stream(d));
  all.receives.resize(std::size_t{processes()} * k_communicators);
  all.engines.resize(processes());
  on_all_processes(
      [] { all.engines[process()] = std::make_unique<mpi::engine>(0, nullptr, nullptr, &rank_program); });
  on_all_processes([] { mpi::engine::of_process()->run_program(); });
}

void check() {
  for (std::size_t of = 0; of < all.streams.size(); ++of) {
    const stream& s = all.streams[of];
    const auto& receives = all.receives[static_cast<std::size_t>(s.to) * k_communicators + s.context / 2];
    for (std::size_t later = 0; later < s.tags.size(); ++later) {
      complain_unless(s.taken_by[later] >= 0, "mpi: message {} of stream {} was not received", later, of);
      if (s.taken_by[later] < 0) return;
      const mpi::envelope& asked = receives[static_cast<std::size_t>(s.taken_by[later])];
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        complain_unless(
            !asked.takes({s.context, s.from, s.tags[earlier]}) || s.taken_by[earlier] < s.taken_by[later],
            "mpi: message {} of stream {}, from rank {} to {}, has overtaken message {}", later, of, s.from,
            s.to, earlier);
    }
  }
}

void prepare(job_options& o, draws& d) {
  constexpr shape k_shapes[] = {{1, 1}, {2, 1}, {2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 2}};
  give(o, d.of(k_shapes));
  if (d.one_in(2)) o.packet_bytes = 2048, o.wire_packet_bytes = 4096;
  if (d.one_in(4)) o.wire_packets = 4;
}

}  // namespace

const protocol mpi_messages{"mpi", &prepare, &run, &check};

}  // namespace gossamer::test
