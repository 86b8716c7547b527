#pragma once
// The queue without combining of Holt et al. (PGAS 2013, section 3.2 and figure 5). Values are in an array
// over all cores; the home core has both ends and a lock. A request holds the lock while its value is written
// or read, which is a round trip to the owner of the place. So the queue serves one request per round trip,
// however many cores send requests. For comparison: the queue of gossamer holds no lock over a message.

#include <cstdint>
#include <utility>

#include "gossamer/combining/engine/home_state.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"

namespace gossamer::studies {

struct locked_request {
  graph::vertex_id value = 0;
  bool put = false;  // false: dequeues a value
};
struct locked_answer {
  graph::vertex_id value;
  bool found;
};

/// The state at the home core: both ends. Its server fiber runs one request after another and suspends in
/// each, which acts as the lock.
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

/// Owns a queue of `places` places; this core is its home core.
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
