// Matching: what one core sends another under one tag is received in that order, whatever the sizes, and
// whether the receive or the message comes first; receives for any source get each message once; receives
// that are taken back take nothing with them. With little room for messages without a receive yet: also where
// one source has filled what is common to all, and the others wait for what its receiver leaves.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

constexpr std::uint16_t k_by_tag = 77;  // tag space that is matched by tag alone
constexpr std::size_t k_most_words = 1000;

struct {
  std::uint64_t sent = 0, received = 0;
  std::vector<std::uint64_t> from_any;  // by sender and receiver: a bit for each message that has come
} all;

using words = std::vector<std::uint64_t>;

/// Returns a message: its number, and then what follows from key and number. Its length does, too.
words message_of(std::uint64_t key, std::uint64_t number) {
  constexpr std::size_t k_sizes[] = {1, 1, 2, 9, 60, 100, 120, 128, 129, 400, k_most_words};
  constexpr std::size_t k_kept[] = {1, 3, 60, 100, 120, 126, 128, 128};  // fill the room there is for them
  draws d(hash64(key, number));
  words w(key % 4 == 0 ? d.of(k_sizes) : d.of(k_kept));
  for (std::size_t i = 1; i < w.size(); ++i) w[i] = hash64(key + number, i);
  w[0] = number;
  return w;
}

void expect(std::uint64_t key, std::uint64_t number, const words& buffer, std::size_t bytes, core_id from) {
  const words right = message_of(key, number);
  ++all.received;
  complain_unless(buffer[0] == number, "matching: core {} expected message {} of core {}, and got {}", here(),
                  number, from, buffer[0]);
  complain_unless(bytes == 8 * right.size() && std::equal(right.begin(), right.end(), buffer.begin()),
                  "matching: message {} of core {} has changed", number, from);
}

/// Sends n messages, up to `window` of them open.
void send_stream(core_id to, std::uint64_t key, message_tag tag, std::uint64_t n, unsigned window) {
  struct open {
    words data;
    request r;
  };
  draws d(hash64(key, 1));
  const bool in_haste = !d.one_in(3);
  std::deque<std::unique_ptr<open>> under_way;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (window != 0 && under_way.size() == window) {
      under_way.front()->r.wait();
      under_way.pop_front();
    }
    auto o = std::make_unique<open>();
    o->data = message_of(key, i);
    ++all.sent;
    if (window == 0)
      send(to, tag, std::as_bytes(std::span(o->data)));
    else
      isend(o->r, to, tag, std::as_bytes(std::span(o->data)));
    if (window != 0) under_way.push_back(std::move(o));
    if (!in_haste) dawdle(d);
  }
  for (auto& o : under_way) o->r.wait();
}

/// Lets time go by, while messages come that no receive waits for. Uses no messages for that: they would wait
/// behind those.
void come_late(draws& d) {
  for (unsigned i = d.below(120); i > 0; --i) {
    charge_work(2000);
    yield();
  }
}

/// Receives them, in order, up to `window` receives open.
void receive_stream(core_id from, std::uint64_t key, message_tag tag, std::uint64_t n, unsigned window) {
  struct open {
    words buffer = words(k_most_words);
    std::uint64_t number = 0;
    request r;
  };
  draws d(hash64(key, 2));
  if (d.one_in(2)) come_late(d);
  std::deque<std::unique_ptr<open>> under_way;
  const auto take = [&] {
    open& o = *under_way.front();
    if (d.one_in(3))
      while (!o.r.test()) yield();
    else
      o.r.wait();
    expect(key, o.number, o.buffer, o.r.bytes(), from);
    under_way.pop_front();
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    if (under_way.size() == window) take();
    auto o = std::make_unique<open>();
    o->number = i;
    ireceive(o->r, from, tag, std::as_writable_bytes(std::span(o->buffer)));
    under_way.push_back(std::move(o));
    dawdle(d);
  }
  while (!under_way.empty()) take();
}

/// Takes from two streams, in one fiber, the message that comes first.
void receive_either(core_id a, core_id b, std::uint64_t key, message_tag tag, std::uint64_t n) {
  struct side {
    core_id from;
    std::uint64_t key, number = 0;
    words buffer = words(k_most_words);
    request r{};
  };
  side sides[2]{{a, hash64(key, a)}, {b, hash64(key, b)}};
  const auto start = [&](side& s) {
    ireceive(s.r, s.from, tag, std::as_writable_bytes(std::span(s.buffer)));
  };
  for (side& s : sides) start(s);
  for (std::uint64_t left = 2 * n; left > 0; --left) {
    request* const open[] = {sides[0].number < n ? &sides[0].r : nullptr,
                             sides[1].number < n ? &sides[1].r : nullptr};
    side& s = sides[wait_any(open)];
    expect(s.key, s.number++, s.buffer, s.r.bytes(), s.from);
    if (s.number < n) start(s);
  }
}

/// Sends a stream to the core some steps on, and receives one from as far back. Both sides draw their
/// windows.
void pairs(std::uint64_t key, std::uint64_t n, unsigned space) {
  const message_tag tag = tag_in(0, space);
  const core_id me = here();
  draws d(hash64(key, me));
  const core_id step = 1 + static_cast<core_id>(key % cores());
  const core_id to = (me + step) % cores(), from = (me + cores() - step % cores()) % cores();
  spawn([=, window = d.below(5)] { send_stream(to, hash64(key, me), tag, n, window); });
  spawn([=, window = 1 + d.below(5)] { receive_stream(from, hash64(key, from), tag, n, window); });
}

/// Sends to the next two cores, and receives from the two before, from either.
void eithers(std::uint64_t key, std::uint64_t n, unsigned space) {
  const message_tag tag = tag_in(0, space);
  const core_id me = here();
  if (cores() < 3) return;
  for (const core_id step : {core_id{1}, core_id{2}})
    spawn([=] { send_stream((me + step) % cores(), hash64(key, me), tag, n, 2); });
  spawn([=] { receive_either((me + cores() - 1) % cores(), (me + cores() - 2) % cores(), key, tag, n); });
}

/// Sends from all cores to all cores under one tag, and receives from any.
void from_any(std::uint64_t key, std::uint64_t n, unsigned number) {
  const message_tag tag = tag_in(k_by_tag, number);
  match_by_tag(k_by_tag);
  const core_id me = here();
  const auto text = [](std::uint64_t k, core_id to) { return hash64(k, 1000 + to); };
  for (core_id to = 0; to < cores(); ++to)
    spawn([=] { send_stream(to, hash64(text(key, to), here()), tag, n, 2); });
  for (unsigned receivers = 2; receivers > 0; --receivers)
    spawn([=] {
      draws d(hash64(key, 5000 + receivers));
      words buffer(k_most_words);
      const std::uint64_t mine = receivers == 1 ? n * cores() / 2 : n * cores() - n * cores() / 2;
      for (std::uint64_t i = 0; i < mine; ++i) {
        request r;
        ireceive(r, any_core, tag, std::as_writable_bytes(std::span(buffer)));
        r.wait();
        const core_id from = r.source();
        std::uint64_t& seen = all.from_any[from * cores() + me];
        const std::uint64_t bit = std::uint64_t{1} << buffer[0] % 64;
        complain_unless(buffer[0] < n && (seen & bit) == 0, "matching: message {} of core {} came twice",
                        buffer[0], from);
        seen |= bit;
        expect(hash64(text(key, me), from), buffer[0], buffer, r.bytes(), from);
        dawdle(d);
      }
    });
}

/// Receives that no core sends for, taken back while messages come under other tags.
void taken_back(std::uint64_t key, unsigned space) {
  draws d(hash64(key, here()));
  spawn([space, from = d.below(cores()), times = 1 + d.below(4), seed = d.next()] {
    draws more(seed);
    for (unsigned i = 0; i < times; ++i) {
      words buffer(4);
      request r;
      ireceive(r, from, tag_in(9, space + i), std::as_writable_bytes(std::span(buffer)));
      dawdle(more);
    }
  });
}

void send_words(core_id to, message_tag tag, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) {
    ++all.sent;
    send_value(to, tag, i);
  }
}

void receive_words(core_id from, message_tag tag, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto number = receive_value<std::uint64_t>(from, tag);
    ++all.received;
    complain_unless(number == i, "matching: core {} expected word {} of core {}, and got {}", here(), i, from,
                    number);
  }
}

/// Returns the room of a mailbox that belongs to no source, or 0 where it is too much to fill.
std::uint64_t common_room() {
  const message::endpoint& self = message::endpoint::here();
  const std::uint64_t own = std::uint64_t{self.most_matches()} * cores();
  const std::uint64_t most = message::mailbox::here().most_kept();
  return most < 2 * own ? most - own : 0;  // else it is far too much to fill
}

/// Fills the common room of a core's mailbox from one other core. Then others, the receiver among them, fill
/// their own parts, and send what is received before those. That waits for common room, which comes: nothing
/// that the receivers wait for is sent behind it.
void crowd(std::uint64_t key) {
  constexpr message_tag k_kept = tag_in(1, 0), k_first = tag_in(1, 1), k_there = tag_in(1, 2),
                        k_back = tag_in(1, 3);
  constexpr int k_rounds = 20;
  draws d(key);
  const core_id to = d.below(cores()), filler = (to + 1 + d.below(cores() - 1)) % cores();
  const std::uint64_t own = message::endpoint::here().most_matches(), common = common_room();
  const std::uint64_t extra = 1 + d.below(common / cores());
  std::vector<core_id> crowding;
  for (core_id c = 0; c < cores(); ++c)
    if (c != filler && (c == to || cores() <= 8 || d.one_in(3))) crowding.push_back(c);
  if (here() == to) {
    for (const core_id c : crowding)
      spawn([=] {
        receive_words(c, k_first, extra);
        receive_words(c, k_kept, own);
        for (int i = 0; i < k_rounds; ++i) {
          receive_words(c, k_there, 1);
          send_words(c, k_back, 1);
        }
      });
    spawn([=, late = d.below(200)] {
      for (int i = 0; i < 1000 && message::mailbox::here().kept() < own + common; ++i)
        charge_work(1000), yield();
      for (unsigned i = 0; i < late; ++i) charge_work(1000), yield();
      receive_words(filler, k_kept, own + common);
    });
  }
  if (here() == filler) send_words(to, k_kept, own + common);
  barrier();
  if (std::ranges::find(crowding, here()) != crowding.end())
    spawn([=] {
      send_words(to, k_kept, own);
      send_words(to, k_first, extra);
      for (int i = 0; i < k_rounds; ++i) {  // what waited for room and came wakes as before
        send_words(to, k_there, 1);
        receive_words(to, k_back, 1);
      }
    });
}

/// Has one core send a large message, and behind it more small ones than its receiver keeps, of which that receives none before it
/// has the large one. Data that a receive has granted needs a way that nothing sent later blocks.
void large_first(std::uint64_t key) {
  constexpr message_tag k_large = tag_in(7, 0), k_small = tag_in(7, 1);
  draws d(key);
  const core_id to = d.below(cores()), from = (to + 1 + d.below(cores() - 1)) % cores();
  const std::size_t bytes = 2000 + d.below(40'000);
  const std::uint64_t small = message::mailbox::here().most_kept() + 1 + d.below(100);
  const auto byte_of = [key](std::size_t i) {
    return static_cast<std::byte>(hash64(key, i / 8) >> (i % 8 * 8));
  };
  if (here() == from)
    spawn([=] {
      std::vector<std::byte> data(bytes);
      for (std::size_t i = 0; i < bytes; ++i) data[i] = byte_of(i);
      request r;
      isend(r, to, k_large, data);
      send_words(to, k_small, small);
      r.wait();
    });
  if (here() == to)
    spawn([=, late = d.below(100)] {
      for (unsigned i = 0; i < late; ++i) charge_work(1000), yield();
      std::vector<std::byte> buffer(bytes);
      const std::size_t got = receive(from, k_large, buffer);
      bool whole = got == bytes;
      for (std::size_t i = 0; i < bytes; ++i) whole &= buffer[i] == byte_of(i);
      complain_unless(whole, "matching: a large message of {} bytes from core {} has changed", bytes, from);
      receive_words(from, k_small, small);
    });
}

void run(draws& d) {
  all.sent = all.received = 0;
  all.from_any.assign(std::size_t{cores()} * cores(), 0);
  const std::uint64_t n = 3 + d.below(d.one_in(3) ? 12 : 60);
  const unsigned what = d.below(8);
  on_all_cores([key = d.next(), n, what] {
    draws mine(hash64(key, 900 + here()));
    dawdle(mine);
    if (common_room() != 0) return hash64(key, 77) % 3 == 0 ? large_first(key) : crowd(key);
    if (what < 4 || what == 7) pairs(key, n, 1);
    if (what == 4) eithers(key, n, 2);
    if (what == 5 || what == 7) from_any(key, std::max<std::uint64_t>(1, n / 3), 3);
    if (what == 6) pairs(hash64(key), n, 4), pairs(key, n, 5);
    taken_back(key, 6);
  });
  complain_unless(all.sent == all.received, "matching: {} messages were sent, {} received", all.sent,
                  all.received);
}

void check() {}

void prepare(job_options& o, draws& d) {
  if (!d.one_in(3)) {
    o.unexpected = 4;
    o.unexpected_bytes = 4096;
  }
  if (d.one_in(2)) o.packet_bytes = 2048, o.wire_packet_bytes = 4096;
  if (d.one_in(3)) {  // common room, but little; more cores than look into every lane, and fewer
    constexpr shape k_shapes[] = {{1, 9}, {1, 12}, {1, 3}, {1, 7}, {2, 9}, {2, 3}, {3, 1}};
    give(o, d.of(k_shapes));
    o.packet_bytes = 2048;
    o.wire_packet_bytes = 4096;
    const unsigned n = o.simulate->processes * o.simulate->cores;
    // A part for each source: a packetful of messages without bytes (mailbox).
    const unsigned own = o.simulate->processes > 1 ? (4096 - 64 - 16) / 16 + 1 : 2032 / 16 + 1;
    o.unexpected = std::size_t{n} * own + n + d.below(3 * n);
    o.unexpected_bytes = 64 << 20;
  }
  if (d.one_in(4)) o.wire_packets = 4;  // pieces of large messages and fibers want the same ones
}

}  // namespace

const protocol matching{"matching", &prepare, &run, &check};

}  // namespace gossamer::test
