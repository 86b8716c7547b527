#pragma once
// Tasks: function objects to run in a fiber, counted by the completion under which they were spawned. Plain
// tasks stay on their core, oldest first (but see core::help()). Idle cores of the same process may steal
// stealable tasks; their own core runs the newest first, thieves take the oldest. Trivially copyable tasks
// may also move to other processes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/base/short_name.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/completion.hpp"

namespace gossamer::parallel {

/// Whether function objects of a type can be sent to another process: they are trivially copyable, and fit a
/// record.
template <class F>
inline constexpr bool k_travels = std::is_trivially_copyable_v<F> && sizeof(F) <= 1000 && alignof(F) <= 8;

/// A task, on one cache line: a function object and the completion that counts it. Moved as bytes; larger or
/// non-trivial function objects are allocated on the heap.
struct alignas(k_line_bytes) task {
  static constexpr std::size_t k_inline_bytes = 48;

  /// The functions of all tasks of one type. `run` and `ship` also destroy the task.
  struct kind {
    void (*run)(void* payload);
    void (*ship)(void* payload, unsigned to);  // sends it to a core of another process; null: it cannot move
    const char* name;  // for reports
  };

  const kind* type = nullptr;
  message::completion* scope = nullptr;
  alignas(8) std::byte payload[k_inline_bytes];

  /// Makes a task that runs f, counted by `scope`. Send(f, core), if given, sends the function object to
  /// another process.
  template <auto Send = nullptr, class F>
  static task make(message::completion* scope, F f) {
    task t;
    t.type = &k_kind<F, Send>;
    t.scope = scope;
    if constexpr (is_inline<F>()) {
      new (t.payload) F(std::move(f));
    } else {
      const auto boxed = reinterpret_cast<std::uintptr_t>(new F(std::move(f)));
      std::memcpy(t.payload, &boxed, sizeof boxed);
    }
    return t;
  }

 private:
  template <class F>
  static constexpr bool is_inline() {
    return std::is_trivially_copyable_v<F> && sizeof(F) <= k_inline_bytes && alignof(F) <= 8;
  }
  template <class F, class Use>
  static void use(void* payload, Use with) {
    if constexpr (is_inline<F>()) {
      with(*std::launder(static_cast<F*>(payload)));
    } else {
      std::uintptr_t boxed;
      std::memcpy(&boxed, payload, sizeof boxed);
      const std::unique_ptr<F> owner(reinterpret_cast<F*>(boxed));
      with(*owner);
    }
  }
  template <class F>
  static void run_payload(void* payload) {
    use<F>(payload, [](F& f) { f(); });
  }
  template <class F, auto Send>
  static constexpr auto ship_function() -> void (*)(void*, unsigned) {
    if constexpr (Send == nullptr)
      return nullptr;
    else
      return [](void* payload, unsigned to) { use<F>(payload, [to](F& f) { Send(f, to); }); };
  }

  template <class F, auto Send>
  inline static const kind k_kind{&run_payload<F>, ship_function<F, Send>(), name_of<F>()};
};
static_assert(sizeof(task) == k_line_bytes);

/// A growing ring buffer of tasks; one owner. Bounded by k_most: beyond it, or if memory does not suffice, the
/// program ends with a one-line error. (An exception would not do: the tasks are counted already, and some are
/// another core's.)
class task_ring {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  void push_back(const task& t) {
    if (size() == slots_.size()) grow();
    slots_[tail_++ & (slots_.size() - 1)] = t;
  }
  const task& back() const { return slots_[(tail_ - 1) & (slots_.size() - 1)]; }
  task pop_back() { return slots_[--tail_ & (slots_.size() - 1)]; }
  task pop_front() { return slots_[head_++ & (slots_.size() - 1)]; }

 private:
  static constexpr std::size_t k_most = std::size_t{1} << 26;  // 4 GiB of queued tasks on one core

  void grow() {
    GOSSAMER_ASSERT(slots_.size() < k_most, "67 million tasks wait on one core: spawn fewer at once");
    const std::size_t n = size();
    std::vector<task> wider = allocate(slots_.empty() ? 64 : 2 * slots_.size());
    for (std::size_t i = 0; i < n; ++i) wider[i] = slots_[(head_ + i) & (slots_.size() - 1)];
    slots_ = std::move(wider);
    head_ = 0;
    tail_ = n;
  }

  static std::vector<task> allocate(std::size_t slots) noexcept;

  std::vector<task> slots_;
  std::size_t head_ = 0, tail_ = 0;
};

/// Stealable tasks of one core, in two parts: a private one (plain memory, newest first) and a shared one
/// with the oldest tasks, from which thieves take half (or a set number) at a time without interrupting the
/// owner. The owner moves tasks to the shared part when it is empty.
///
///   field      writes           reads            protected by
///   private_   owner            owner            owner only
///   shared_    owner, thieves   owner, thieves   lock_
///   offered_   owner, thieves   any core         seq_cst: a core reads it before it sleeps
class stealable_tasks {
 public:
  bool any_private() const { return !private_.empty(); }
  /// Returns whether there are shared tasks to steal (or to take back). From any core.
  bool any_shared() const { return offered_.load(std::memory_order_seq_cst) != 0; }  // pairs with publish()

  /// Adds a task. Owner only. Returns whether it has moved tasks to the shared part (then a core may have to
  /// be woken).
  bool push(const task& t) {
    private_.push_back(t);
    return private_.size() >= k_offer_from && !any_shared() && offer();
  }
  /// Adds a task to the shared part. Owner only.
  void offer(const task& t) {
    machine::preemption_point();
    std::lock_guard hold(lock_);
    shared_.push_back(t);
    publish();
  }
  /// Takes the newest private task. If there is none, first takes the oldest shared tasks back. Owner only.
  bool pop(task& t) {
    if (private_.empty() && (!any_shared() || take_into(private_) == 0)) return false;
    t = private_.pop_back();
    return true;
  }
  /// Returns false if pop_of() would find no task. Owner only.
  bool newest_may_be_of(const message::completion& scope) const {
    return private_.empty() ? any_shared() : private_.back().scope == &scope;
  }
  /// Takes the newest task, if `scope` counts it. Owner only.
  bool pop_of(const message::completion& scope, task& t) {
    if (!private_.empty()) {
      if (private_.back().scope != &scope) return false;
      t = private_.pop_back();
      return true;
    }
    if (!any_shared()) return false;
    machine::preemption_point();
    std::lock_guard hold(lock_);
    if (shared_.empty() || shared_.back().scope != &scope) return false;
    t = shared_.pop_back();
    publish();
    return true;
  }
  /// Takes the oldest shared task that may move to another process, if there is one. Any core of the process.
  bool take_traveller(task& t) {
    if (!any_shared()) return false;
    machine::preemption_point();
    std::lock_guard hold(lock_);
    bool found = false;
    for (std::size_t n = shared_.size(); n > 0; --n) {  // once around: keeps the order of the others
      const task next = shared_.pop_front();
      if (!found && next.type->ship != nullptr) {
        t = next;
        found = true;
      } else {
        shared_.push_back(next);
      }
    }
    publish();
    return found;
  }
  std::size_t offered() const { return offered_.load(std::memory_order_relaxed); }  // a hint
  /// Moves at most `most` of the shared tasks into `mine`, or half of them if `most` is 0; returns their
  /// number. Called by the thief.
  std::size_t steal_into(stealable_tasks& mine, std::size_t most = 0) {
    return any_shared() ? take_into(mine.private_, most) : 0;
  }

 private:
  static constexpr std::size_t k_offer_from = 2;  // keep one, offer the rest

  bool offer() {
    machine::preemption_point();
    std::lock_guard hold(lock_);
    for (std::size_t n = divide_up(private_.size(), std::size_t{2}); n > 0; --n)
      shared_.push_back(private_.pop_front());
    publish();
    return true;
  }
  std::size_t take_into(task_ring& to, std::size_t most = 0) {
    machine::preemption_point();
    std::lock_guard hold(lock_);
    const std::size_t n =
        most != 0 ? std::min(most, shared_.size()) : divide_up(shared_.size(), std::size_t{2});
    for (std::size_t i = 0; i < n; ++i) to.push_back(shared_.pop_front());
    publish();
    return n;
  }
  void publish() { offered_.store(shared_.size(), std::memory_order_seq_cst); }  // pairs with any_shared()

  task_ring private_;
  alignas(k_line_bytes) std::mutex lock_;
  task_ring shared_;
  std::atomic<std::size_t> offered_{0};
};

}  // namespace gossamer::parallel
