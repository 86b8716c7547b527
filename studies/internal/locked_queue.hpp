#pragma once
// The queue without combining as Holt et al. have it (PGAS 2013, section 3.2 and figure 5): values lie in an array over all
// cores, and the home core has both ends and a lock. A request holds the lock while its value is written or read, which is a
// round trip to the core that has the place. So the queue serves one request in a round trip, however many cores ask. For
// comparison: gossamer's own queue holds nothing over a message.

#include <cstdint>
#include <utility>

#include "gossamer/combining/engine/home_state.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"

namespace gossamer::studies {

struct locked_request {
  graph::vertex_id value = 0;
  bool put = false;  // else a value is taken out
};
struct locked_answer {
  graph::vertex_id value;
  bool found;
};

/// Both ends, at the home core. Its server fiber runs one request after the other, and suspends in each: that is the lock.
class locked_queue_state {
 public:
  explicit locked_queue_state(const array<graph::vertex_id>& places) : places_(places) {}

  locked_answer apply(const locked_request& r) {
    if (!r.put && head_ == tail_) return {0, false};
    const std::uint64_t place = (r.put ? tail_++ : head_++) % places_.size();
    const auto value = places_.call(place, [r](graph::vertex_id& there) {
      message::endpoint::here().request_flush();
      return r.put ? there = r.value : there;
    });
    return {value, true};
  }
  void clear() { head_ = tail_; }

 private:
  array<graph::vertex_id> places_;
  std::uint64_t head_ = 0, tail_ = 0;
};

using locked_queue = combining::home_proxy<locked_queue_state, locked_request>;

/// Owns one with `places` places; its home core is this one.
class scoped_locked_queue {
 public:
  explicit scoped_locked_queue(std::uint64_t places)
      : places_(places, block_cyclic(k_block)), state_(combine::home, places_.handle()) {}
  locked_queue handle() const { return state_.handle(); }

 private:
  static constexpr std::uint64_t k_block = 8;

  scoped_array<graph::vertex_id> places_;
  combining::scoped_home_state<locked_queue_state, locked_request> state_;
};

}  // namespace gossamer::studies
