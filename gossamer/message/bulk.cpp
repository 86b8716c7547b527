#include "gossamer/message/bulk.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "gossamer/machine/simulated.hpp"

namespace gossamer::message {

namespace {

constexpr std::size_t k_chunk_bytes = 64 << 20;  // of one move

using way = fabric::bulk_move::way;

/// Counts one more as finished, in this process or by a report.
class counted_end final : public bulk_end {
 public:
  explicit counted_end(const scope_id& by) : by_(by) {}
  void over(endpoint& self) override {
    if (self.is_local(by_.core)) return by_.at->finish(1);
    self.report_later(by_, 1, nullptr);
    self.request_flush();  // a fiber waits for it
  }

 private:
  scope_id by_;
};

/// Ends a get: its tag is free, and the completion, if any, counts it.
class get_end final : public bulk_end {
 public:
  get_end(unsigned tag, completion* counted_by) : tag_(tag), counted_by_(counted_by) {}
  void over(endpoint& self) override {
    self.bulk().give_back(tag_);
    if (counted_by_ != nullptr) counted_by_->finish(1);
  }

 private:
  unsigned tag_;
  completion* counted_by_;
};

/// Announces a block to the core that receives it.
struct put_record {
  std::byte* at;
  std::uint64_t bytes;
  completion* counted_by;  // at the sender
  std::uint32_t tag;

  void operator()(const dispatch& d) const {
    const scope_id done{d.source, counted_by};
    d.self.start_bulk({.direction = way::in,
                       .answers = true,
                       .peer = d.self.process_of(d.source),
                       .tag = bulk_tags::of_put(tag),
                       .at = at,
                       .bytes = bytes,
                       .end = std::make_unique<counted_end>(done)});
  }
};

/// Requests a block from a core.
struct get_record {
  std::byte* at;
  std::uint64_t bytes;
  std::uint32_t tag;

  void operator()(const dispatch& d) const {
    d.self.start_bulk({.direction = way::out,
                       .answers = true,
                       .peer = d.self.process_of(d.source),
                       .tag = bulk_tags::of_get(tag),
                       .at = at,
                       .bytes = bytes});
  }
};

/// Calls f(offset, bytes) for the chunks of a block.
template <class F>
void in_chunks(std::size_t bytes, F f) {
  for (std::size_t at = 0; at < bytes; at += k_chunk_bytes) f(at, std::min(k_chunk_bytes, bytes - at));
}

/// Returns a tag at the end of the scope, unless its move has begun.
class held_tag {
 public:
  held_tag(bulk_tags& of, unsigned tag) : of_(of), tag_(tag) {}
  ~held_tag() {
    if (!begun_) of_.give_back(tag_);
  }
  held_tag(const held_tag&) = delete;
  held_tag& operator=(const held_tag&) = delete;
  operator unsigned() const { return tag_; }
  void begun() { begun_ = true; }

 private:
  bulk_tags& of_;
  const unsigned tag_;
  bool begun_ = false;
};

}  // namespace

// Operations that may fail come first: the allocation, then the record to the other side. Starting the move
// cannot fail: from then on the other side waits for it.

void bulk_puts::add(unsigned to, std::byte* at, std::span<const std::byte> from) {
  tags_.reserve(bulk_tags::k_most);
  in_chunks(from.size(), [&](std::size_t offset, std::size_t bytes) {
    auto move = std::make_unique<fabric::bulk_move>(
        fabric::bulk_move{.direction = way::out,
                          .answers = false,
                          .peer = self_.process_of(to),
                          .tag = 0,
                          .at = const_cast<std::byte*>(from.data() + offset),  // only read
                          .bytes = bytes,
                          .end = std::make_unique<counted_end>(done_.name())});
    std::optional<unsigned> free = self_.bulk().try_take();
    if (!free) {
      wait();  // tags that are all held by this fiber
      free = self_.bulk().take();
    }
    held_tag tag(self_.bulk(), *free);
    move->tag = bulk_tags::of_put(tag);
    self_.issue_uncounted(to, put_record{at + offset, bytes, &done_, tag});
    tag.begun();
    tags_.push_back(tag);
    done_.issue(2);
    self_.start_bulk(std::move(move));
  });
}

void bulk_puts::wait() {
  if (tags_.empty()) return;
  self_.flush();
  done_.wait();
  for (const unsigned tag : tags_) self_.bulk().give_back(tag);
  tags_.clear();
}

void get_bulk(endpoint& self, unsigned owner, const std::byte* from, std::span<std::byte> into) {
  in_chunks(into.size(), [&](std::size_t offset, std::size_t bytes) {
    held_tag tag(self.bulk(), self.bulk().take());
    completion* const scope = self.scope();
    auto move =
        std::make_unique<fabric::bulk_move>(fabric::bulk_move{.direction = way::in,
                                                              .answers = false,
                                                              .peer = self.process_of(owner),
                                                              .tag = bulk_tags::of_get(tag),
                                                              .at = into.data() + offset,
                                                              .bytes = bytes,
                                                              .end = std::make_unique<get_end>(tag, scope)});
    self.issue_uncounted(owner, get_record{const_cast<std::byte*>(from) + offset, bytes, tag});
    tag.begun();
    if (scope != nullptr) scope->issue(1);
    self.start_bulk(std::move(move));
  });
  self.request_flush();  // the other side computes meanwhile
}

// --- of an endpoint -----------------------------------------------------------------------------------

void endpoint::start_bulk(std::unique_ptr<fabric::bulk_move> m) noexcept {
  m->core = id() - shared_.first;
  shared_.wire->bulk().start(std::move(m));
}

void endpoint::start_bulk(fabric::bulk_move m) {
  start_bulk(std::make_unique<fabric::bulk_move>(std::move(m)));
}

bool endpoint::any_bulk_over() const {
  return shared_.wire != nullptr && shared_.wire->bulk().any_over(id() - shared_.first);
}

/// Handles the ends of this core's moves.
void endpoint::end_bulk_moves() {
  mark_active();
  machine::preemption_point();
  for (const auto& end : shared_.wire->bulk().take_over(id() - shared_.first))
    static_cast<bulk_end&>(*end).over(*this);
}

}  // namespace gossamer::message
