#pragma once
// The shared state of a structure, on one core, the home core. Other cores reach it by messages; one message
// at a time changes it. With combine::off and local a message is applied when it arrives. With home and both,
// a server fiber of the home core applies all messages that have arrived since it last ran. It becomes ready
// behind all other fibers of the core. State may reorder the gathered messages first.
//
// A State has
//   using message, answer               trivially copyable; an answer has at most 512 bytes
//   A apply(const M&)                   for M message, or other types that convert to it, with M::answer
//   void arrange(std::span<gathered>)   optional: reorders the gathered messages

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/combining/engine/internal/server_fiber.hpp"
#include "gossamer/fiber/owning_job.hpp"
#include "gossamer/memory/global_ptr.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::combining {

/// The answer type of a State for a message of type M.
template <class State, class M>
using answer_to = decltype(std::declval<State&>().apply(std::declval<const M&>()));

template <class State, class M>
class home_state {
 public:
  using answer = answer_to<State, M>;
  using slot = message::call_slot<answer>;
  struct gathered {
    M what;
    slot* asker;
    core_id from;
  };

  template <class... Args>
  explicit home_state(Args&&... args) : state(std::forward<Args>(args)...) {}

  State state;

  void gather(const M& what, slot* asker, core_id from) {
    waiting_.push_back({what, asker, from});
    server_.notify();
  }
  bool gathers() const { return server_.started(); }

  void open() {
    if (!server_.start<&home_state::serve>(this, "combining: the home core"))
      parallel::core::here().refuse(fiber::stack_class::regular);
  }
  void close() {
    GOSSAMER_ASSERT(waiting_.empty(), "a combining structure is destroyed while requests wait for it");
    server_.close();
  }

 private:
  void serve() {
    auto& self = parallel::core::here();
    std::vector<gathered> group;
    while (server_.next([this] { return !waiting_.empty(); }, "requests to combine at the home core")) {
      group.clear();
      group.swap(waiting_);
      if constexpr (requires { state.arrange(std::span(group)); }) state.arrange(std::span(group));
      for (const gathered& g : group) answer_one(self, g);
      self.request_flush();
    }
  }
  void answer_one(parallel::core& self, const gathered& g) {
    std::exception_ptr* failure = nullptr;
    std::optional<answer> value;
    try {
      value.emplace(state.apply(g.what));
    } catch (...) {
      failure = new std::exception_ptr(std::current_exception());
    }
    if (g.from == self.id()) {
      if (failure != nullptr) {
        g.asker->error = *failure;
        delete failure;
      }
      g.asker->value = value;
      self.wake(*g.asker->waiter);
    } else if (failure != nullptr) {
      self.answer(g.from, message::failure_record<answer>{g.asker, failure});
    } else {
      self.answer(g.from, message::answer_record<answer>{g.asker, *value});
    }
  }

  std::vector<gathered> waiting_;
  server_fiber server_;
};

template <class State, class M>
struct gather_record {
  home_state<State, M>* at;
  M what;
  typename home_state<State, M>::slot* asker;
  void operator()(const message::dispatch& d) const { at->gather(what, asker, d.source); }
};

/// A handle of the state: trivially copyable.
template <class State, class Message>
class home_proxy {
 public:
  /// Runs state.apply(m) at the home core. Suspends until its answer has arrived; rethrows its exception. On
  /// the home core itself it is a plain call, unless the home core gathers. Costs one small message each way.
  /// If `many` requests wait for the answer, both messages are sent at once, without waiting to be
  /// aggregated.
  template <class M>
  auto call(const M& m, bool many = false) const -> answer_to<State, M> {
    auto& self = parallel::core::here();
    auto& count = self.count();
    ++count.combine_messages;
    count.combine_bytes += sizeof(M);
    if (many && home_core() != self.id()) self.request_flush();
    if (gathers_) return answer_to<State, M>(gathered_call(self, Message(m)));
    if (!many) return gossamer::call(at_, [m](the_state& d) { return d.state.apply(m); });
    return gossamer::call(at_, [m](the_state& d) {
      message::endpoint::here().request_flush();
      return d.state.apply(m);
    });
  }
  core_id home_core() const { return at_.owner(); }
  /// Runs f(state, items) as a handler at the home core, with a copy of the items. The enclosing completion
  /// counts it and receives exceptions of f. Takes any number of items.
  template <class T, class F>
  void async_with(std::span<const T> items, F f) const {
    auto& count = parallel::core::here().count();
    ++count.combine_messages;
    count.combine_bytes += items.size_bytes();
    async_on(
        at_.owner(),
        [at = at_.address(), f](std::span<const std::byte> bytes) {
          f(at->state, std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)));
        },
        std::as_bytes(items));
  }
  /// Runs f(state) in a task at the home core and waits for it; f may suspend.
  template <class F>
  auto visit(F f) const {
    return on_core(at_.owner(), [at = at_, f] { return f(at.address()->state); });
  }

 protected:
  using the_state = home_state<State, Message>;

  auto gathered_call(parallel::core& self, const Message& m) const -> answer_to<State, Message> {
    typename the_state::slot slot{self.running()};
    GOSSAMER_ASSERT(slot.waiter != nullptr, "only a fiber can call (a handler cannot wait)");
    if (at_.owner() == self.id())
      at_.address()->gather(m, &slot, self.id());
    else
      self.issue_uncounted(at_.owner(), gather_record<State, Message>{at_.address(), m, &slot});
    self.suspend("the answer of the home core");
    if (slot.error) message::rethrow(slot.error);
    return *slot.value;
  }

  global_ptr<the_state> at_;
  bool gathers_ = false;
};

/// Owns the state. The core that makes it is the home core. Its destruction suspends; after its job it does nothing, because the
/// state has ended with the heap of the home core.
template <class State, class Message>
class scoped_home_state : public home_proxy<State, Message> {
  using typename home_proxy<State, Message>::the_state;

 public:
  template <class... Args>
  explicit scoped_home_state(combine where, Args&&... args) {
    this->at_ = make_global<the_state>(std::forward<Args>(args)...);
    this->gathers_ = merges_at_home(where);
    if (this->gathers_) this->at_.address()->open();
  }
  /// Does not compile: capture handle().
  scoped_home_state(const scoped_home_state&) : scoped_home_state(combine::off) {
    refuse_copy<scoped_home_state>();
  }
  scoped_home_state& operator=(const scoped_home_state&) = delete;
  ~scoped_home_state() {
    if (!job_.runs_here()) return;
    on_core(this->at_.owner(), [at = this->at_] { at.address()->close(); });
    destroy_global(this->at_);
  }
  home_proxy<State, Message> handle() const { return *this; }

 private:
  fiber::owning_job job_;
};

}  // namespace gossamer::combining
