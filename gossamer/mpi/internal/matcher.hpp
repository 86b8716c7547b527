#pragma once
// Matches messages and receives of one rank by the rules of MPI (MPI 4.1, 3.5): of several receives that fit a message the
// oldest takes it, of several messages that fit a receive the oldest is taken. A receive may leave its source or its tag
// open; a message names both.
//
// Receives without an open field, and all messages that no receive has taken, lie in hash tables of queues, one queue for each
// (context, source, tag). Receives with an open field are in a list of their own, by age. So a message looks at one queue, and
// at that list where there is any; a receive with an open field walks the messages in the order of their arrival.
// Memory of the caller only: messages and receives are linked where they lie. One core uses it at a time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/hash.hpp"

namespace gossamer::mpi {

inline constexpr std::int32_t k_open = -1;  // any source, any tag

/// What a message is matched by.
struct envelope {
  std::uint32_t context = 0;
  std::int32_t source = 0;
  std::int32_t tag = 0;
  friend bool operator==(const envelope&, const envelope&) = default;

  bool open() const { return source == k_open || tag == k_open; }
  /// Returns whether this, of a receive, takes a message with envelope `m`.
  bool takes(const envelope& m) const {
    return context == m.context && (source == k_open || source == m.source) &&
           (tag == k_open || tag == m.tag);
  }
};

/// Links of something that waits under an envelope. Age is the matcher's count of calls.
template <class Entry>
struct waiting_entry {
  envelope what;
  std::uint64_t age = 0;
  Entry* next_in_queue = nullptr;
  Entry* last_in_queue = nullptr;  // of the queue that this one heads
  Entry* next_head = nullptr;  // of the bucket

 private:
  waiting_entry() = default;
  friend Entry;
};

/// Queues of entries by envelope. Grows with the number of different envelopes.
template <class Entry>
class envelope_queues {
 public:
  envelope_queues() : buckets_(k_first, nullptr) {}

  /// Where the pointer to a queue's head is, or would be put: until something is pushed.
  using place = Entry**;
  place find(const envelope& what) const {
    Entry** at = const_cast<Entry**>(&buckets_[hash(what) & (buckets_.size() - 1)]);
    while (*at != nullptr && !((*at)->what == what)) at = &(*at)->next_head;
    return at;
  }

  void push(Entry& e) {
    const place at = find(e.what);
    e.next_in_queue = e.next_head = nullptr;
    if (*at != nullptr) {
      (*at)->last_in_queue->next_in_queue = &e;
      (*at)->last_in_queue = &e;
      return;
    }
    e.last_in_queue = &e;
    *at = &e;
    if (++heads_ > buckets_.size()) grow();
  }

  /// Takes the oldest entry of the queue at a place, which there is.
  Entry& pop(place at) {
    Entry& e = **at;
    if (Entry* const next = e.next_in_queue; next != nullptr) {
      next->last_in_queue = e.last_in_queue;
      next->next_head = e.next_head;
      *at = next;
    } else {
      *at = e.next_head;
      --heads_;
    }
    return e;
  }

  /// Calls f(entry) for all, in no order.
  template <class F>
  void visit(F f) const {
    for (Entry* head : buckets_)
      for (; head != nullptr; head = head->next_head)
        for (Entry* e = head; e != nullptr; e = e->next_in_queue) f(*e);
  }

 private:
  static constexpr std::size_t k_first = 256;

  static std::size_t hash(const envelope& e) {
    return hash_words(std::uint64_t{e.context} << 32 | static_cast<std::uint32_t>(e.tag),
                      static_cast<std::uint32_t>(e.source));
  }
  void grow() {
    std::vector<Entry*> before(2 * buckets_.size(), nullptr);
    before.swap(buckets_);
    for (Entry* head : before)
      while (head != nullptr) {
        Entry* const next = head->next_head;
        head->next_head = nullptr;
        *find(head->what) = head;
        head = next;
      }
  }

  std::vector<Entry*> buckets_;  // a power of two
  std::size_t heads_ = 0;
};

/// Which of two receives that fit takes the message. Tests put a wrong rule here.
struct oldest_receive {
  static bool first_wins(std::uint64_t first_age, std::uint64_t second_age) { return first_age < second_age; }
};

/// Receive is derived from waiting_entry<Receive>; Message is too, with links `before` and `after` in the order of arrival.
template <class Receive, class Message, class Rule = oldest_receive>
class basic_matcher {
 public:
  /// Returns the receive that takes a message with this envelope, and forgets it; null where there is none: keep() it then.
  Receive* take(const envelope& what) {
    const auto exact = receives_.find(what);
    if (open_first_ != nullptr) [[unlikely]]
      if (Receive* const r = take_open(what, *exact)) return r;
    return *exact != nullptr ? &receives_.pop(exact) : nullptr;
  }

  /// Keeps a message that no receive takes.
  void keep(Message& m) {
    m.age = age_++;
    messages_.push(m);
    m.before = last_;
    m.after = nullptr;
    (last_ != nullptr ? last_->after : first_) = &m;
    last_ = &m;
  }

  /// Returns the message that `r` takes, or null: `r` is kept then.
  Message* post(Receive& r) {
    if (Message* const m = look(r.what)) {
      Message& taken = messages_.pop(messages_.find(m->what));
      GOSSAMER_DEBUG_ASSERT(&taken == m);
      (taken.before != nullptr ? taken.before->after : first_) = taken.after;
      (taken.after != nullptr ? taken.after->before : last_) = taken.before;
      return &taken;
    }
    r.age = age_++;
    if (!r.what.open()) {
      receives_.push(r);
      return nullptr;
    }
    r.next_in_queue = nullptr;
    (open_first_ != nullptr ? open_last_->next_in_queue : open_first_) = &r;
    open_last_ = &r;
    return nullptr;
  }

  /// Returns the message that a receive would take now, and leaves it.
  Message* look(const envelope& what) const {
    if (!what.open()) return *messages_.find(what);
    for (Message* m = first_; m != nullptr; m = m->after)
      if (what.takes(m->what)) return m;
    return nullptr;
  }

  /// Returns the oldest message that is kept; the others follow by `after`.
  Message* first_message() const { return first_; }
  /// Calls f(receive) for every receive that is kept.
  template <class F>
  void visit_receives(F f) const {
    receives_.visit(f);
    for (Receive* r = open_first_; r != nullptr; r = r->next_in_queue) f(*r);
  }

 private:
  /// Takes the oldest receive with an open field that fits, where it wins against `exact`.
  Receive* take_open(const envelope& what, const Receive* exact) {
    Receive* before = nullptr;
    for (Receive* r = open_first_; r != nullptr; before = r, r = r->next_in_queue) {
      if (!r->what.takes(what)) continue;
      if (exact != nullptr && Rule::first_wins(exact->age, r->age)) return nullptr;
      (before != nullptr ? before->next_in_queue : open_first_) = r->next_in_queue;
      if (open_last_ == r) open_last_ = before;
      return r;
    }
    return nullptr;
  }

  envelope_queues<Receive> receives_;
  envelope_queues<Message> messages_;
  Receive* open_first_ = nullptr;  // with an open field, oldest first
  Receive* open_last_ = nullptr;
  Message* first_ = nullptr;  // in the order of arrival
  Message* last_ = nullptr;
  std::uint64_t age_ = 0;
};

}  // namespace gossamer::mpi
