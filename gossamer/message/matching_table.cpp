#include "gossamer/message/matching_table.hpp"

#include <algorithm>

#include "gossamer/machine/clock.hpp"

namespace gossamer::message {

/// The position of a key: way `i` of `line`, whose word is `*word` (of the bucket: the taker's copy).
template <sharing Sharing>
struct basic_matching_table<Sharing>::place {
  bucket* line = nullptr;
  std::uint32_t* word = nullptr;
  std::uint32_t i = k_ways;
  std::uint32_t number = 0;         // of the line; 0: the bucket itself
  std::uint32_t* before = nullptr;  // word of the line that points here

  bool found() const { return i < k_ways; }
  bool queued() const { return ((*word >> (k_queued_shift + i)) & 1) != 0; }
  match_kind kind() const { return kind_of(*word, i); }
  void*& value() const { return line->value[i]; }
};

template <sharing Sharing>
basic_matching_table<Sharing>::basic_matching_table(std::size_t capacity)
    : capacity_(capacity),
      mask_(std::bit_ceil(std::max<std::size_t>(divide_up(capacity, std::size_t{2}), 2)) - 1),
      run_shift_(static_cast<unsigned>(std::countl_zero(mask_))),
      // Every line in use holds a value, but for one that continues a bucket with queued keys only.
      most_lines_(
          static_cast<std::uint32_t>(std::min<std::size_t>(2 * capacity + 2, (k_taken >> k_next_shift) - 1))),
      bucket_region_((mask_ + 1) * sizeof(bucket), "matching table", machine::pages::huge),
      line_region_((std::size_t{most_lines_} + 1) * sizeof(line), "matching table, lines"),
      buckets_(reinterpret_cast<bucket*>(bucket_region_.data())),
      lines_(reinterpret_cast<line*>(line_region_.data())) {
  GOSSAMER_ASSERT(capacity < std::size_t{1} << 22, "a matching table holds at most 4 million entries");
}

template <sharing Sharing>
std::uint32_t basic_matching_table<Sharing>::take_contended(bucket& b) {
  const std::atomic_ref<std::uint32_t> word(b.word);
  while (true) {
    while (word.load(std::memory_order_relaxed) == k_taken)
      machine::cpu_relax();  // only a hint; reads its own copy
    const std::uint32_t before = word.exchange(k_taken, std::memory_order_acquire);  // pairs with give()
    if (before != k_taken) return before;
  }
}

// --- spare lines --------------------------------------------------------------------------------

template <sharing Sharing>
void basic_matching_table<Sharing>::lock_lines() {
  if constexpr (Sharing == sharing::shared) {
    const std::atomic_ref<std::uint32_t> taken(spare_.taken);
    while (taken.exchange(1, std::memory_order_acquire) != 0)  // pairs with unlock_lines()
      while (taken.load(std::memory_order_relaxed) != 0) machine::cpu_relax();
  }
}

template <sharing Sharing>
void basic_matching_table<Sharing>::unlock_lines() {
  if constexpr (Sharing == sharing::shared)  // release: the free list; pairs with lock_lines()
    std::atomic_ref<std::uint32_t>(spare_.taken).store(0, std::memory_order_release);
}

/// Returns the number of an empty line, or 0 if there is none.
template <sharing Sharing>
std::uint32_t basic_matching_table<Sharing>::take_line() {
  lock_lines();
  std::uint32_t number = spare_.first;
  if (number != 0)
    spare_.first = lines_[number].next_free;
  else if (spare_.made < most_lines_)
    number = ++spare_.made;
  unlock_lines();
  if (number != 0) lines_[number] = line{};
  return number;
}

template <sharing Sharing>
void basic_matching_table<Sharing>::give_line(std::uint32_t number) {
  lock_lines();
  lines_[number].next_free = spare_.first;
  spare_.first = number;
  unlock_lines();
}

// --- one bucket, taken --------------------------------------------------------------------------

template <sharing Sharing>
typename basic_matching_table<Sharing>::place basic_matching_table<Sharing>::locate(bucket& head,
                                                                                    std::uint32_t& head_word,
                                                                                    const match_key& key) {
  place p{&head, &head_word, k_ways, 0, nullptr};
  while (true) {
    p.i = find(*p.line, *p.word, key);
    const std::uint32_t next = *p.word >> k_next_shift;
    if (p.found() || next == 0) return p;
    p = {&line_of(next), &line_of(next).word, k_ways, next, p.word};
  }
}

/// Stores the first value of a key. Returns false if there is no line.
template <sharing Sharing>
bool basic_matching_table<Sharing>::add(bucket& head, std::uint32_t& head_word, const match_key& key,
                                        match_kind kind, void* value) {
  bucket* b = &head;
  std::uint32_t* word = &head_word;
  while ((*word & k_used) == k_used) {
    std::uint32_t next = *word >> k_next_shift;
    if (next == 0) {
      next = take_line();
      if (next == 0) return false;
      *word |= next << k_next_shift;
    }
    b = &line_of(next);
    word = &b->word;
  }
  *word = store(*b, *word, key, kind, value);
  return true;
}

/// Stores a further value of a key.
template <sharing Sharing>
bool basic_matching_table<Sharing>::append(place& where, void* value) {
  if (!where.queued()) {
    const std::uint32_t only = take_line();
    if (only == 0) return false;
    queue_line& q = queue_of(only);
    q.value[q.end++] = where.value();
    where.value() = as_value({only, only});
    *where.word |= 1U << (k_queued_shift + where.i);
  }
  queue_ends ends = ends_of(where.value());
  if (queue_of(ends.last).end == k_line_values) {
    const std::uint32_t further = take_line();
    if (further == 0) return false;
    queue_of(ends.last).next = further;
    ends.last = further;
    where.value() = as_value(ends);
  }
  queue_line& q = queue_of(ends.last);
  q.value[q.end++] = value;
  return true;
}

template <sharing Sharing>
void* basic_matching_table<Sharing>::take_oldest(place& where) {
  if (!where.queued()) {
    void* const value = where.value();
    drop(where);
    return value;
  }
  const queue_ends ends = ends_of(where.value());
  queue_line& q = queue_of(ends.first);
  void* const value = q.value[q.begin++];
  if (q.begin == q.end) {
    where.value() = as_value({q.next, ends.last});
    const bool last = ends.first == ends.last;
    give_line(ends.first);
    if (last) drop(where);
  }
  return value;
}

/// Removes the key, and its line if that is empty.
template <sharing Sharing>
void basic_matching_table<Sharing>::drop(place& where) {
  *where.word &= ~(k_entry_bits << where.i);
  if (where.number == 0 || (*where.word & k_used) != 0) return;
  const std::uint32_t next = *where.word >> k_next_shift;
  *where.before = (*where.before & ((1U << k_next_shift) - 1)) | next << k_next_shift;
  give_line(where.number);
}

/// Removes a value from the middle of a queue: those before it move up by one.
template <sharing Sharing>
bool basic_matching_table<Sharing>::remove_queued(place& where, void* value) {
  bool there = false;
  const queue_ends ends = ends_of(where.value());
  for (std::uint32_t n = ends.first; !there; n = queue_of(n).next) {
    const queue_line& q = queue_of(n);
    there = std::find(q.value + q.begin, q.value + q.end, value) != q.value + q.end;
    if (n == ends.last) break;
  }
  if (!there) return false;
  void* moved = nullptr;
  for (std::uint32_t n = ends.first;; n = queue_of(n).next) {
    queue_line& q = queue_of(n);
    for (std::uint32_t i = q.begin; i < q.end; ++i) {
      std::swap(q.value[i], moved);
      if (moved == value) {
        take_oldest(where);  // the free slot at the front
        return true;
      }
    }
  }
}

// --- operations ---------------------------------------------------------------------------------

template <sharing Sharing>
match_result basic_matching_table<Sharing>::match_slowly(bucket& b, std::uint32_t word, const match_key& key,
                                                         match_kind kind, void* value) {
  match_result result;
  place where = locate(b, word, key);
  if (where.found() && where.kind() != kind)
    result = {match_result::status::matched, take_oldest(where)};
  else if (!(where.found() ? append(where, value) : add(b, word, key, kind, value)))
    result.what = match_result::status::full;
  give(b, word);
  return result;
}

template <sharing Sharing>
bool basic_matching_table<Sharing>::remove(const match_key& key, match_kind kind, void* value) {
  bucket& b = at(key);
  std::uint32_t word = take(b);
  place where = locate(b, word, key);
  bool there = where.found() && where.kind() == kind;
  if (there && where.queued()) {
    there = remove_queued(where, value);
  } else if (there) {
    there = where.value() == value;
    if (there) drop(where);
  }
  give(b, word);
  return there;
}

template <sharing Sharing>
void basic_matching_table<Sharing>::visit(function_ref<void(const match_key&, match_kind, void*)> f) {
  const auto visit_entry = [&](const place& p) {
    const match_key key{p.line->tag[p.i], p.line->source[p.i]};
    if (!p.queued()) return f(key, p.kind(), p.value());
    const queue_ends ends = ends_of(p.value());
    for (std::uint32_t n = ends.first;; n = queue_of(n).next) {
      const queue_line& q = queue_of(n);
      for (std::uint32_t v = q.begin; v < q.end; ++v) f(key, p.kind(), q.value[v]);
      if (n == ends.last) return;
    }
  };
  for (std::uint64_t n = 0; n <= mask_; ++n) {
    bucket& head = buckets_[n];
    if (std::atomic_ref<std::uint32_t>(head.word).load(std::memory_order_relaxed) == 0)
      continue;  // only a hint, so that pages never used stay untouched
    std::uint32_t head_word = take(head);
    place p{&head, &head_word, 0, 0, nullptr};
    while (true) {
      for (p.i = 0; p.i < k_ways; ++p.i)
        if (((*p.word >> p.i) & 1) != 0) visit_entry(p);
      const std::uint32_t next = *p.word >> k_next_shift;
      if (next == 0) break;
      p = {&line_of(next), &line_of(next).word, 0, next, p.word};
    }
    give(head, head_word);
  }
}

template class basic_matching_table<sharing::shared>;
template class basic_matching_table<sharing::local>;

}  // namespace gossamer::message
