#include "gossamer/memory/transfer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "gossamer/memory/addressable.hpp"
#include "gossamer/memory/internal/transfer_checks.hpp"
#include "gossamer/memory/internal/transfer_walk.hpp"
#include "gossamer/message/bulk.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer {

namespace memory {

namespace {

// --- copies ---------------------------------------------------------------------------------------

template <std::size_t Bytes>
void copy_words(std::byte* to, std::uint64_t to_stride, const std::byte* from, std::uint64_t from_stride,
                std::uint64_t count) {
  for (; count > 0; --count, to += to_stride, from += from_stride) std::memcpy(to, from, Bytes);
}

void copy_blocks(std::byte* to, std::uint64_t to_stride, const std::byte* from, std::uint64_t from_stride,
                 std::uint64_t block, std::uint64_t count) {
  if (count == 1 || (to_stride == block && from_stride == block)) {
    std::memcpy(to, from, block * count);
  } else if (block == 4) {
    copy_words<4>(to, to_stride, from, from_stride, count);
  } else if (block == 8) {
    copy_words<8>(to, to_stride, from, from_stride, count);
  } else {
    for (; count > 0; --count, to += to_stride, from += from_stride) std::memcpy(to, from, block);
  }
}

void copy_in_place(const char* call, const pairing& p) {
  const auto line = [&p](const std::byte* at, std::uint64_t stride) {
    return blocks{reinterpret_cast<std::uintptr_t>(at), p.count, p.block, stride};
  };
  if (overlap(line(p.to, p.to_stride), line(p.from, p.from_stride)))
    refuse_transfer(call, fmt::format("{} bytes overlap the place that they go to", p.block * p.count));
  copy_blocks(p.to, p.to_stride, p.from, p.from_stride, p.block, p.count);
}

// --- messages -------------------------------------------------------------------------------------

/// Blocks for another process; their bytes follow, one behind the other.
struct blocks_record {
  std::byte* to;
  std::uint64_t stride;
  std::uint32_t block, count;
  static void run(const message::dispatch& d, std::byte* records, std::uint32_t n) {
    message::each_with_payload<blocks_record>(
        d, records, n, [](const blocks_record& r, const std::byte* payload) {
          copy_blocks(r.to, r.stride, payload, r.block, r.block, r.count);
        });
  }
};

/// Blocks that were asked for, the same way.
struct answer_blocks {
  blocks_record here;
  static void run(const message::dispatch& d, std::byte* records, std::uint32_t n) {
    blocks_record::run(d, records, n);
  }
};

/// Asks for blocks.
struct blocks_request {
  static constexpr std::size_t k_bytes = 960;  // an answer is at most ~1 KiB
  const std::byte* from;
  std::uint64_t stride;
  answer_blocks answer;

  std::uint32_t answer_bytes() const {
    return static_cast<std::uint32_t>(
        message::payload_stride(sizeof answer, std::size_t{answer.here.block} * answer.here.count));
  }
  void operator()(const message::dispatch& d) const {
    d.self.request_flush();  // a fiber waits for all of it
    std::byte* const to = d.self.reply_room_counted<answer_blocks>(d, answer_bytes());
    std::memcpy(to, &answer, sizeof answer);
    copy_blocks(to + sizeof answer, answer.here.block, from, stride, answer.here.block, answer.here.count);
  }
};

struct fence_answer {
  std::uint64_t unused;
  void operator()(const message::dispatch&) const {}
};

/// Is answered once all that the same core has sent before has been run.
struct fence_request {
  std::uint64_t unused;
  void operator()(const message::dispatch& d) const {
    d.self.request_flush();
    d.self.reply_counted(d, fence_answer{0});
  }
};

/// Calls f(chunk) for chunks of at most `most` bytes: whole blocks, or a part of one.
template <class F>
void in_chunks(pairing p, std::uint64_t most, F f) {
  if (p.block <= most) {
    while (p.count > 0) f(p.first(std::min(p.count, most / p.block)));
    return;
  }
  for (; p.count > 0; (void)p.first(1))
    for (std::uint64_t at = 0; at < p.block; at += most) {
      pairing chunk = p;
      chunk.to += at;
      chunk.from += at;
      chunk.block = std::min(most, p.block - at);
      chunk.count = 1;
      f(chunk);
    }
}

void ship(message::endpoint& self, const pairing& all) {
  in_chunks(all, round_down(self.record_room() / 2, 64), [&self](const pairing& p) {
    const blocks_record head{p.to, p.to_stride, static_cast<std::uint32_t>(p.block),
                             static_cast<std::uint32_t>(p.count)};
    std::byte* const at = self.issue_room<blocks_record>(
        p.to_owner, message::payload_stride(sizeof head, p.block * p.count), {});
    std::memcpy(at, &head, sizeof head);
    copy_blocks(at + sizeof head, p.block, p.from, p.from_stride, p.block, p.count);
  });
}

void ask(message::endpoint& self, const pairing& all) {
  in_chunks(all, blocks_request::k_bytes, [&self](const pairing& p) {
    const blocks_request q{
        p.from,
        p.from_stride,
        {{p.to, p.to_stride, static_cast<std::uint32_t>(p.block), static_cast<std::uint32_t>(p.count)}}};
    self.issue_request_counted(p.from_owner, q, q.answer_bytes() + 16);
  });
}

/// Returns the bytes of a block that is contiguous on both sides.
std::uint64_t block_bytes(const pairing& p) {
  return p.to_stride == p.block && p.from_stride == p.block ? p.block * p.count : p.block;
}

/// Calls f(to, from, bytes) for each block.
template <class F>
void each_block(pairing p, F f) {
  if (p.to_stride == p.block && p.from_stride == p.block) p.block *= std::exchange(p.count, 1);
  for (; p.count > 0; --p.count, p.to += p.to_stride, p.from += p.from_stride) f(p.to, p.from, p.block);
}

/// Gets what another process owns.
void bring(message::endpoint& self, const pairing& p) {
  if (!self.moves_bulk(p.from_owner, block_bytes(p))) return ask(self, p);
  each_block(p, [&](std::byte* to, const std::byte* from, std::uint64_t bytes) {
    message::get_bulk(self, p.from_owner, from, {to, bytes});
  });
}

/// Puts what lies here, by bulk moves; returns false where it is not worth one.
bool put_in_bulk(message::endpoint& self, const pairing& p, std::optional<message::bulk_puts>& moves) {
  if (!self.moves_bulk(p.to_owner, block_bytes(p))) return false;
  if (!moves) moves.emplace(self);
  each_block(p, [&](std::byte* to, const std::byte* from, std::uint64_t bytes) {
    moves->add(p.to_owner, to, {from, bytes});
  });
  return true;
}

/// Copies between two cores that are both out of reach: through memory of this one, a chunk at a time.
void pass_on(message::endpoint& self, const pairing& all) {
  constexpr std::uint64_t k_bytes = 1 << 20;
  std::vector<std::byte> buffer(std::min(k_bytes, all.block * all.count));
  in_chunks(all, k_bytes, [&](const pairing& p) {
    pairing in = p, out = p;
    in.to = buffer.data();
    out.from = buffer.data();
    in.to_stride = out.from_stride = p.block;
    message::wait_for_all([&] { bring(self, in); });
    std::optional<message::bulk_puts> moves;  // waits for them when it ends
    if (!put_in_bulk(self, out, moves)) ship(self, out);
  });
}

/// Lets another completion, or none, count what the running fiber issues, until its end.
class counting {
 public:
  counting(message::endpoint& self, void* by) : self_(self), outer_(self.local()) { self.set_local(by); }
  ~counting() { self_.set_local(outer_); }
  counting(const counting&) = delete;
  counting& operator=(const counting&) = delete;

 private:
  message::endpoint& self_;
  void* const outer_;
};

place place_of(const side& s) { return s.of_array ? place::array : place::other; }

/// Moves what the two sides name, by messages (`issued` is set then) and puts in bulk, which the caller waits for. Those that put
/// are counted where `how` says so; otherwise each core that they go to is asked last whether they have been run, and the answer is
/// counted.
void move_all(const char* call, const side& to, const side& from, ending how, bool& issued,
              std::optional<message::bulk_puts>& moves) {
  message::endpoint& self = message::inside(call);
  bool unacknowledged = false;  // messages have gone to the core that now owns what is put
  walk t(to), f(from);
  while (!t.over()) {
    const pairing p = take_pairing(t, f);
    const bool to_here = addressable(self, p.to_owner, place_of(to));
    const bool from_here = addressable(self, p.from_owner, place_of(from));
    if (to_here && from_here) {
      copy_in_place(call, p);
      continue;
    }
    issued = true;
    // What follows may wait for a tag: a fiber that waits holds none.
    if (moves && !(from_here && self.moves_bulk(p.to_owner, block_bytes(p)))) moves->wait();
    if (to_here) {
      bring(self, p);
      continue;
    }
    if (!from_here || !put_in_bulk(self, p, moves)) {
      const counting none(self, how == ending::waits ? nullptr : self.local());
      from_here ? ship(self, p) : pass_on(self, p);
      unacknowledged = true;
    }
    if (how == ending::waits && unacknowledged && (t.over() || t.now().owner != p.to_owner)) {
      self.issue_request_counted(p.to_owner, fence_request{0}, sizeof(fence_answer));
      unacknowledged = false;
    }
  }
}

/// Does what move_all() does. Puts in bulk are there when it returns, and also when it throws: their source is the caller's then.
bool move(const char* call, const side& to, const side& from, ending how) {
  bool issued = false;
  std::optional<message::bulk_puts> moves;
  std::exception_ptr failed;
  try {
    move_all(call, to, from, how, issued, moves);
  } catch (...) {
    failed = std::current_exception();
  }
  if (moves) moves->wait();
  if (failed) std::rethrow_exception(failed);
  return issued;
}

}  // namespace

void transfer(const char* call, side to, side from, ending how) {
  message::endpoint& self = message::inside(call);
  check_sides(call, to, from);
  if (how == ending::counted) {
    (void)move(call, to, from, how);
    return;
  }
  message::completion mine(self);
  bool issued = true;
  std::exception_ptr failed;
  {
    const counting these(self, &mine);
    try {
      issued = move(call, to, from, how);
    } catch (...) {
      failed = std::current_exception();
    }
  }
  if (!issued) return;  // no reason to send what waits for company
  self.flush();
  mine.wait();  // also where it has failed: answers on their way name this completion, and places of the caller
  if (failed) std::rethrow_exception(failed);
}

void transfer_and_notify(const char* call, side to, side from, global_ptr<notification> then) {
  (void)message::inside(call);
  if (!then) message::refuse_null(call);
  check_sides(call, to, from);
  for (walk w(to); !w.over(); w.pass(w.now().block * w.now().count))
    if (w.now().owner != then.owner())
      refuse_transfer(call, fmt::format("core {} owns elements of the place, and core {} the notification",
                                        w.now().owner, then.owner()));
  (void)move(call, to, from, ending::counted);
  machine::preemption_point();
  notify(then);
}

void fetch(core_id owner, const std::byte* from, std::span<std::byte> into) {
  if (into.empty()) return;
  bring(message::endpoint::here(),
        {here(), owner, into.data(), from, into.size(), into.size(), into.size(), 1});
}

}  // namespace memory

void fence(core_id to) {
  message::endpoint& self = message::inside("fence", to);
  if (memory::addressable(self, to, memory::place::other)) return;
  message::wait_for_all(
      [&] { self.issue_request_counted(to, memory::fence_request{0}, sizeof(memory::fence_answer)); });
}

}  // namespace gossamer
