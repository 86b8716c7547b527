#pragma once
// Runs a function in every process, and sums its results: once down the tree of processes (ADR 0017) and once
// up. A loop over all cores followed by a collect() traverses it twice in each direction.

#include <algorithm>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <vector>

#include "gossamer/parallel/internal/launch.hpp"
#include "gossamer/parallel/internal/process_tree.hpp"
#include "gossamer/parallel/remote.hpp"

namespace gossamer {

namespace parallel {

/// Runs f on the first core of every process of a range, this one first, and adds up its results.
template <class Sums, class F>
struct range_reduction {
  F f;
  process_range of;

  Sums operator()() const {
    const std::uint32_t others = of.end - of.begin - 1, subtrees = std::min(others, fan_out());
    std::vector<Sums> found(subtrees + 1);  // the last entry is for this process
    const auto own = [this, into = &found[subtrees]] { *into = f(); };  // stays valid until all have ended
    under_completion(
        [&](core& self, message::completion& all) {
          for (std::uint32_t k = subtrees; k-- > 0;) tell(self, k, subtrees, others, &found[k]);
          self.request_flush();
          if (self.id() == first_core(process())) return own();
          launch_on(self, first_core(process()), all, shared_body::of(own));
        },
        "reduce_on_all_processes");
    Sums sum = found[subtrees];
    for (std::uint32_t k = 0; k < subtrees; ++k) sum.add(found[k]);
    return sum;
  }

 private:
  /// Reduces a part of the range, and sends the sum to the process that requested it. A task.
  struct told {
    range_reduction part;
    core_id parent;
    Sums* into;  // in that process
    void operator()() const {
      async_on(parent, [into = into, sum = part()] { *into = sum; });
    }
  };

  void tell(core& self, std::uint32_t k, std::uint32_t subtrees, std::uint32_t others, Sums* into) const {
    const std::uint32_t first = of.begin + 1 + others * k / subtrees,
                        last = of.begin + 1 + others * (k + 1) / subtrees;
    self.issue(first_core((of.root + first) % processes()),
               remote_launch_record<told>{{{f, {of.root, first, last}}, self.id(), into}});
  }
};

}  // namespace parallel

/// Runs f() in a fiber on the first core of every process, waits for all of them and what they issued, and returns the sum of their
/// results by add(). The order of the sum is the same in every run with as many processes. f is copied as bytes; the first exception
/// thrown arrives here. Results are trivially copyable, at most 512 bytes.
template <class F>
auto reduce_on_all_processes(F f, std::source_location where = std::source_location::current()) {
  using sums = std::invoke_result_t<F&>;
  static_assert(std::is_trivially_copyable_v<sums> && sizeof(sums) <= 512, "results are sent as bytes");
  static_assert(sizeof(F) <= 900, "the function travels in a message");
  (void)message::inside("reduce_on_all_processes");
  parallel::check_body(f, where);
  if (processes() == 1 && here() == 0) return f();
  return parallel::range_reduction<sums, F>{std::move(f), parallel::all_from_here()}();
}

}  // namespace gossamer
