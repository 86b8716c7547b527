// Transfers: what was put with a notification is there when the notification has been counted; what was put
// and waited for, by put(), fence() or a completion, is what any core gets that is told of it afterwards. All
// cores at once, between processes and inside, small transfers and such as go in pieces, contiguous and
// strided.
#include <cstdint>
#include <vector>

#include "gossamer/memory/transfer.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

struct box {
  notification come;  // words of all cores
  notification told;  // that a word was put somewhere
};

struct plan {
  std::uint64_t key;
  std::uint64_t words;  // from each core to each
  unsigned rounds;
  array<std::uint64_t> words_of;  // by receiver, parity of the round, sender
  array<std::uint64_t> told_of;  // by owner and sender
  array<std::uint64_t> count;
  per_core<box> boxes;

  std::uint64_t place(core_id to, unsigned round, core_id from) const {
    return ((std::uint64_t{to} * 2 + round % 2) * cores() + from) * words;
  }
  std::uint64_t value(unsigned round, core_id from, core_id to, std::uint64_t k) const {
    return hash64(hash64(key, round * 1000 + from), to * 5000 + k) | 1;
  }
};

/// Puts words into every core's mailbox.
void put_words(const plan& p, unsigned round, draws& d) {
  const core_id me = here(), first = d.below(cores());
  for (core_id k = 0; k < cores(); ++k) {
    const core_id to = (first + k) % cores();
    const std::uint64_t stride = 1 + d.below(2);  // one behind the other they may go in bulk
    std::vector<std::uint64_t> mine(stride * p.words);
    for (std::uint64_t i = 0; i < p.words; ++i) mine[stride * i] = p.value(round, me, to, i);
    const section<std::uint64_t> from({me, mine.data()}, {p.words, 1, stride});
    put_notify(section<std::uint64_t>(p.words_of, p.place(to, round, me), p.words), from,
               p.boxes.pointer(to, &box::come));
    dawdle(d);
  }
}

/// Waits for the words of all cores, by several waits, and looks at them.
void take_words(const plan& p, unsigned round, draws& d) {
  for (core_id left = cores(); left > 0;) {
    const core_id some = 1 + d.below(left);
    wait(p.boxes.here().come, some);
    left -= some;
  }
  const auto mine = p.words_of.local();
  const std::uint64_t begin = p.words_of.local_begin();
  for (core_id from = 0; from < cores(); ++from)
    for (std::uint64_t i = 0; i < p.words; ++i)
      complain_unless(
          mine[p.place(here(), round, from) + i - begin] == p.value(round, from, here(), i),
          "transfers: word {} of core {} for core {} was not there when it was notified, round {}", i, from,
          here(), round);
}

core_id owner_for(const plan& p, unsigned round, core_id from) {
  return static_cast<core_id>(hash64(p.key + round, from) % cores());
}

/// Puts a word to a core and then tells another one, which gets it.
void put_and_tell(const plan& p, unsigned round, draws& d) {
  const core_id me = here(), step = static_cast<core_id>(hash64(p.key, round) % cores());
  const core_id reader = (me + step) % cores(), writer = (me + cores() - step) % cores();
  const core_id owner = owner_for(p, round, me);
  const std::uint64_t word[] = {p.value(round, me, owner, 0)};
  const std::uint64_t at = std::uint64_t{owner} * cores() + me;
  switch (d.below(3)) {
    case 0:
      put(p.told_of, at, word);
      break;
    case 1:
      async_put(p.told_of, at, word);
      fence(owner);
      break;
    default:
      finish([&] { async_put(p.told_of, at, word); });
  }
  notify(p.boxes.pointer(reader, &box::told));
  wait(p.boxes.here().told);
  const core_id there = owner_for(p, round, writer);
  std::uint64_t got[1];
  get(p.told_of, std::uint64_t{there} * cores() + writer, got);
  complain_unless(
      got[0] == p.value(round, writer, there, 0),
      "transfers: core {} was told of a word of core {} on core {}, and got another one in round {}", me,
      writer, there, round);
}

void run(draws& d) {
  constexpr std::uint64_t k_words[] = {1, 2, 7, 60, 130, 400, 1500};
  const scoped_per_core<box> boxes;
  const std::uint64_t n = cores(), key = d.next(), each = d.of(k_words);
  const scoped_array<std::uint64_t> words(2 * n * n * each), told(n * n), count(1);
  const plan p{key, each, 2 + d.below(5), words.handle(), told.handle(), count.handle(), boxes.handle()};
  on_all_cores([p] {
    draws mine(hash64(p.key, 77 + here()));
    for (unsigned round = 0; round < p.rounds; ++round) {
      dawdle(mine);
      put_words(p, round, mine);
      (void)fetch_add(p.count, 0, here() + 1);
      take_words(p, round, mine);
      if (mine.one_in(2)) dawdle(mine);
      put_and_tell(p, round, mine);
      barrier();
    }
  });
  std::uint64_t sum[1];
  get(p.count, 0, sum);
  complain_unless(sum[0] == p.rounds * n * (n + 1) / 2, "transfers: fetch_add has counted {}", sum[0]);
}

void check() {}

void prepare(job_options& o, draws& d) {
  constexpr shape k_shapes[] = {{1, 2}, {1, 3}, {2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 2}};
  give(o, d.of(k_shapes));
  if (d.one_in(2)) o.packet_bytes = 2048, o.wire_packet_bytes = 4096;
  if (d.one_in(4)) o.wire_packets = 4;
  if (d.one_in(2)) o.bulk_bytes = std::size_t{8} << d.below(8);
}

}  // namespace

const protocol transfers{"transfers", &prepare, &run, &check};

}  // namespace gossamer::test
