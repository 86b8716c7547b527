#include "gossamer/message/mailbox.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "gossamer/base/error.hpp"
#include "gossamer/message/payload.hpp"

namespace gossamer::message {

namespace {

/// Notifies a sender that its message has been received, and its buffer is free.
struct receipt {
  request* sender;
  void operator()(const dispatch& d) { d.self.mail().received(*sender); }
};

/// Notifies a sender in another process that its message is expected, by a bulk move or in chunks.
struct grant {
  request* sender;
  request* receiver;
  mailbox::way how;
  void operator()(const dispatch& d) { d.self.mail().granted(*sender, d.source, receiver, how); }
};
static_assert(sizeof(grant) >= sizeof(receipt));

/// A zero-copy message: stays in its sender's memory until it is received.
struct large_record {
  std::uint64_t tag;
  const std::byte* data;
  std::size_t bytes;
  request* sender;
  void operator()(const dispatch& d) {
    request* receiver = nullptr;
    if (!d.self.mail().arrive_large(d.source, tag, data, bytes, sender, receiver)) return;
    if (receiver != nullptr)
      d.self.reply(d.source, grant{sender, receiver, d.self.mail().begin_to_take(*receiver)});
    else
      d.self.reply(d.source, receipt{sender});
  }
};

/// Ends the send of a message that the transport has moved.
class moved_out final : public bulk_end {
 public:
  explicit moved_out(request& sender) : sender_(sender) {}
  void over(endpoint& self) override { self.mail().received(sender_); }

 private:
  request& sender_;
};

/// Ends its receive.
class moved_in final : public bulk_end {
 public:
  moved_in(request& receiver, unsigned tag) : receiver_(receiver), tag_(tag) {}
  void over(endpoint& self) override {
    self.bulk().give_back(tag_);
    mailbox::moved_in(receiver_);
  }

 private:
  request& receiver_;
  unsigned tag_;
};

/// A chunk of a granted message. The head is so long that the bytes begin at a line in a packet of its own.
struct chunk_record {
  request* receiver;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t unused[2];
  static void run(const dispatch& d, std::byte* records, std::uint32_t count) {
    each_with_payload<chunk_record>(d, records, count, [&d](chunk_record& r, const std::byte* chunk) {
      d.self.mail().take_chunk(*r.receiver, r.offset, chunk, r.bytes);
    });
  }
};

}  // namespace

mailbox::mailbox(endpoint& self, std::size_t unexpected_messages, std::size_t unexpected_bytes)
    : self_(self),
      store_({.sources = self.cores(),
              .messages = unexpected_messages,
              .bytes = unexpected_bytes,
              .packet_messages = self.most_matches(),  // a packet is accepted as a whole
              .packet_bytes = self.packet_room() + k_line_bytes,
              .largest = k_eager_bytes,
              .senders = k_most_senders}),
      table_(std::make_unique<local_matching_table>(k_first_capacity)),
      most_sends_(k_most_senders / self.cores()) {}

// --- the table ----------------------------------------------------------------------------------

match_result mailbox::match(const hashed_key& key, match_kind kind, void* value) {
  if (entries_ == table_->capacity()) [[unlikely]]
    grow();
  const match_result r = table_->match(key, kind, value);
  GOSSAMER_DEBUG_ASSERT(r.what != match_result::status::full);
  const bool matched = r.what == match_result::status::matched;
  entries_ += matched ? std::size_t{0} - 1 : 1;
  if (kind == match_kind::receive ? !matched : matched) receives_ += matched ? std::size_t{0} - 1 : 1;
  return r;
}

void mailbox::grow() {
  GOSSAMER_ASSERT(entries_ < k_most_entries, "a mailbox holds more than its limits allow");
  auto wider = std::make_unique<local_matching_table>(std::min(4 * table_->capacity(), k_most_entries));
  table_->visit([&](const match_key& key, match_kind kind, void* value) {
    (void)wider->match(key, kind, value);  // oldest first: the order of equal keys stays
  });
  table_ = std::move(wider);
}

bool mailbox::take_out(const match_key& key, match_kind kind, void* value) {
  if (!table_->remove(key, kind, value)) return false;
  --entries_;
  if (kind == match_kind::receive) {
    --receives_;
    receive_waiters_.wake_one();
  }
  return true;
}

// --- arrivals -----------------------------------------------------------------------------------

void mailbox::arrive(const hashed_key& key, std::uint32_t source, std::uint64_t tag, const std::byte* data,
                     std::size_t bytes) {
  unexpected* const e = store_.next();
  const match_result r = match(key, match_kind::send, e);
  if (r.what == match_result::status::matched) {
    deliver(*static_cast<request*>(r.value), source, data, bytes);
    if (!receive_waiters_.empty()) receive_waiters_.wake_one();
    return;
  }
  e->tag = tag;
  e->source = source;
  e->sequence = sequence_++;
  store_.keep_copy(data, bytes);
}

bool mailbox::arrive_large(std::uint32_t source, std::uint64_t tag, const std::byte* data, std::size_t bytes,
                           request* sender, request*& granted_to) {
  unexpected* const e = store_.next();
  const match_result r = match(key_of(source, tag), match_kind::send, e);
  if (r.what == match_result::status::matched) {
    auto& receiver = *static_cast<request*>(r.value);
    if (self_.is_local(source))
      deliver(receiver, source, data, bytes);
    else if (expect_large(receiver, source, bytes))
      granted_to = &receiver;
    if (!receive_waiters_.empty()) receive_waiters_.wake_one();
    return true;
  }
  e->tag = tag;
  e->source = source;
  e->sequence = sequence_++;
  store_.keep_sender(data, bytes, sender);
  return false;
}

// --- sending and receiving ----------------------------------------------------------------------

// Suspends until there is space. All senders wait for the same space, so if the oldest does not fit, no other
// may continue.
void mailbox::wait_for_room() {
  bool waited = false;
  for (; !own_room(); waited = true) room_waiters_.wait("room for a message to its own core");
  // There may be space for more than this one: the next one checks, too.
  if (waited) room_waiters_.wake_one();
}

void mailbox::start_send(request& r, unsigned to, std::uint64_t tag, std::span<const std::byte> data) {
  GOSSAMER_ASSERT(to < self_.cores(), "a message to a core that there is not");
  while (sends_ == most_sends_) send_waiters_.wait("others of its large messages to be received");
  ++sends_;
  r.start(false, tag, to, const_cast<std::byte*>(data.data()), data.size());  // only read
  if (to != self_.id()) {
    const large_record record{tag, data.data(), data.size(), &r};
    std::byte* const at = self_.issue_room<large_record>(to, sizeof record, {.reply_bytes = sizeof(grant)});
    std::memcpy(at, &record, sizeof record);
    return;
  }
  request* none = nullptr;
  if (arrive_large(to, tag, data.data(), data.size(), &r, none)) received(r);
}

// --- large messages from other processes ---------------------------------------------------------

/// Prepares a receive for a message that arrives by a move or in chunks. If the message is too long for it,
/// completes it at once and returns false.
bool mailbox::expect_large(request& r, std::uint32_t source, std::size_t bytes) {
  r.source_ = source;
  r.bytes_ = bytes;
  r.sequence_ = 0;  // bytes received so far
  r.too_long_ = bytes > r.size_;
  if (r.too_long_) r.complete();
  return !r.too_long_;
}

void mailbox::take_chunk(request& r, std::uint64_t offset, const std::byte* chunk, std::size_t bytes) {
  if (bytes != 0) std::memcpy(r.data_ + offset, chunk, bytes);
  r.sequence_ += bytes;
  if (r.sequence_ == r.bytes_) r.complete();
}

/// Begins to receive an expected message, and returns how it arrives: by a move if chunks are slower, it is
/// large enough and a tag is free.
mailbox::way mailbox::begin_to_take(request& r) {
  if (self_.takes_chunks(r.source_, r.bytes_) || !self_.moves_bulk(r.source_, r.bytes_) ||
      r.bytes_ > k_most_moved)
    return {};
  const std::optional<unsigned> tag = self_.bulk().try_take();
  if (!tag) return {};
  self_.start_bulk({.direction = fabric::bulk_move::way::in,
                    .answers = false,
                    .peer = self_.process_of(r.source_),
                    .tag = bulk_tags::of_get(*tag),
                    .at = r.data_,
                    .bytes = r.bytes_,
                    .end = std::make_unique<class moved_in>(r, *tag)});
  return {true, *tag};
}

void mailbox::granted(request& sender, unsigned to, request* receiver, way how) {
  if (how.moves)
    return self_.start_bulk({.direction = fabric::bulk_move::way::out,
                             .answers = true,
                             .peer = self_.process_of(to),
                             .tag = bulk_tags::of_get(how.tag),
                             .at = sender.data_,
                             .bytes = sender.size_,
                             .end = std::make_unique<moved_out>(sender)});
  granted_.push_back({&sender, receiver, to, 0});
  self_.push_soon();
}

bool mailbox::push_chunk() {
  if (granted_.empty()) return false;
  transfer& t = granted_.front();  // stays in place when grants arrive meanwhile
  const chunk_record head{
      t.receiver, t.at, std::min(self_.chunk_room(t.to) - sizeof(chunk_record), t.sender->size_ - t.at), {}};
  self_.issue_chunk<chunk_record>(t.to, sizeof head + round_up(head.bytes, 8), [&](std::byte* place) {
    std::memcpy(place, &head, sizeof head);
    if (head.bytes != 0) std::memcpy(place + sizeof head, t.sender->data_ + t.at, head.bytes);
  });
  t.at += head.bytes;
  if (t.at < t.sender->size_) return true;
  request& sender = *t.sender;
  granted_.pop_front();
  received(sender);
  return !granted_.empty();
}

void mailbox::start_receive(request& r, std::uint32_t source, std::uint64_t tag,
                            std::span<std::byte> buffer) {
  GOSSAMER_ASSERT(self_.running() != nullptr && !self_.in_handler(), "only a fiber can receive");
  if (source >= self_.cores() && !by_tag(tag))
    throw error(
        fmt::format("receive: tag {:#x} from core {}: there are {} cores, and its tag space is not one "
                    "that this core matches by tag",
                    tag, static_cast<std::int32_t>(source), self_.cores()));
  while (receives_ == k_most_receives) receive_waiters_.wait("room for a receive");
  r.start(true, tag, source, buffer.data(), buffer.size());
  r.sequence_ = sequence_++;
  const match_result m = match(key_of(source, tag), match_kind::receive, &r);
  if (m.what != match_result::status::matched) return;
  receive_waiters_.wake_one();  // this receive needs no room: the next one may have it
  hand_over(r, *static_cast<unexpected*>(m.value));
}

/// Passes a kept message to its receiver.
void mailbox::hand_over(request& to, unexpected& from) {
  request* const sender = from.sender;
  const std::uint32_t source = from.source;
  const bool remote = sender != nullptr && !self_.is_local(source);
  const bool granted = remote && expect_large(to, source, from.bytes);
  if (!remote) deliver(to, source, from.data, from.bytes);
  const bool common = store_.forget(from);
  if (sender == nullptr) {
    self_.room_freed(source, common);
    if ((common || source == self_.id()) && !room_waiters_.empty() && own_room()) room_waiters_.wake_one();
    return;
  }
  if (source == self_.id()) return received(*sender);
  if (granted)
    self_.answer(source, grant{sender, &to, begin_to_take(to)});
  else
    self_.answer(source, receipt{sender});
  self_.send_answers();
}

bool mailbox::cancel(request& r) { return take_out(key_of(r.source_, r.tag_), match_kind::receive, &r); }

void mailbox::match_by_tag(std::uint16_t space) {
  struct stored {
    match_key key;
    match_kind kind;
    void* value;
    std::uint64_t sequence;
  };
  std::vector<stored> all;
  table_->visit([&](const match_key& key, match_kind kind, void* value) {
    if (key.tag >> 48 != space) return;
    all.push_back({key, kind, value,
                   kind == match_kind::send ? static_cast<unexpected*>(value)->sequence
                                            : static_cast<request*>(value)->sequence_});
  });
  if (spaces_ == nullptr) spaces_ = std::make_unique<std::bitset<65536>>();
  if (spaces_->test(space)) return;
  for (const stored& s : all) take_out(s.key, s.kind, s.value);
  spaces_->set(space);
  // As if they arrived now, in their original order.
  std::ranges::sort(all, {}, &stored::sequence);
  std::vector<pair> met;
  for (const stored& s : all) {
    const match_result r = match({s.key.tag, k_any_source}, s.kind, s.value);
    if (r.what != match_result::status::matched) continue;
    met.push_back(s.kind == match_kind::send
                      ? pair{static_cast<request*>(r.value), static_cast<unexpected*>(s.value)}
                      : pair{static_cast<request*>(s.value), static_cast<unexpected*>(r.value)});
  }
  for (const pair& p : met) hand_over(*p.to, *p.from);  // may suspend: the table is consistent again
}

// --- reports ------------------------------------------------------------------------------------

std::string mailbox::describe_wait(const fiber::fiber& f) {
  std::string first;
  std::size_t more = 0;
  table_->visit([&](const match_key& key, match_kind kind, void* value) {
    if (kind != match_kind::receive) return;
    const request& r = *static_cast<const request*>(value);
    if (r.waiting_fiber() != &f) return;
    if (!first.empty())
      ++more;
    else if (key.source == k_any_source)
      first = fmt::format("a message from any core, tag {:#x}", key.tag);
    else
      first = fmt::format("a message from core {}, tag {:#x}", key.source, key.tag);
  });
  return more == 0 ? first : fmt::format("{} (or {} more)", first, more);
}

std::string mailbox::describe_unmatched() {
  constexpr std::size_t k_shown = 4;
  std::vector<const unexpected*> all;
  table_->visit([&](const match_key&, match_kind kind, void* value) {
    if (kind == match_kind::send) all.push_back(static_cast<const unexpected*>(value));
  });
  if (all.empty()) return "";
  std::ranges::sort(all, {}, &unexpected::sequence);
  std::string text = fmt::format("core {} holds {} message{} that no fiber receives:", self_.id(), all.size(),
                                 all.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < all.size() && i < k_shown; ++i)
    text += fmt::format("{} from core {}, tag {:#x}, {} bytes", i == 0 ? "" : ",", all[i]->source,
                        all[i]->tag, all[i]->bytes);
  return text + (all.size() > k_shown ? ", ..." : "");
}

}  // namespace gossamer::message
