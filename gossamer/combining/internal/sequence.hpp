#pragma once
// The common part of stacks and queues. The home core stores the order of ranges of values; the values stay
// on the core that inserted them (range_store.hpp). Inserting a batch costs one small message, whatever its
// size. Taking one out costs another message, and a copy. Operations take effect when the home core answers
// messages, one after another.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/combining/engine/home_state.hpp"
#include "gossamer/combining/engine/internal/range_store.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/scatter.hpp"

namespace gossamer::combining {

/// The end from which values are taken.
enum class taking : std::uint8_t { last, first };

/// Up to N ranges.
template <std::size_t N>
struct some_ranges {
  std::uint32_t count = 0;
  std::array<value_range, N> ranges = {};

  some_ranges() = default;
  explicit some_ranges(std::span<const value_range> from) {
    while (count < std::min(N, from.size())) {
      ranges[count] = from[count];
      ++count;
    }
  }
  /// Copies the ranges of a message or answer of another capacity, which must fit.
  template <std::size_t M>
  explicit some_ranges(const some_ranges<M>& other) : some_ranges(other.span()) {}
  std::span<const value_range> span() const { return {ranges.data(), count}; }
};

/// Inserts `ranges`, then takes up to `values` values out: as many as there are, or as N ranges hold.
template <std::size_t N>
struct sequence_message {
  std::uint32_t values = 0;
  some_ranges<N> put;

  sequence_message() = default;
  sequence_message(std::uint32_t take, const some_ranges<N>& given) : values(take), put(given) {}
  template <std::size_t M>
  explicit sequence_message(const sequence_message<M>& other) : values(other.values), put(other.put) {}
};

inline constexpr std::size_t k_many_ranges = 8;

/// The state at the home core.
template <taking From>
class sequence_state {
 public:
  template <std::size_t N>
  some_ranges<N> apply(const sequence_message<N>& m) {
    put(m.put.span());
    some_ranges<N> taken;
    for (std::uint32_t left = m.values; left > 0 && taken.count < N && !order_.empty();)
      taken.ranges[taken.count++] = take_from_end(left);
    return taken;
  }
  /// Moves requests that insert values to the front, so that fewer requests find the structure empty.
  template <class Gathered>
  void arrange(std::span<Gathered> all) {
    std::stable_partition(all.begin(), all.end(), [](const Gathered& g) { return g.what.put.count != 0; });
  }
  std::uint64_t size() const { return size_; }
  std::vector<value_range> in_order() const { return {order_.begin(), order_.end()}; }

  /// Takes up to `values` values out.
  std::vector<value_range> take(std::uint64_t values) {
    std::vector<value_range> taken;
    taken.reserve(std::min<std::uint64_t>(values, order_.size()));
    while (values > 0 && !order_.empty()) {
      auto left = static_cast<std::uint32_t>(std::min<std::uint64_t>(values, 1U << 31));
      const std::uint32_t wanted = left;
      taken.push_back(take_from_end(left));
      values -= wanted - left;
    }
    return taken;
  }
  /// Inserts all ranges, or throws.
  void put(std::span<const value_range> given) {
    const std::size_t before = order_.size();
    try {
      for (const value_range& r : given) order_.push_back(r);
    } catch (...) {
      order_.resize(before);
      throw;
    }
    for (const value_range& r : given) size_ += r.count;
  }

 private:
  value_range take_from_end(std::uint32_t& left) {
    value_range& end = From == taking::last ? order_.back() : order_.front();
    value_range part = end;
    part.count = std::min(left, end.count);
    end.count -= part.count;
    if (From == taking::last)
      part.begin += end.count;
    else
      end.begin += part.count;
    left -= part.count;
    size_ -= part.count;
    if (end.count == 0) From == taking::last ? order_.pop_back() : order_.pop_front();
    return part;
  }

  std::deque<value_range> order_;
  std::uint64_t size_ = 0;
};

template <taking From>
using sequence_proxy = home_proxy<sequence_state<From>, sequence_message<k_many_ranges>>;

/// The context of a batch's commit.
template <taking From>
struct sequence_context {
  sequence_proxy<From> home;
  per_core<range_store> stores;
};

/// Takes up to `wanted` values out, into into[0], into[1], ..., and returns their number. The first message
/// also inserts `given`, which is empty afterwards: the home core has them, whatever exception follows. Calls
/// arrange(place, count) for each range once its values are stored.
template <std::size_t N, class Context, class Arrange>
std::uint32_t take_values(const Context& c, std::span<const value_range>& given, std::uint32_t wanted,
                          std::byte* into, std::size_t value_bytes, Arrange arrange) {
  std::uint32_t found = 0;
  for (some_ranges<N> put(given); wanted > found || put.count > 0; put = {}) {
    const some_ranges<N> taken(c.home.call(sequence_message<N>(wanted - found, put), N > 1));
    given = {};
    if (taken.count == 0) break;
    c.stores.here().take(taken.span(), into + found * value_bytes);
    for (const value_range& r : taken.span()) {
      arrange(into + found * value_bytes, r.count);
      found += r.count;
    }
  }
  return found;
}

/// Inserts `given` at once, whatever their number. Throws if the home core lacks memory: then nothing has
/// changed.
template <class Context>
void put_ranges(const Context& c, std::span<const value_range> given) {
  if (given.size() <= k_many_ranges) {
    (void)c.home.call(sequence_message<k_many_ranges>(0, some_ranges<k_many_ranges>(given)), true);
    return;
  }
  message::wait_for_all([&] {
    c.home.async_with(given, [](auto& state, std::span<const value_range> all) { state.put(all); });
  });
}

/// Inserts `given`, of this core, and takes as many values out as there are places. If there are fewer
/// values, the last places stay unchanged. If it throws, nothing was inserted. Returns the exception that
/// prevented taking values out after that: values that the home core had assigned are lost then.
template <class T, class Context>
[[nodiscard]] std::exception_ptr exchange_values(const Context& c, std::span<const value_range> given,
                                                 std::span<std::optional<T>* const> places) {
  struct cell {
    T value;
  };
  const auto wanted = static_cast<std::uint32_t>(places.size());
  const auto as_they_are = [](std::byte*, std::uint32_t) {};
  const bool one_request =
      given.empty() ? wanted == 1 : wanted == 0 && given.size() == 1 && given[0].count == 1;
  const bool puts = !given.empty();
  try {
    if (one_request) {
      cell one;
      if (take_values<1>(c, given, wanted, reinterpret_cast<std::byte*>(&one), sizeof(T), as_they_are) != 0)
        places[0]->emplace(one.value);
      return nullptr;
    }
    const auto taken = std::make_unique_for_overwrite<cell[]>(wanted);
    if (given.size() > k_many_ranges) {
      put_ranges(c, given);
      given = {};
    }
    const auto found = take_values<k_many_ranges>(c, given, wanted, reinterpret_cast<std::byte*>(taken.get()),
                                                  sizeof(T), as_they_are);
    for (std::uint32_t k = 0; k < found; ++k) places[k]->emplace(taken[k].value);
    return nullptr;
  } catch (...) {
    if (puts && given.empty())
      return std::current_exception();  // the home core has the values: this core owns them no more
    c.stores.here().forget(given);
    throw;
  }
}

inline std::uint64_t values_in(std::span<const value_range> ranges) {
  std::uint64_t n = 0;
  for (const value_range& r : ranges) n += r.count;
  return n;
}

/// Divides ranges among the cores. Each core gets an even share of the values, or `least` if that is more:
/// first from its own ranges, then from those of its process.
struct even_shares {
  even_shares(std::span<const value_range> all, std::uint32_t least);
  std::vector<std::uint32_t> counts;  // of each core
  std::vector<value_range> ranges;  // by core
};

/// The next N staged ranges of a core, and whether there are more.
template <std::size_t N>
struct staged_ranges {
  bool more = false;
  std::uint32_t count = 0;
  std::array<value_range, N> ranges = {};

  explicit staged_ranges(range_store& from) {
    while (count < N && from.next_staged(ranges[count])) ++count;
    more = from.has_staged();
  }
  staged_ranges() = default;
};

/// Takes out the staged ranges of all cores, core after core. Suspends.
template <taking From>
std::vector<value_range> take_staged(const sequence_context<From>& c) {
  std::vector<value_range> all;
  const auto take_some = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
    bool more = false;
    for (const auto& one : collect(c.stores, [](range_store& s) { return staged_ranges<N>(s); })) {
      all.insert(all.end(), one.ranges.begin(), one.ranges.begin() + one.count);
      more |= one.more;
    }
    return more;
  };
  if (take_some(std::integral_constant<std::size_t, 1>())) {  // most cores have one range or none
    while (take_some(std::integral_constant<std::size_t, 31>())) {}
    std::ranges::stable_sort(all, {}, [](const value_range& r) { return r.in.owner(); });
  }
  return all;
}

/// The common part of handles of stacks and queues. T is trivially copyable, of any size.
template <class T, taking From, class Batch>
class sequence {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                "values of global stacks and queues are copied as bytes");

 public:
  /// Returns the number of values at the moment at which the home core answers. By any fiber; suspends.
  std::uint64_t size() const {
    (void)requests_.here();
    return context_.home.visit([](auto& state) { return state.size(); });
  }
  /// Stages values on this core. No request finds them until a fiber inserts what all cores have staged. For
  /// fibers and handlers; does not suspend. Throws std::bad_alloc, and then none of them is staged.
  void stage(std::span<const T> values) const {
    (void)requests_.here();
    context_.stores.here().stage(reinterpret_cast<const std::byte*>(values.data()), values.size());
    parallel::core::here().count().combine_requests += values.size();
  }
  /// Takes up to `most` values out at one moment and distributes them to the cores: runs f(std::span<const
  /// T>) in a task on every core that receives some. No core receives more than an even share, or `least`. As
  /// far as possible, values stay on their core, or in their process. Returns the number of values, once all
  /// tasks and the operations that they issued are done; rethrows the first exception. By any one fiber;
  /// suspends. Costs two messages in all to each process that receives some (parallel/scatter.hpp).
  template <class F>
  std::uint64_t deal(std::uint64_t most, F f, std::uint32_t least = 1) const {
    const single_request_guard mine(requests_.here(), 0);
    ++parallel::core::here().count().combine_commits;
    return context_.home.visit([c = context_, most, least, f](auto& state) {
      const auto taken = state.take(most);
      const even_shares shares(taken, least);
      scatter(std::span(shares.counts), std::span(shares.ranges), [c, f](std::span<const value_range> given) {
        const std::size_t n = values_in(given);
        const auto values = std::make_unique<T[]>(n);  // a vector of bool has no elements in memory
        parallel::core::here().count().combine_requests += n;
        c.stores.here().take(given, reinterpret_cast<std::byte*>(values.get()));
        F body(f);
        body(std::span<const T>(values.get(), n));
      });
      return values_in(taken);
    });
  }
  /// Calls f(const T&) for each value, on the core that inserted it, in an arbitrary order. By any one fiber,
  /// while nothing changes the structure. Suspends, and f may suspend. Runs a task for each range.
  template <class F>
  void for_each(F f) const {
    const single_request_guard mine(requests_.here(), 0);
    context_.home.visit([f](auto& state) {
      finish([&] {
        for (const value_range& r : state.in_order())
          spawn_on(r.in.owner(), [f, r] {
            F body(f);
            const auto* const values = reinterpret_cast<const T*>(r.in.address()->values());
            for (std::uint32_t k = r.begin; k < r.begin + r.count; ++k) body(values[k]);
          });
      });
    });
  }

 protected:
  void put_all(std::span<const T> values) const {
    if (values.empty()) return;
    const single_request_guard mine(requests_.here(), values.size());
    auto& store = context_.stores.here();
    std::vector<value_range> ranges;
    store.put_all(ranges, reinterpret_cast<const std::byte*>(values.data()), values.size());
    try {
      put_ranges(context_, std::span<const value_range>(ranges));
    } catch (...) {
      store.forget(ranges);
      throw;
    }
    mine.let_others_run();
  }
  void put_staged() const {
    const single_request_guard mine(requests_.here(), 0);
    if (const auto all = take_staged(context_); !all.empty()) {
      ++parallel::core::here().count().combine_commits;
      try {
        put_ranges(context_, std::span<const value_range>(all));
      } catch (...) {
        message::wait_for_all([&] { context_.stores.here().drop(all); });
        throw;
      }
    }
    mine.let_others_run();
  }
  std::size_t take_some(std::span<T> into) const {
    if (into.empty()) return 0;
    const single_request_guard mine(requests_.here(), into.size());
    std::size_t found = 0;
    while (found < into.size()) {
      const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(into.size() - found, 1U << 30));
      std::span<const value_range> none;
      const std::uint32_t more = take_values<k_many_ranges>(
          context_, none, wanted, reinterpret_cast<std::byte*>(into.data() + found), sizeof(T),
          [](std::byte* at, std::uint32_t count) {  // top first
            if (From == taking::last)
              std::reverse(reinterpret_cast<T*>(at), reinterpret_cast<T*>(at) + count);
          });
      found += more;
      if (more < wanted) break;
    }
    mine.let_others_run();
    return found;
  }

  combiner<Batch, sequence_context<From>> requests_;
  sequence_context<From> context_;
};

/// Owns the common part of stacks and queues.
template <taking From, class Batch>
class scoped_sequence {
 public:
  scoped_sequence(std::size_t value_bytes, combine where)
      : home_(where),
        context_{home_.handle(), stores_.handle()},
        open_(*this, value_bytes),
        requests_(where, context_) {}

  combiner<Batch, sequence_context<From>> requests() const { return requests_.handle(); }
  const sequence_context<From>& context() const { return context_; }

 private:
  /// Keeps the stores open as long as requests are possible.
  struct opening {
    opening(const scoped_sequence& s, std::size_t value_bytes) : stores(s.stores_.handle()) {
      on_all_cores([all = stores, value_bytes] { all.here().open(value_bytes); });
    }
    opening(const opening&) = delete;
    ~opening() {
      if (!job.runs_here()) return;
      on_all_cores([all = stores] { all.here().settle(); });
      on_all_cores([all = stores] { all.here().close(); });
    }
    per_core<range_store> stores;
    fiber::owning_job job;
  };

  scoped_per_core<range_store> stores_;
  scoped_home_state<sequence_state<From>, sequence_message<k_many_ranges>> home_;
  sequence_context<From> context_;
  opening open_;
  scoped_combiner<Batch, sequence_context<From>> requests_;
};

}  // namespace gossamer::combining
