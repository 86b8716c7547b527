#pragma once
// Random histories for tests of the checker, and an oracle for small ones: it knows the structures in the
// plainest form, apart from models.hpp, and tries all orders.

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "support/linearizability/checker.hpp"

namespace gossamer::test::linearizability {

/// The structures once more, as plainly as possible and apart from models.hpp.
struct plain_structure {
  structure what;
  std::uint64_t count = 0;
  std::deque<std::uint64_t> values;
  std::map<std::uint64_t, std::uint64_t> entries;

  std::optional<std::uint64_t> take() {
    if (values.empty()) return {};
    auto it = what == structure::stack   ? values.end() - 1
              : what == structure::queue ? values.begin()
                                         : std::ranges::min_element(values);
    const std::uint64_t value = *it;
    values.erase(it);
    return value;
  }
  std::optional<std::uint64_t> answer(const operation& o) {
    const bool present = entries.contains(o.key);
    switch (o.what) {
      case kind::fetch_add:
        count += o.argument;
        return count - o.argument;
      case kind::read:
        return count;
      case kind::push:
      case kind::enqueue:
        values.push_back(o.argument);
        return {};
      case kind::pop:
      case kind::dequeue:
        return take();
      case kind::insert:
        entries.emplace(o.key, o.argument);
        return !present;
      case kind::insert_or_assign:
        entries[o.key] = o.argument;
        return !present;
      case kind::contains:
        return present;
      case kind::lookup:
        return present ? std::optional(entries[o.key]) : std::nullopt;
      case kind::erase:
        return entries.erase(o.key);
      case kind::update:
        if (present) entries[o.key] = updated(entries[o.key], o.argument);
        return present;
      case kind::size:
        return what == structure::set || what == structure::map ? entries.size() : values.size();
    }
    return {};
  }
};

/// Tries all orders, one after the other.
inline bool some_order_fits(const plain_structure& state, const history& left) {
  if (std::ranges::all_of(left, &operation::pending)) return true;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (std::ranges::any_of(left, [&](const operation& o) { return o.answered < left[i].invoked; })) continue;
    plain_structure next = state;
    if (next.answer(left[i]) != left[i].answer && left[i].known) continue;
    history rest = left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (some_order_fits(next, rest)) return true;
  }
  return false;
}

// ---- random histories
// --------------------------------------------------------------------------------------

struct workload {
  structure what;
  unsigned fibers, operations;
  std::uint64_t keys = 3;
  bool distinct = true, sizes = false;
  unsigned unanswered = 0;  // fibers that stop in the midst of an operation
};

class generator {
 public:
  generator(const workload& w, std::uint64_t seed) : w_(w), random_(seed), plain_{w.what, 0, {}, {}} {}

  /// Returns some sequential execution, in which each operation takes effect somewhere between its two
  /// stamps.
  history linearizable() {
    std::vector<std::uint32_t> idle, asking, done;
    for (std::uint32_t f = 0; f < w_.fibers; ++f) idle.push_back(f);
    std::vector<std::size_t> current(w_.fibers);
    history h;
    std::uint64_t stamp = 0;
    while (h.size() < w_.operations || asking.size() + done.size() > w_.unanswered) {
      const std::uint64_t step = draw(3);
      if (step == 0 && !idle.empty() && h.size() < w_.operations) {
        const std::uint32_t f = take_any(idle);
        current[f] = h.size();
        h.push_back(some_operation());
        h.back().fiber = f;
        h.back().invoked = ++stamp;
        asking.push_back(f);
      } else if (step == 1 && !asking.empty()) {
        const std::uint32_t f = take_any(asking);
        operation& o = h[current[f]];
        o.answer = plain_.answer(o);
        done.push_back(f);
      } else if (step == 2 && !done.empty()) {
        const std::uint32_t f = take_any(done);
        h[current[f]].answered = ++stamp;
        h[current[f]].known = !puts(h[current[f]]);
        idle.push_back(f);
      }
    }
    for (operation& o : h)
      if (o.pending()) o.answer.reset();
    return h;
  }

  /// Changes some answers or intervals, so that it may be linearizable or not.
  void mutate(history& h) {
    for (std::uint64_t times = 1 + draw(2); times > 0; --times) {
      operation& o = h[draw(h.size())];
      operation& p = h[draw(h.size())];
      if (draw(3) == 0 && o.pending() == p.pending()) {
        std::swap(o.invoked, p.invoked);
        std::swap(o.answered, p.answered);
      } else if (o.known && p.known && takes(o) == takes(p) && draw(2) == 0) {
        std::swap(o.answer, p.answer);
      } else if (o.known) {
        o.answer =
            takes(o) || o.what == kind::lookup ? std::nullopt : std::optional(1 - o.answer.value_or(0) % 2);
      }
    }
  }

 private:
  std::uint64_t draw(std::uint64_t n) { return bounded(random_, n); }
  std::uint32_t take_any(std::vector<std::uint32_t>& from) {
    std::swap(from[draw(from.size())], from.back());
    const std::uint32_t f = from.back();
    from.pop_back();
    return f;
  }
  operation some_operation() {
    if (w_.sizes && draw(8) == 0) return size();
    const std::uint64_t key = draw(w_.keys);
    const std::uint64_t value = w_.distinct ? draw(1'000'000) << 20 | ++values_ : draw(3);
    switch (w_.what) {
      case structure::counter:
        return draw(3) == 0 ? read() : fetch_add(draw(4));
      case structure::queue:
        return draw(2) == 0 ? dequeue() : enqueue(value);
      case structure::set:
        return asked(std::array{kind::insert, kind::erase, kind::contains}[draw(3)], key);
      case structure::map:
        return map_operation(draw(6), key, value);
      default:
        return draw(2) == 0 ? pop() : push(value);
    }
  }
  static operation map_operation(std::uint64_t which, std::uint64_t key, std::uint64_t value) {
    const operation all[] = {insert(key, value), insert_or_assign(key, value),
                             lookup(key),        lookup(key),
                             erase(key),         update(key, value)};
    return all[which];
  }

  workload w_;
  xoshiro256 random_;
  plain_structure plain_;
  std::uint64_t values_ = 0;
};

}  // namespace gossamer::test::linearizability
