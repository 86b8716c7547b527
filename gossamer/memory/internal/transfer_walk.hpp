#pragma once
// The two sides of a one-sided transfer, cut into rectangles: equal blocks at equal distances in the memory of one core.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "gossamer/memory/transfer.hpp"

namespace gossamer::memory {

/// Blocks of bytes at equal distances in the memory of one core.
struct rectangle {
  core_id owner = 0;
  std::byte* at = nullptr;
  std::uint64_t block = 0, stride = 0, count = 0;

  /// Passes `bytes` that end at or before the end of a block, or are whole blocks. Returns what follows the
  /// block that was begun; empty where none was.
  rectangle pass(std::uint64_t bytes) {
    if (bytes % block == 0) {  // NOLINT(clang-analyzer-core.DivideZero): no block is empty
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
    const std::uint64_t begin = where.owned_begin(p.owner);
    std::byte* const at = side_.array->data + (begin + p.offset) * n;
    const std::uint64_t left = where.owned_size(p.owner) - p.offset;  // elements of the owner
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
inline pairing take_pairing(walk& to, walk& from) {
  const rectangle t = to.now(), f = from.now();
  std::uint64_t block = t.block, n = 1;
  if (t.block == f.block) {
    n = std::min(t.count, f.count);
  } else if (f.count == 1 && f.block > t.block) {
    n = std::min(t.count, f.block / t.block);
  } else if (t.count == 1 && t.block > f.block) {
    block = f.block;
    n = std::min(f.count, t.block / f.block);  // NOLINT(clang-analyzer-core.DivideZero): no block is empty
  } else {
    block = std::min(t.block, f.block);
  }
  to.pass(n * block);
  from.pass(n * block);
  const auto stride = [block](const rectangle& r) { return r.block == block ? r.stride : block; };
  return {t.owner, f.owner, t.at, f.at, block, stride(t), stride(f), n};
}

}  // namespace gossamer::memory
