#include "gossamer/memory/transfer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/memory/addressable.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer {

namespace memory {

namespace {

// --- what is refused ------------------------------------------------------------------------------

/// Returns the number of elements, or nothing where that is no number.
std::optional<std::uint64_t> size_of(const strided& s) {
  std::uint64_t n;
  if (__builtin_mul_overflow(s.count, s.block, &n)) return std::nullopt;
  return n;
}

/// Returns the elements from the first to the last one, both included; the largest number where there are
/// more.
std::uint64_t extent_of(const strided& s) {
  std::uint64_t n;
  if (s.count == 0 || s.block == 0) return 0;
  if (__builtin_mul_overflow(s.count - 1, s.stride, &n) || __builtin_add_overflow(n, s.block, &n))
    return ~std::uint64_t{0};
  return n;
}

std::string text_of(const strided& s) {
  return s.count == 1 ? fmt::format("{} elements", s.block)
                      : fmt::format("{} blocks of {} elements, {} apart", s.count, s.block, s.stride);
}

[[noreturn, gnu::cold]] void refuse(const char* call, const std::string& why) {
  fatal(fmt::format("{}: {}", call, why).c_str());
}

void check_side(const char* call, const side& s) {
  if (!s.of_array) {
    if (s.null) message::refuse_null(call);
    if (s.owner >= cores()) message::refuse_core(call, s.owner);
  } else {
    if (s.array == nullptr || s.array->data == nullptr) refuse_array(call, s.array);
    const std::uint64_t extent = extent_of(s.shape), size = s.array->where.size();
    if (extent != 0 && (s.index >= size || extent > size - s.index))
      refuse_index(call, s.array, std::max(size, s.index + std::min(extent - 1, ~s.index)));
  }
  if (s.shape.count > 1 && s.shape.stride < s.shape.block)
    refuse(call, fmt::format("{}: they overlap", text_of(s.shape)));
}

/// Blocks on a line: elements of an array by index, or bytes by address.
struct blocks {
  std::uint64_t at, count, block, stride;
  std::uint64_t end() const { return at + (count - 1) * stride + block; }
};

bool overlap(blocks a, blocks b) {
  if (a.count == 0 || b.count == 0 || a.block == 0 || b.block == 0) return false;
  if (a.end() <= b.at || b.end() <= a.at) return false;
  while (a.count > 0 && b.count > 0) {
    if (a.at + a.block <= b.at)
      a.at += a.stride, --a.count;
    else if (b.at + b.block <= a.at)
      b.at += b.stride, --b.count;
    else
      return true;
  }
  return false;
}

void check(const char* call, const side& to, const side& from) {
  for (const side* s : {&to, &from}) check_side(call, *s);
  const auto wanted = size_of(to.shape), given = size_of(from.shape);
  if (!wanted || !given || *wanted != *given)
    refuse(call, fmt::format("{} to a place of {}", text_of(from.shape), text_of(to.shape)));
  if (to.of_array && to.array == from.array) {
    const auto indices = [](const side& s) {
      return blocks{s.index, s.shape.count, s.shape.block, s.shape.stride};
    };
    if (overlap(indices(to), indices(from)))
      refuse(call, fmt::format("{} from index {} on overlap {} from index {} on, in an array of {} elements",
                               text_of(from.shape), from.index, text_of(to.shape), to.index,
                               to.array->where.size()));
  }
  if (to.of_array)
    GOSSAMER_DEBUG_ASSERT(to.array->freezes.load(std::memory_order_relaxed) == 0,
                          "a frozen array is written to");
}

// --- sides cut into rectangles --------------------------------------------------------------------

/// Blocks of bytes at equal distances in the memory of one core.
struct rectangle {
  core_id owner = 0;
  std::byte* at = nullptr;
  std::uint64_t block = 0, stride = 0, count = 0;

  /// Passes `bytes` that end at or before the end of a block, or are whole blocks. Returns what follows the
  /// block that was begun; empty where none was.
  rectangle pass(std::uint64_t bytes) {
    if (bytes % block == 0) {
      const std::uint64_t whole = bytes / block;
      at += whole * stride;
      count -= whole;
      return {};
    }
    const rectangle rest{owner, at + stride, block, stride, count - 1};
    at += bytes;
    block -= bytes;
    count = 1;
    return rest;
  }
};

/// Walks one side: its bytes as rectangles, each of one core.
class walk {
 public:
  explicit walk(const side& s) : side_(s) {
    strided& shape = side_.shape;
    if (shape.count == 0 || shape.block == 0) {
      shape.count = 0;
    } else if (shape.count > 1 && shape.stride == shape.block) {
      shape = {1, shape.count * shape.block, shape.block};
    }
    next();
  }

  bool over() const { return now_.count == 0; }
  const rectangle& now() const { return now_; }
  void pass(std::uint64_t bytes) {
    const rectangle rest = now_.pass(bytes);
    if (rest.count != 0) later_ = rest;
    if (now_.count == 0) next();
  }

 private:
  void next() {
    if (later_.count != 0)
      now_ = std::exchange(later_, {});
    else if (block_ < side_.shape.count)
      now_ = side_.of_array ? take_elements() : take_memory();
  }
  rectangle take_memory() {
    block_ = side_.shape.count;
    const std::size_t n = side_.element_bytes;
    return {side_.owner, side_.at, side_.shape.block * n, side_.shape.stride * n, side_.shape.count};
  }
  rectangle take_elements() {
    const layout& where = side_.array->where;
    const strided& shape = side_.shape;
    const std::size_t n = side_.element_bytes;
    const std::uint64_t i = side_.index + block_ * shape.stride + in_block_;
    const layout::place p = where.find(i);
    const std::uint64_t slice = where.slice_begin(p.owner);
    std::byte* const at = side_.array->data + (slice + p.offset) * n;
    const std::uint64_t left = where.slice_size(p.owner) - p.offset;  // in the owner's slice
    if (where.contiguous() && in_block_ == 0 && shape.block <= left) {
      const std::uint64_t most = shape.stride == 0 ? 1 : (left - shape.block) / shape.stride + 1;
      const std::uint64_t whole = std::min(most, shape.count - block_);
      block_ += whole;
      return {p.owner, at, shape.block * n, shape.stride * n, whole};
    }
    const std::uint64_t most = std::min(shape.block - in_block_, left);
    const std::uint64_t run = where.run_end(p.offset, p.offset + most) - p.offset;
    in_block_ += run;
    if (in_block_ == shape.block) in_block_ = 0, ++block_;
    return {p.owner, at, run * n, run * n, 1};
  }

  side side_;
  std::uint64_t block_ = 0, in_block_ = 0;  // where next() goes on
  rectangle now_, later_;
};

/// Equal blocks of both sides.
struct pairing {
  core_id to_owner, from_owner;
  std::byte* to;
  const std::byte* from;
  std::uint64_t block, to_stride, from_stride, count;

  /// Takes the first n blocks off.
  pairing first(std::uint64_t n) {
    pairing p = *this;
    p.count = n;
    to += n * to_stride;
    from += n * from_stride;
    count -= n;
    return p;
  }
};

/// Returns the most that the two sides have in common from where they are, and passes it.
pairing take_pairing(walk& to, walk& from) {
  const rectangle t = to.now(), f = from.now();
  std::uint64_t block = t.block, n = 1;
  if (t.block == f.block) {
    n = std::min(t.count, f.count);
  } else if (f.count == 1 && f.block > t.block) {
    n = std::min(t.count, f.block / t.block);
  } else if (t.count == 1 && t.block > f.block) {
    block = f.block;
    n = std::min(f.count, t.block / f.block);
  } else {
    block = std::min(t.block, f.block);
  }
  to.pass(n * block);
  from.pass(n * block);
  const auto stride = [block](const rectangle& r) { return r.block == block ? r.stride : block; };
  return {t.owner, f.owner, t.at, f.at, block, stride(t), stride(f), n};
}

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
    refuse(call, fmt::format("{} bytes overlap the place that they go to", p.block * p.count));
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
struct blocks_question {
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
struct fence_question {
  std::uint64_t unused;
  void operator()(const message::dispatch& d) const {
    d.self.request_flush();
    d.self.reply_counted(d, fence_answer{0});
  }
};

/// Calls f(part) for parts of at most `most` bytes: whole blocks, or pieces of one.
template <class F>
void in_parts(pairing p, std::uint64_t most, F f) {
  if (p.block <= most) {
    while (p.count > 0) f(p.first(std::min(p.count, most / p.block)));
    return;
  }
  for (; p.count > 0; (void)p.first(1))
    for (std::uint64_t at = 0; at < p.block; at += most) {
      pairing piece = p;
      piece.to += at;
      piece.from += at;
      piece.block = std::min(most, p.block - at);
      piece.count = 1;
      f(piece);
    }
}

void ship(message::endpoint& self, const pairing& all) {
  in_parts(all, round_down(self.record_room() / 2, 64), [&self](const pairing& p) {
    const blocks_record head{p.to, p.to_stride, static_cast<std::uint32_t>(p.block),
                             static_cast<std::uint32_t>(p.count)};
    std::byte* const at = self.issue_room<blocks_record>(
        p.to_owner, message::payload_stride(sizeof head, p.block * p.count), {});
    std::memcpy(at, &head, sizeof head);
    copy_blocks(at + sizeof head, p.block, p.from, p.from_stride, p.block, p.count);
  });
}

void ask(message::endpoint& self, const pairing& all) {
  in_parts(all, blocks_question::k_bytes, [&self](const pairing& p) {
    const blocks_question q{
        p.from,
        p.from_stride,
        {{p.to, p.to_stride, static_cast<std::uint32_t>(p.block), static_cast<std::uint32_t>(p.count)}}};
    self.issue_question(p.from_owner, q, q.answer_bytes() + 16);
  });
}

/// Copies between two cores that are both out of reach: through memory of this one, a piece at a time.
void pass_on(message::endpoint& self, const pairing& all) {
  constexpr std::uint64_t k_bytes = 64 << 10;
  std::vector<std::byte> buffer(std::min(k_bytes, all.block * all.count));
  in_parts(all, k_bytes, [&](const pairing& p) {
    pairing in = p, out = p;
    in.to = buffer.data();
    out.from = buffer.data();
    in.to_stride = out.from_stride = p.block;
    message::wait_for_all([&] { ask(self, in); });
    ship(self, out);
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

place place_of(const side& s) { return s.of_array ? place::slice : place::other; }

/// Moves what the two sides name. Returns whether it has issued messages. Those that put are counted where
/// `how` says so; otherwise each core that they go to is asked last whether they have been run, and the
/// answer is counted.
bool move(const char* call, const side& to, const side& from, ending how) {
  message::endpoint& self = message::inside(call);
  bool issued = false;
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
    if (to_here) {
      ask(self, p);
      continue;
    }
    {
      const counting none(self, how == ending::waits ? nullptr : self.local());
      from_here ? ship(self, p) : pass_on(self, p);
    }
    if (how == ending::waits && (t.over() || t.now().owner != p.to_owner))
      self.issue_question(p.to_owner, fence_question{0}, sizeof(fence_answer));
  }
  return issued;
}

}  // namespace

void transfer(const char* call, side to, side from, ending how) {
  message::endpoint& self = message::inside(call);
  check(call, to, from);
  if (how == ending::counted) {
    (void)move(call, to, from, how);
    return;
  }
  message::completion mine(self);
  {
    const counting these(self, &mine);
    if (!move(call, to, from, how)) return;  // no reason to send what waits for company
  }
  self.flush();
  mine.wait();
}

void transfer_and_notify(const char* call, side to, side from, global_ptr<notification> then) {
  (void)message::inside(call);
  if (!then) message::refuse_null(call);
  check(call, to, from);
  for (walk w(to); !w.over(); w.pass(w.now().block * w.now().count))
    if (w.now().owner != then.owner())
      refuse(call, fmt::format("core {} owns elements of the place, and core {} the notification",
                               w.now().owner, then.owner()));
  (void)move(call, to, from, ending::counted);
  machine::preemption_point();
  notify(then);
}

void fetch(core_id owner, const std::byte* from, std::span<std::byte> into) {
  if (into.empty()) return;
  ask(message::endpoint::here(),
      {here(), owner, into.data(), from, into.size(), into.size(), into.size(), 1});
}

}  // namespace memory

void fence(core_id to) {
  message::endpoint& self = message::inside("fence", to);
  if (memory::addressable(self, to, memory::place::other)) return;
  message::wait_for_all(
      [&] { self.issue_question(to, memory::fence_question{0}, sizeof(memory::fence_answer)); });
}

}  // namespace gossamer
