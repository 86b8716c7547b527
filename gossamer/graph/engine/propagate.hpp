#pragma once
// Propagates values along arcs until nothing changes: peeling, labels. The order is arbitrary, so there is no
// barrier between vertices. A core continues with its own vertices, and with offers of other cores when they
// arrive. So a long thin path costs a message at each crossing between cores, not a phase.
//
// A Step is a trivially copyable struct:
//
//   array<T> values;                               // of the vertices
//   U offer(vertex_id v, const T& value);          // the value that v sends along its arcs
//   Push push;                                     // bool push(T& value, vertex_id n, U offered): true: n sends, too. Runs at the owner of n
//   static constexpr bool k_depth_first;           // sends newest first, for steps in which each vertex sends once: consecutive rows
//                                                  // are then read one after another. Otherwise sends oldest first
//
// A vertex whose value changes while it waits to send may be listed twice. It then sends its last value twice.

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/then_always.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/spawn.hpp"

namespace gossamer::graph {

/// The sending vertices of a core. Used by its core only.
struct sending_vertices {
  std::vector<vertex_id> found;  ///< own vertices that will send
  std::vector<vertex_id> taken;  ///< own vertices that are sending
  bool is_going = true;  ///< a fiber takes vertices from `found`, or will
  std::function<void()> go_on;  ///< starts such a fiber, for handlers
};

/// What the fibers of a propagation share. Trivially copyable.
template <class Rows, class Step>
class propagation_walk {
 public:
  /// Keeps the arguments of propagation::run().
  propagation_walk(const Rows& rows, const Step& step, per_core<sending_vertices> senders)
      : rows_(rows), step_(step), senders_(senders) {}

  /// Sends from the vertices that this core has found, until there are none left.
  void go() const;

 private:
  static constexpr std::size_t k_rows_between_polls = 512;  // between two polls for offers of other cores

  using value = std::remove_cvref_t<decltype(std::declval<Step>().values.local()[0])>;
  using offer = decltype(std::declval<const Step&>().offer(vertex_id{}, std::declval<const value&>()));

  /// Handles an offer at the owner of n.
  struct push_remotely {
    per_core<sending_vertices> senders;
    [[no_unique_address]] decltype(Step::push) push;
    vertex_id n;
    [[no_unique_address]] offer offered;
    void operator()(value& v) const {
      if (!push(v, n, offered)) return;
      sending_vertices& mine = senders.here();
      mine.found.push_back(n);
      if (mine.is_going) return;
      mine.is_going = true;
      spawn([&mine] { mine.go_on(); });
    }
  };

  Rows rows_;
  Step step_;
  per_core<sending_vertices> senders_;
};

template <class Rows, class Step>
void propagation_walk<Rows, Step>::go() const {
  sending_vertices& mine = senders_.here();
  const std::span<value> own = step_.values.local();
  const std::uint64_t first = step_.values.local_begin();
  scan_meter meter(k_push);
  std::size_t sent = 0;
  const auto send = [&](vertex_id v, auto found) {
    const offer offered = step_.offer(v, own[v - first]);
    scan_row(meter, rows_, v, [&](vertex_id n) {
      if (n - first < own.size()) {
        if (step_.push(own[n - first], n, offered)) found(n);
      } else {
        step_.values.async(n, push_remotely{senders_, step_.push, n, offered});
      }
    });
    if (++sent % k_rows_between_polls == 0) yield();
  };
  while (!mine.found.empty()) {
    if constexpr (Step::k_depth_first) {
      vertex_id v = mine.found.back();
      mine.found.pop_back();
      while (v != k_no_vertex) {
        vertex_id next = k_no_vertex;
        send(v, [&](vertex_id n) {
          if (next == k_no_vertex)
            next = n;
          else
            mine.found.push_back(n);
        });
        v = next;
      }
    } else {
      mine.taken.clear();
      mine.taken.swap(mine.found);
      for (const vertex_id v : mine.taken) send(v, [&](vertex_id n) { mine.found.push_back(n); });
    }
  }
  mine.is_going = false;
}

/// A propagation. Made by the main fiber; kernels capture senders().
class propagation {
 public:
  /// Returns the handle to capture: before run() a core adds its own sending vertices to senders().here().found.
  per_core<sending_vertices> senders() const { return senders_.handle(); }
  /// Sends from all found vertices, and from those that push() accepts, until there are none. Suspends until all cores are done.
  template <class Rows, class Step>
  void run(const Rows& rows, const Step& step) const {
    const propagation_walk<Rows, Step> walk(rows, step, senders());
    then_always(
        [&] {
          on_all_cores([walk, senders = senders()] {
            senders.here().go_on = [walk] { walk.go(); };
            walk.go();
          });
        },
        [this] { end(); });
  }

 private:
  template <class Rows, class Step, class OtherRows, class OtherStep>
  friend void propagate_both(const propagation&, const Rows&, const Step&, const propagation&,
                             const OtherRows&, const OtherStep&);

  /// Holds messages of the next run until their core has started it. A run that has thrown leaves no vertices to it.
  void end() const {
    (void)collect(senders(), [](sending_vertices& each) {
      each.found.clear();
      each.taken.clear();
      return int{each.is_going = true};
    });
  }

  scoped_per_core<sending_vertices> senders_;
};

/// Runs two propagations at once: a core continues with the second one while it has no vertices of the first. Each step must keep the
/// values of the other valid at any time.
template <class Rows, class Step, class OtherRows, class OtherStep>
void propagate_both(const propagation& one, const Rows& rows, const Step& step, const propagation& other,
                    const OtherRows& other_rows, const OtherStep& other_step) {
  const propagation_walk<Rows, Step> first(rows, step, one.senders());
  const propagation_walk<OtherRows, OtherStep> second(other_rows, other_step, other.senders());
  then_always(
      [&] {
        on_all_cores([first, second, ones = one.senders(), others = other.senders()] {
          ones.here().go_on = [first] { first.go(); };
          others.here().go_on = [second] { second.go(); };
          first.go();
          second.go();
        });
      },
      [&] {
        one.end();
        other.end();
      });
}

}  // namespace gossamer::graph
