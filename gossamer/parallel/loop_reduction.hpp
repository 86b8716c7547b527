#pragma once
// Loops that combine what their bodies return: forall() with a start and an operation. By fibers. Not collective: one fiber calls,
// all cores work. Each core combines its own results without messages or locks. At the end the caller combines one value per core.
//
//   const double length = std::sqrt(forall(a, [](const double& x) { return x * x; }, 0.0, std::plus<>()));
//   const auto nearest = forall(0, n, [points](std::uint64_t i) { return distance(points[i]); }, k_far,
//                               [](double a, double b) { return std::min(a, b); });

#include <concepts>
#include <cstdint>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer {

namespace parallel {

/// The type of a reduction: that of op(start, result of a body). So a start of 0 does not truncate fractions.
template <class Start, class Body, class Operation>
using reduced = std::decay_t<std::invoke_result_t<Operation&, const Start&, const Body&>>;

/// The partial result of each core. It starts empty, so op needs no neutral element.
template <class T, class Operation>
struct partial_results {
  Operation op;
  per_core<std::optional<T>> all;

  void add(const T& more) const {
    std::optional<T>& mine = all.here();
    Operation combine(op);
    if (mine)
      mine.emplace(combine(*mine, more));
    else
      mine.emplace(more);
  }
};

template <class T, class F, class Operation>
struct reduce_indices {
  F f;
  partial_results<T, Operation> results;

  void operator()(std::uint64_t begin, std::uint64_t end) const {
    F mine(f);
    Operation op(results.op);
    T sum(mine(begin));
    while (++begin < end) sum = op(sum, T(mine(begin)));
    results.add(sum);
  }
};

template <class T, class F, class Operation>
struct reduce_elements {
  F f;
  partial_results<T, Operation> results;

  template <class Elements>
  void operator()(const Elements& over, std::uint64_t at, std::uint64_t end) const {
    F mine(f);
    Operation op(results.op);
    std::optional<T> first;
    over.each(at, at + 1, mine, [&first](auto call) { first.emplace(call()); });
    T sum(*first);
    over.each(at + 1, end, mine, [&sum, &op](auto call) { sum = op(sum, T(call())); });
    results.add(sum);
  }
};

/// Runs loop(partial results), and combines `start` and the partial results of all cores.
template <class T, class Start, class Operation, class Loop>
T reduce_loop(const Start& start, Operation op, Loop loop) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(std::optional<T>) <= 512,
                "what a loop adds up comes back as bytes: trivially copyable, about 500 bytes at most");
  static_assert(std::is_invocable_r_v<T, Operation&, const T&, const T&>,
                "the operation of a loop combines two results into one of their kind");
  const scoped_per_core<std::optional<T>> results;
  loop(partial_results<T, Operation>{op, results.handle()});
  return results.fold(
      T(start), [&op](const T& sum, const std::optional<T>& more) { return more ? op(sum, *more) : sum; });
}

template <class Start, class F, class Operation, class Elements>
auto reduce_over(Elements over, F f, const Start& start, Operation op, const std::source_location& where) {
  using body = typename decltype(over.result_of(f))::type;
  using result = reduced<Start, body, Operation>;
  check_body(f, where);
  check_body(op, where);
  return reduce_loop<result>(start, op, [&](const partial_results<result, Operation>& results) {
    run_elements(over, reduce_elements<result, F, Operation>{f, results}, where);
  });
}

/// An operation that combines a start and a result of a body.
template <class Operation, class Start, class Body>
concept combines = std::invocable<Operation&, const Start&, const Body&>;

}  // namespace parallel

/// Calls f(i) for each index as forall() does, and returns start op f(begin) op f(begin + 1) ..., in any
/// order and grouping. So `op` must be associative and commutative; the last bits of a floating-point sum may
/// differ from run to run. `start` is used once. The result has the type of op(start, f(i)), which is
/// trivially copyable and has about 500 bytes at most. Bodies may suspend, `op` may not. Both are copied as
/// bytes. Costs a loop. With several processes it also costs three times a small message to each and its
/// answer.
template <class F, class Start, class Operation>
  requires parallel::combines<Operation, Start, std::decay_t<std::invoke_result_t<F&, std::uint64_t>>>
auto forall(std::uint64_t begin, std::uint64_t end, F f, Start start, Operation op, std::uint64_t grain = 0,
            std::source_location where = std::source_location::current()) {
  using result = parallel::reduced<Start, std::decay_t<std::invoke_result_t<F&, std::uint64_t>>, Operation>;
  (void)message::inside("forall");
  parallel::check_body(f, where);
  parallel::check_body(op, where);
  if (!parallel::is_range("forall", begin, end)) return result(start);
  return parallel::reduce_loop<result>(
      start, op, [&](const parallel::partial_results<result, Operation>& results) {
        parallel::run_range(begin, end, parallel::reduce_indices<result, F, Operation>{f, results}, grain,
                            where);
      });
}

/// Reduces f(T&) or f(index, T&) over the elements of an array in the same way, at their owners. f may take elements by value.
template <class T, class F, class Start, class Operation>
auto forall(array<T> over, F f, Start start, Operation op,
            std::source_location where = std::source_location::current()) {
  (void)message::inside("forall");
  over.check("forall");
  return parallel::reduce_over(parallel::one_array<T>{over}, f, start, op, where);
}

/// Reduces f(T&, U&) or f(index, T&, U&) over the elements of two equally distributed arrays: a scalar product, for example.
template <class T, class U, class F, class Start, class Operation>
auto forall(array<T> first, array<U> second, F f, Start start, Operation op,
            std::source_location where = std::source_location::current()) {
  (void)message::inside("forall");
  parallel::check_pair("forall", first, second);
  return parallel::reduce_over(parallel::two_arrays<T, U>{first, second}, f, start, op, where);
}

}  // namespace gossamer
