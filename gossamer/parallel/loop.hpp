#pragma once
// Tasks and loops. What is spawned, looped over or shipped is counted by the enclosing completion: a loop,
// on_all_cores() or finish() returns when all of it has finished, wherever it went. Function objects are
// copied to where they run: capture numbers and handles (arrays, per_core, global pointers) by value.
// All are for fibers; none of the loops is collective: one fiber calls, all cores work.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/machine/simulated.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/visit.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer {

namespace parallel {

/// Ends the program in one line: negative numbers as bounds, converted.
[[noreturn, gnu::cold]] void refuse_range(const char* call, std::uint64_t begin, std::uint64_t end);

template <class F>
void check_body([[maybe_unused]] const F& f) {
  static_assert(
      std::is_trivially_copyable_v<F>,
      "the body of a loop is copied as bytes to other cores: capture numbers and handles by value, no "
      "strings, vectors or references");
  message::check_captures(f);
}

/// One more task under the scope of the running fiber or handler. Send: see task::make().
template <auto Send = nullptr, class F>
task counted_task(core& self, F f) {
  message::completion* scope = self.scope();
  GOSSAMER_ASSERT(scope != nullptr, "a task needs an enclosing completion: spawn from a fiber of the job");
  const task t = task::make<Send>(scope, std::move(f));  // may throw: nothing has been counted then
  scope->issue(1);
  return t;
}

/// A stealable task that has come from another process. There it may be stolen on, also back.
template <class F>
struct arrival {
  F f;
  void operator()() const;
};
template <class F>
void send_task(const F& f, unsigned to) {
  async_on(to, arrival<F>{f});
}
template <class F>
void arrival<F>::operator()() const {
  core& self = core::here();
  self.arrive(counted_task<&send_task<F>>(self, f));
}

template <class F>
task stealable_task(core& self, F f) {
  if constexpr (k_travels<F>)
    return counted_task<&send_task<F>>(self, std::move(f));
  else
    return counted_task(self, std::move(f));
}

/// Runs body(core, completion) under a completion of its own and waits for it (message/visit.hpp).
template <class Body>
void under_completion(Body body, const char* call) {
  auto& self = static_cast<core&>(message::inside(call));
  message::wait_for_all([&] { body(self, *self.scope()); }, call);
}

/// From begin() on the newest tasks come first (core::begin_deep_wait()).
class deep_wait {
 public:
  deep_wait() = default;
  deep_wait(const deep_wait&) = delete;
  deep_wait& operator=(const deep_wait&) = delete;
  ~deep_wait() {
    if (at_ != nullptr) at_->end_deep_wait();
  }
  void begin(core& at) {
    at.begin_deep_wait();
    at_ = &at;
  }

 private:
  core* at_ = nullptr;
};

/// Inside a process: the body stays on the stack of the fiber that waits for the completion.
template <class F>
struct launch_record {
  const F* f;
  message::completion* scope;
  void operator()(const message::dispatch&) const { launch(core::here(), f, scope); }

  static void launch(core& at, const F* f, message::completion* scope) {
    at.push_plain(task::make(scope, [f] {
      F mine(*f);
      mine();
    }));
  }
};

/// To another process the body travels.
template <class F>
struct remote_launch_record {
  F f;
  void operator()(const message::dispatch& d) const {
    core& self = core::here();
    self.push_plain(counted_task(self, f));
    (void)d;
  }
};
template <class F>
inline constexpr bool k_ships = sizeof(remote_launch_record<F>) <= 1024;

/// How many other processes one tells or asks, one after the other, before a tree of two levels is faster.
inline std::uint32_t fan_out() {
  std::uint32_t n = 16;
  if (processes() - 1 > n)
    for (n = 5; n * n < processes();) ++n;
  return n;
}

/// f() on the first core of a process, and of others further down the tree: a process tells few others
/// (fan_out()) and waits for them, so that no core sends to or hears of all. Processes are counted from
/// the root's.
template <class F>
struct spread {
  F f;
  std::uint32_t root, begin, end;  // of the processes this is the first

  void operator()() {
    if (begin + 1 == end) return f();
    under_completion(
        [this](core& self, message::completion&) {
          tell_others(self);
          self.request_flush();
          f();
        },
        "on_all_cores");
  }
  /// All but the first; counted by the enclosing completion.
  void tell_others(core& self) const {
    const std::uint32_t others = end - begin - 1, parts = std::min(others, fan_out());
    for (std::uint32_t k = parts; k-- > 0;) {
      const std::uint32_t first = begin + 1 + others * k / parts, last = begin + 1 + others * (k + 1) / parts;
      self.issue(first_core((root + first) % processes()),
                 remote_launch_record<spread>{{f, root, first, last}});
    }
  }
};
template <class F>
spread<F> spread_from_here(F f) {
  return {f, process(), 0, processes()};
}

/// What on_core() ships: the caller waits, so f and the place for its result stay.
template <class F, class R>  // R: an optional, or void
struct visit_record {
  F* f;
  R* result;
  message::completion* scope;

  void operator()(const message::dispatch&) const {
    core::here().push_plain(task::make(scope, [visit = *this] {
      if constexpr (std::is_void_v<R>)
        (*visit.f)();
      else
        visit.result->emplace((*visit.f)());  // read by the caller once the completion has settled
    }));
  }
};

/// Results that can be sent to another process as bytes.
template <class R>
struct shipped_result : std::bool_constant<std::is_trivially_copyable_v<R>> {};
template <class U>
struct shipped_result<std::vector<U>> : std::bool_constant<std::is_trivially_copyable_v<U>> {};
template <>
struct shipped_result<std::string> : std::true_type {};

/// Puts `value` into *there on core `to`, which waits for it. Counted by the enclosing completion.
template <class R>
void ship_result(core_id to, std::optional<R>* there, const R& value) {
  if constexpr (std::is_trivially_copyable_v<R>) {
    async_on(
        to,
        [there](std::span<const std::byte> bytes) {
          alignas(R) std::byte copy[sizeof(R)];
          std::memcpy(copy, bytes.data(), sizeof(R));
          there->emplace(*std::launder(reinterpret_cast<const R*>(copy)));
        },
        std::as_bytes(std::span<const R, 1>(&value, 1)));
  } else {
    using element = typename R::value_type;
    async_on(
        to,
        [there](std::span<const std::byte> bytes) {
          R whole;
          whole.resize(bytes.size() / sizeof(element));
          if (!bytes.empty()) std::memcpy(whole.data(), bytes.data(), bytes.size());
          there->emplace(std::move(whole));
        },
        std::as_bytes(std::span<const element>(value.data(), value.size())));
  }
}

/// The same as visit_record to another process: f travels, and its result comes back.
template <class F, class R>
struct remote_visit_record {
  F f;
  std::optional<R>* result;  // at the caller
  core_id caller;

  void operator()(const message::dispatch&) const {
    core& self = core::here();
    self.push_plain(counted_task(self, [visit = *this] {
      F mine(visit.f);
      ship_result<R>(visit.caller, visit.result, mine());
    }));
  }
};

/// Each core's share of a lent loop, on a line of its own.
struct alignas(k_line_bytes) dynamic_share {
  std::atomic<std::uint64_t> next{
      0};  // relaxed: it hands out indices; the loop's data is ordered by the completion
  std::uint64_t end = 0;
};

template <class F>
void run_dynamic(dynamic_share* shares, std::uint64_t grain, F f) {
  const unsigned n = cores_per_process(), self = here() - first_core(process());
  for (unsigned k = 0; k < n; ++k) {
    dynamic_share& s = shares[(self + k) % n];
    while (s.next.load(std::memory_order_relaxed) < s.end) {
      if (auto* one_thread = machine::simulated()) [[unlikely]]
        one_thread->look();  // the others take pieces meanwhile
      const std::uint64_t begin = s.next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= s.end) break;
      counters& count = core::here().count();
      if (k != 0) ++count.steals;
      const std::uint64_t end = std::min(s.end, begin + grain);
      count.work_ns += end - begin;
      f(begin, end);
    }
  }
}

/// Where the share of one of n begins, of [begin, end).
inline std::uint64_t share_begin(std::uint64_t begin, std::uint64_t end, unsigned one, unsigned n) {
  return begin + static_cast<std::uint64_t>(static_cast<unsigned __int128>(end - begin) * one / n);
}

template <class F>
struct range_loop {
  F f;
  std::uint64_t grain;

  void run(std::uint64_t begin, std::uint64_t end) const {
    core& self = core::here();
    while (end - begin > grain) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      self.push_stealable(counted_task(self, [this, middle, end] { run(middle, end); }));
      end = middle;
    }
    self.count().work_ns += end - begin;
    F mine(f);
    for (; begin < end; ++begin) mine(begin);
  }
};

template <class T, class F>
struct array_loop {
  array<T> over;
  F f;
  static constexpr std::uint64_t k_grain = 1024;

  /// Leaves the rest as a task of this core before it starts: if f suspends, another fiber goes on with it.
  void run(std::uint64_t at) const {
    core& self = core::here();
    const std::span<T> mine = over.local();
    const std::uint64_t end = std::min<std::uint64_t>(mine.size(), at + k_grain);
    if (end < mine.size()) self.push_plain(counted_task(self, [this, end] { run(end); }));
    self.count().work_ns += end - at;
    F body(f);
    if constexpr (std::is_invocable_v<F&, std::uint64_t, T&>)
      over.local_runs(at, end, [&](std::uint64_t k, std::uint64_t last, std::uint64_t index) {
        for (; k < last; ++k, ++index) body(index, mine[k]);
      });
    else
      for (; at < end; ++at) body(mine[at]);
  }
};

}  // namespace parallel

/// Runs f() in this fiber and waits for everything that it issued and spawned. Meanwhile this fiber runs
/// tasks that f spawned, newest first, while job_options::stack_bytes are left of its stack: fork and join by
/// spawn() and finish() go into the depth, and take a fiber only for so many levels as fill a stack.
template <class F>
void finish(F f) {
  parallel::deep_wait deep;
  parallel::under_completion(
      [&](parallel::core& self, message::completion& mine) {
        f();
        if (!self.help(mine)) deep.begin(self);
      },
      "finish");
}

/// A task of this core; also from handlers. Returns at once; f may be any movable function object.
template <class F>
void spawn(F f) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn"));
  self.push_plain(parallel::counted_task(self, std::move(f)));
}

/// A task that an idle core may take. Otherwise as spawn(). Where f is trivially copyable and of at most 1000
/// bytes, also a core of another process (one message): capture numbers and handles by value.
template <class F>
void spawn_stealable(F f) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn_stealable"));
  self.push_stealable(parallel::stealable_task(self, std::move(f)));
}

using parallel::idle_thieves;
using parallel::offered;

/// As spawn_stealable(), but for others first: this core takes it back when it has nothing else to do. For
/// work that is split off for idle cores (has_idle_thieves()). offered::prefer_local is for what is not
/// worth a journey now: it leaves the process only if another process asks while it still lies there.
template <class F>
void spawn_offered(F f, offered to = offered::to_all) {
  auto& self = static_cast<parallel::core&>(message::inside("spawn_offered"));
  self.push_offered(parallel::stealable_task(self, std::move(f)), to);
}

/// For a task that computes for long: sends what was split off before, handles the messages that have come,
/// and says which cores would welcome a spawn_offered() now. Some tens of instructions where nothing has come.
/// Suspends when packets are exhausted.
inline idle_thieves has_idle_thieves() {
  return static_cast<parallel::core&>(message::inside("has_idle_thieves")).has_idle_thieves();
}

/// A task on core `to`: one message.
template <class F>
void spawn_on(core_id to, F f) {
  (void)message::inside("spawn_on", to);
  async_on(to, [f] { spawn(f); });
}

namespace local {

/// Runs f() in a fiber on every core of this process, and waits for all of them and all that they issued.
/// Nothing is copied to other processes: f may hold pointers.
template <class F>
void on_all_cores(F f, const char* call = "on_all_cores") {
  (void)message::inside(call);
  parallel::check_body(f);
  parallel::under_completion(
      [&f](parallel::core& self, message::completion& all) {
        using launch = parallel::launch_record<F>;
        const core_id first = first_core(process());
        all.issue(cores_per_process());
        for (core_id c = first; c < first + cores_per_process(); ++c)
          if (c != self.id()) self.issue_uncounted(c, launch{&f, &all});
        launch::launch(self, &f, &all);
      },
      call);
}

/// forall_chunks() by the cores of this process. bounds: one more than those.
template <class F>
void forall_chunks(const std::vector<std::uint64_t>& bounds, std::uint64_t grain, F f) {
  const unsigned team = cores_per_process();
  GOSSAMER_ASSERT(bounds.size() == team + 1 && grain > 0);
  auto shares = std::make_unique<parallel::dynamic_share[]>(team);
  for (unsigned c = 0; c < team; ++c) {
    shares[c].next.store(bounds[c], std::memory_order_relaxed);
    shares[c].end = bounds[c + 1];
  }
  local::on_all_cores([all = shares.get(), grain, f] { parallel::run_dynamic(all, grain, f); });
}
template <class F>
void forall_chunks(std::uint64_t begin, std::uint64_t end, std::uint64_t grain, F f) {
  const unsigned team = cores_per_process();
  std::vector<std::uint64_t> bounds;
  for (unsigned c = 0; c <= team; ++c) bounds.push_back(parallel::share_begin(begin, end, c, team));
  local::forall_chunks(bounds, grain, std::move(f));
}

}  // namespace local

/// Runs f() in a fiber on every core, and waits for all of them and all that they issued. The first
/// exception thrown arrives here. Inside, one fiber per core: barrier() and the other collectives may be
/// used. Processes are told, and heard of, along a tree.
template <class F>
void on_all_cores(F f, const char* call = "on_all_cores") {
  if (processes() == 1) return local::on_all_cores(std::move(f), call);
  static_assert(parallel::k_ships<parallel::spread<F>>,
                "the body of a loop travels in a message: at most ~1,000 bytes");
  parallel::check_body(f);
  auto team = [f] { local::on_all_cores(f); };
  parallel::under_completion(
      [&](parallel::core& self, message::completion&) {
        parallel::spread_from_here(team).tell_others(self);
        for (core_id c = first_core(process() + 1); c-- > first_core(process());)
          self.issue(c, parallel::remote_launch_record<F>{f});
      },
      call);
}

/// Runs f() in a fiber on the first core of every process, and waits for all of them and what they issued.
/// f is copied as bytes; the first exception thrown arrives here. Inside, local:: is this process.
template <class F>
void on_all_processes(F f) {
  (void)message::inside("on_all_processes");
  parallel::check_body(f);
  parallel::under_completion(
      [&f](parallel::core& self, message::completion&) {
        parallel::spread_from_here(f).tell_others(self);
        self.issue(first_core(process()), parallel::remote_launch_record<F>{f});
      },
      "on_all_processes");
}

/// Runs f() as a task on core `to` and waits for it and for all that it issued; its result, or the first
/// exception. Unlike call_on(), f may suspend, and call further cores. One message and a task. From another
/// process the result is a trivially copyable value, a vector of those, or a string.
template <class F>
auto on_core(core_id to, F f) -> std::invoke_result_t<F&> {
  using result_type = std::invoke_result_t<F&>;
  using stored = std::conditional_t<std::is_void_v<result_type>, char, result_type>;
  (void)message::inside("on_core", to);
  parallel::check_body(f);
  std::optional<stored> result;
  parallel::under_completion(
      [&](parallel::core& self, message::completion& visit) {
        using record = parallel::visit_record<
            F, std::conditional_t<std::is_void_v<result_type>, void, std::optional<stored>>>;
        if (!self.is_local(to)) {
          if constexpr (std::is_void_v<result_type>)
            return self.issue(to, parallel::remote_launch_record<F>{f});
          else if constexpr (parallel::shipped_result<result_type>::value)
            return self.issue(to, parallel::remote_visit_record<F, result_type>{f, &result, self.id()});
          else
            GOSSAMER_ASSERT(false, "a result of this type cannot travel between processes");
        }
        visit.issue(1);
        if constexpr (std::is_void_v<result_type>)
          self.issue_uncounted(to, record{&f, nullptr, &visit});
        else
          self.issue_uncounted(to, record{&f, &result, &visit});
      },
      "on_core");
  if constexpr (!std::is_void_v<result_type>) return *std::move(result);
}

/// f(begin, end) over pieces of at most `grain`. Core c starts in [bounds[c], bounds[c+1]); a core that
/// has done its share is lent pieces of the others' of its process. f computes: where it suspends, its core's
/// loop waits. Costs one launch of all cores (a few us where they are awake) and an atomic add per piece.
template <class F>
void forall_chunks(const std::vector<std::uint64_t>& bounds, std::uint64_t grain, F f) {
  (void)message::inside("forall_chunks");
  GOSSAMER_ASSERT(bounds.size() == cores() + 1 && grain > 0);
  if (processes() == 1) return local::forall_chunks(bounds, grain, std::move(f));
  parallel::check_body(f);
  parallel::under_completion(
      [&](parallel::core&, message::completion&) {
        const unsigned team = cores_per_process();
        for (unsigned p = processes(); p-- > 0;) {
          async_on(
              first_core(p),
              [grain, f](std::span<const std::byte> bytes) {
                std::vector<std::uint64_t> mine(bytes.size() / sizeof(std::uint64_t));
                std::memcpy(mine.data(), bytes.data(), bytes.size());
                spawn([mine = std::move(mine), grain, f] { local::forall_chunks(mine, grain, f); });
              },
              std::as_bytes(std::span(bounds).subspan(std::size_t{p} * team, team + 1)));
        }
      },
      "forall_chunks");
}

/// The same over [begin, end) in equal shares.
template <class F>
void forall_chunks(std::uint64_t begin, std::uint64_t end, std::uint64_t grain, F f) {
  std::vector<std::uint64_t> bounds;
  for (core_id c = 0; c <= cores(); ++c) bounds.push_back(parallel::share_begin(begin, end, c, cores()));
  forall_chunks(bounds, grain, std::move(f));
}

/// f(i) for each index, in stealable tasks split down to `grain` indices (0: by the size). Bodies may
/// suspend: others go on meanwhile, up to job_options::fibers of them on a core.
template <class F>
void forall(std::uint64_t begin, std::uint64_t end, F f, std::uint64_t grain = 0) {
  (void)message::inside("forall");
  parallel::check_body(f);
  if (begin >= end) return;
  if ((end - begin) >> 63 != 0) [[unlikely]]
    parallel::refuse_range("forall", begin, end);
  if (grain == 0)
    grain = std::clamp<std::uint64_t>((end - begin) / (std::uint64_t{cores()} * 1024), 16, 4096);
  // Each core keeps a copy for its tasks, and waits for them.
  on_all_cores([loop = parallel::range_loop<F>{std::move(f), grain}, begin, end] {
    const std::uint64_t from = parallel::share_begin(begin, end, here(), cores());
    const std::uint64_t to = parallel::share_begin(begin, end, here() + 1, cores());
    if (from < to) finish([&] { loop.run(from, to); });
  });
}

/// f(T&) or f(index, T&) for each element, at its owner, whatever the distribution.
template <class T, class F>
void forall(array<T> over, F f) {
  (void)message::inside("forall");
  over.check("forall");
  parallel::check_body(f);
  on_all_cores([loop = parallel::array_loop<T, F>{over, std::move(f)}] {
    if (!loop.over.local().empty()) finish([&] { loop.run(0); });
  });
}

}  // namespace gossamer
