#pragma once
// A counter of the whole job. Linearizable: an operation takes effect when the home core adds the sum of its
// batch; the operations of a batch take effect in the order of their requests. So in every mode its
// operations and those of the job's other structures are sequentially consistent (docs/guide.md, Shared
// structures).

#include <cstdint>
#include <utility>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/combining/engine/home_state.hpp"

namespace gossamer {

namespace combining {

struct total {
  std::int64_t value = 0;
  std::int64_t apply(std::int64_t n) { return std::exchange(value, value + n); }
};
using total_proxy = home_proxy<total, std::int64_t>;

struct sum : batch {
  static constexpr const char* k_name = "counter";
  std::int64_t n = 0, before = 0;
  void commit(total_proxy at);
  void clear() { n = 0; }
};

}  // namespace combining

/// A handle of a counter: trivially copyable, captured by value. Fibers of any core may use it.
class counter {
 public:
  /// Adds n and returns the previous value. Takes effect when the home core adds the sum of its batch, in the order of the
  /// batch's requests. Suspends until then. All requests that a core makes meanwhile share one message and its answer.
  std::int64_t fetch_add(std::int64_t n) const;
  /// Returns the count, as fetch_add(0) does.
  std::int64_t read() const { return fetch_add(0); }

 protected:
  combining::combiner<combining::sum, combining::total_proxy> requests_;  // the local combiners
};

/// Owns a counter, which starts at 0. Any one fiber makes and destroys it, and suspends.
class scoped_counter : public counter {
 public:
  /// Makes a counter at 0; its home core is this one.
  explicit scoped_counter(combine where = combining::by_default());
  ~scoped_counter();
  /// Returns the handle to capture.
  counter handle() const { return *this; }

 private:
  combining::scoped_home_state<combining::total, std::int64_t> total_;
  combining::scoped_combiner<combining::sum, combining::total_proxy> owned_;
};

}  // namespace gossamer
