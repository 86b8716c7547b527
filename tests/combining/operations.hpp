#pragma once
// One random operation on a structure, recorded: what histories are made of. Operations take handles of any type: an
// inline function that names a structure compiles all of it, and its handlers, into every program that sees it.

#include "combining/histories.hpp"
#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/combining/priority_queue.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"

namespace gossamer::test {

struct count_something {
  void operator()(lin::fiber_log& log, auto c, std::uint64_t draw, std::uint64_t number) const {
    const auto n = static_cast<std::int64_t>(number + 1);
    if (draw % 5 == 0)
      (void)log.call(lin::read(), [&] { return static_cast<std::uint64_t>(c.read()); });
    else
      (void)log.call(lin::fetch_add(number + 1), [&] { return static_cast<std::uint64_t>(c.fetch_add(n)); });
  }
};

/// An element of an array, used as a counter.
template <class T>
class scoped_element_of {
 public:
  explicit scoped_element_of(combine) : all_(k_elements) {}
  global_ptr<T> handle() const { return all_.handle().pointer(k_elements - 1); }

 private:
  static constexpr std::uint64_t k_elements = 64;  // the last core has the last one
  scoped_array<T> all_;
};
using scoped_element = scoped_element_of<std::uint64_t>;

struct count_in_element {
  void operator()(lin::fiber_log& log, auto at, std::uint64_t draw, std::uint64_t number) const {
    if (draw % 5 == 0)
      (void)log.call(lin::read(), [&] { return gossamer::read(at); });
    else
      (void)log.call(lin::fetch_add(number + 1), [&] { return gossamer::fetch_add(at, number + 1); });
  }
};

struct push_or_pop {
  void operator()(lin::fiber_log& log, auto s, std::uint64_t draw, std::uint64_t number) const {
    if (draw % 2 == 0)
      log.call(lin::push(number + 1), [&] { s.push(number + 1); });
    else
      (void)log.call(lin::pop(), [&] { return s.pop(); });
  }
};

struct enqueue_or_dequeue {
  void operator()(lin::fiber_log& log, auto q, std::uint64_t draw, std::uint64_t number) const {
    if (draw % 2 == 0)
      log.call(lin::enqueue(number + 1), [&] { q.enqueue(number + 1); });
    else
      (void)log.call(lin::dequeue(), [&] { return q.dequeue(); });
  }
};

/// Priorities in no order.
struct push_or_pop_smallest {
  void operator()(lin::fiber_log& log, auto q, std::uint64_t draw, std::uint64_t number) const {
    const std::uint64_t value = (draw >> 40 << 16) + number + 1;
    if (draw % 2 == 0)
      log.call(lin::push(value), [&] { q.push(value); });
    else
      (void)log.call(lin::pop(), [&] { return q.pop(); });
  }
};

/// Ten keys, of which some have the same owner.
struct use_set {
  void operator()(lin::fiber_log& log, auto s, std::uint64_t draw, std::uint64_t) const {
    const std::uint64_t key = draw / 8 % 10;
    switch (draw % 4) {
      case 0:
        (void)log.call(lin::insert(key), [&] { return s.insert(key); });
        break;
      case 1:
        (void)log.call(lin::erase(key), [&] { return s.erase(key); });
        break;
      default:
        (void)log.call(lin::contains(key), [&] { return s.contains(key); });
    }
  }
};

/// Mostly insertions, of so many keys that tables grow meanwhile.
struct grow_set {
  void operator()(lin::fiber_log& log, auto s, std::uint64_t draw, std::uint64_t) const {
    const std::uint64_t key = draw / 8 % 50;
    switch (draw % 8) {
      case 0:
      case 1:
        (void)log.call(lin::erase(key), [&] { return s.erase(key); });
        break;
      case 2:
      case 3:
        (void)log.call(lin::contains(key), [&] { return s.contains(key); });
        break;
      default:
        (void)log.call(lin::insert(key), [&] { return s.insert(key); });
    }
  }
};

struct use_map {
  void operator()(lin::fiber_log& log, auto m, std::uint64_t draw, std::uint64_t number) const {
    const std::uint64_t key = draw / 8 % 10, value = number + 1;
    switch (draw % 5) {
      case 0:
        (void)log.call(lin::insert(key, value), [&] { return m.insert(key, value); });
        break;
      case 1:
        (void)log.call(lin::insert_or_assign(key, value), [&] { return m.insert_or_assign(key, value); });
        break;
      case 2:
        (void)log.call(lin::erase(key), [&] { return m.erase(key); });
        break;
      default:
        (void)log.call(lin::lookup(key), [&] { return m.lookup(key); });
    }
  }
};

/// A set and a map whose lookups are answered from what their core is about to make global, too.
template <class Scoped>
struct with_pending_lookups : Scoped {
  explicit with_pending_lookups(combine where) : Scoped(where, lookups::from_pending) {}
};
using pending_set = with_pending_lookups<scoped_hash_set<std::uint64_t>>;
using pending_map = with_pending_lookups<scoped_hash_map<std::uint64_t, std::uint64_t>>;

/// Fewer keys than use_map, so that fibers look for what others assign.
struct use_pending_map {
  void operator()(lin::fiber_log& log, auto m, std::uint64_t draw, std::uint64_t number) const {
    const std::uint64_t key = draw / 8 % 8, value = number + 1;
    switch (draw % 6) {
      case 0:
        (void)log.call(lin::insert(key, value), [&] { return m.insert(key, value); });
        break;
      case 1:
      case 2:
        (void)log.call(lin::insert_or_assign(key, value), [&] { return m.insert_or_assign(key, value); });
        break;
      case 3:
        (void)log.call(lin::erase(key), [&] { return m.erase(key); });
        break;
      default:
        (void)log.call(lin::lookup(key), [&] { return m.lookup(key); });
    }
  }
};

}  // namespace gossamer::test
