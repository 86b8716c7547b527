#pragma once
// Histories of concurrent operations on one shared structure, for the checker beside this file: what each
// fiber asked, what it was answered, and the order of all invocations and answers.
// Every fiber writes into a log of its own; recorder::history() joins the logs once all fibers have ended.
// Fibers of simulated processes may write into one recorder: it lives outside the job, in one address space.

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gossamer::test::linearizability {

enum class kind : std::uint8_t {
  fetch_add,  // counter: adds the argument, answers what was there before
  read,       // counter
  push,       // stack, priority queue
  pop,        // stack: the youngest; priority queue: the smallest; nothing when empty
  enqueue,    // queue
  dequeue,    // queue: the oldest; nothing when empty
  insert,     // set, map: only where the key is absent; answers whether it was
  insert_or_assign,  // map: answers whether the key was absent
  contains,          // set, map
  lookup,            // map: the value; nothing when absent
  erase,             // set, map: answers whether the key was present
  update,            // map: value = updated(value, argument) where present; answers whether it was
  size,              // all but the counter
};

/// Returns what `update` makes of a value. No order of two updates can be taken for the other one.
constexpr std::uint64_t updated(std::uint64_t value, std::uint64_t argument) { return 31 * value + argument; }

/// What a checker says of a history.
enum class outcome : std::uint8_t { linearizable, rejected, undecided };

/// Later than all stamps: the end of what was never answered.
inline constexpr std::uint64_t k_never = std::numeric_limits<std::uint64_t>::max();

/// One operation. Truth values are answered as 0 and 1.
struct operation {
  kind what{};
  std::uint32_t fiber = 0;
  std::uint64_t key = 0, argument = 0;
  bool known = false;                   // is the answer? Not where the call gives none, or hasn't yet
  std::optional<std::uint64_t> answer;  // no value: "empty", "absent"
  std::uint64_t invoked = 0, answered = k_never;  // no two stamps of a history are the same

  bool pending() const { return answered == k_never; }
};

using history = std::vector<operation>;

inline operation asked(kind what, std::uint64_t key = 0, std::uint64_t argument = 0) {
  operation o;
  o.what = what, o.key = key, o.argument = argument;
  return o;
}
inline operation fetch_add(std::uint64_t n) { return asked(kind::fetch_add, 0, n); }
inline operation read() { return asked(kind::read); }
inline operation push(std::uint64_t value) { return asked(kind::push, 0, value); }
inline operation pop() { return asked(kind::pop); }
inline operation enqueue(std::uint64_t value) { return asked(kind::enqueue, 0, value); }
inline operation dequeue() { return asked(kind::dequeue); }
inline operation insert(std::uint64_t key, std::uint64_t value = 0) {
  return asked(kind::insert, key, value);
}
inline operation insert_or_assign(std::uint64_t key, std::uint64_t value) {
  return asked(kind::insert_or_assign, key, value);
}
inline operation contains(std::uint64_t key) { return asked(kind::contains, key); }
inline operation lookup(std::uint64_t key) { return asked(kind::lookup, key); }
inline operation erase(std::uint64_t key) { return asked(kind::erase, key); }
inline operation update(std::uint64_t key, std::uint64_t argument) {
  return asked(kind::update, key, argument);
}
inline operation size() { return asked(kind::size); }

inline bool puts(const operation& o) { return o.what == kind::push || o.what == kind::enqueue; }
inline bool takes(const operation& o) { return o.what == kind::pop || o.what == kind::dequeue; }

/// Returns true where this operation, with this answer, changes no state that it fits. Then every order that
/// is right without it stays right wherever it fits in. An order that is right with it is right without.
inline bool quiet(const operation& o) {
  switch (o.what) {
    case kind::read:
    case kind::contains:
    case kind::lookup:
    case kind::size:
      return true;
    case kind::fetch_add:
      return o.argument == 0;
    case kind::insert:
    case kind::erase:
    case kind::update:
      return o.known && o.answer == 0U;
    case kind::pop:
    case kind::dequeue:
      return o.known && !o.answer;
    default:
      return false;
  }
}

/// Writes an operation as a person does: "lookup(3) -> 7", "pop() -> nothing", "insert(3, 7) -> no".
inline std::string to_string(const operation& o) {
  static constexpr const char* k_names[] = {
      "fetch_add",        "read",     "push",   "pop",   "enqueue", "dequeue", "insert",
      "insert_or_assign", "contains", "lookup", "erase", "update",  "size"};
  const bool has_key = o.what >= kind::insert && o.what <= kind::update;
  const bool has_argument = o.what == kind::fetch_add || puts(o) || o.what == kind::insert_or_assign ||
                            o.what == kind::update || (o.what == kind::insert && o.argument != 0);
  const bool truth = has_key && o.what != kind::lookup;
  std::string text = k_names[static_cast<unsigned>(o.what)];
  text += '(';
  if (has_key) text += std::to_string(o.key);
  if (has_argument) text += (has_key ? ", " : "") + std::to_string(o.argument);
  text += ')';
  if (!o.known) return text;
  if (!o.answer) return text + " -> nothing";
  return text + " -> " + (truth ? (*o.answer != 0 ? "yes" : "no") : std::to_string(*o.answer));
}

/// When something happened: by a clock, and by the order of asking where the clock says the same.
struct moment {
  std::uint64_t time = 0, turn = 0;
  auto operator<=>(const moment&) const = default;
};

/// The one order of all moments of a recorder.
class order {
 public:
  using clock = std::uint64_t (*)();
  explicit order(clock now) : now_(now) {}
  moment next() {
    // seq_cst: an operation's own loads and stores stay between its two turns, and an answer that another
    // core has seen has an earlier turn than what that core invokes then. Partner: the other calls of next().
    const std::uint64_t time = now_ == nullptr ? 0 : now_();
    return {time, next_.fetch_add(1, std::memory_order_seq_cst)};
  }

 private:
  clock now_;
  std::atomic<std::uint64_t> next_{1};
};

/// What one fiber did, in its order. Only that fiber writes.
class alignas(64) fiber_log {
 public:
  fiber_log(order& o, std::uint32_t fiber, std::size_t expected) : order_(&o), fiber_(fiber) {
    records_.reserve(expected);
  }

  /// Notes that `o` is being asked, asks it by f() and notes its answer, which is returned: nothing, a truth
  /// value, a number or an optional number. When f throws, the operation stays pending: it may have happened.
  template <class F>
  auto call(const operation& o, F&& f) {
    const std::size_t id = invoke(o);
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(f)();
      answer(id);
    } else {
      auto result = std::forward<F>(f)();
      answer(id, result);
      return result;
    }
  }

  /// Notes that `o` is being asked; answer() notes its answer. Serves several operations under way: a bulk
  /// form, a split phase.
  std::size_t invoke(const operation& o) {
    records_.push_back({o, {}, {}, false});
    records_.back().what.fiber = fiber_;
    records_.back().from = order_->next();
    return records_.size() - 1;
  }
  void answer(std::size_t id) {
    records_[id].to = order_->next();
    records_[id].done = true;
  }
  template <std::integral T>
  void answer(std::size_t id, T value) {
    answer(id, std::optional<std::uint64_t>(static_cast<std::uint64_t>(value)));
  }
  template <class T>
  void answer(std::size_t id, const std::optional<T>& value) {
    answer(id);
    records_[id].what.known = true;
    if (value) records_[id].what.answer = static_cast<std::uint64_t>(*value);
  }
  /// Removes the last operation, which certainly had no effect: an error promised so.
  void withdraw_last() { records_.pop_back(); }

 private:
  friend class recorder;
  struct record {
    operation what;
    moment from, to;
    bool done;
  };
  order* order_;
  std::uint32_t fiber_;
  std::vector<record> records_;
};

/// The logs of all fibers of a run. Make it outside the job; each fiber uses of(its own number) only.
/// Without a clock stamps are turns of one counter, which is right for real threads and for simulations.
/// With the clock of virtual time they are ordered by that, which under a simulation is stricter: it looks
/// ahead, so what runs later may be earlier. Never give a clock that differs between threads.
class recorder {
 public:
  explicit recorder(std::size_t fibers, std::size_t operations_each = 64, order::clock now = nullptr)
      : order_(now) {
    logs_.reserve(fibers);
    for (std::size_t f = 0; f < fibers; ++f)
      logs_.emplace_back(order_, static_cast<std::uint32_t>(f), operations_each);
  }
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  fiber_log& of(std::size_t fiber) { return logs_[fiber]; }

  /// Returns all operations by invocation, stamped 1, 2, ...; only after all fibers have ended.
  linearizability::history history() const {
    linearizability::history all;
    std::vector<std::tuple<moment, std::size_t, bool>> moments;
    for (const fiber_log& log : logs_)
      for (const fiber_log::record& r : log.records_) {
        moments.emplace_back(r.from, all.size(), false);
        if (r.done) moments.emplace_back(r.to, all.size(), true);
        all.push_back(r.what);
      }
    std::ranges::sort(moments);
    std::uint64_t stamp = 0;
    for (const auto& [when, index, is_answer] : moments)
      (is_answer ? all[index].answered : all[index].invoked) = ++stamp;
    std::ranges::sort(all, {}, &operation::invoked);
    return all;
  }

 private:
  order order_;
  std::vector<fiber_log> logs_;
};

}  // namespace gossamer::test::linearizability
