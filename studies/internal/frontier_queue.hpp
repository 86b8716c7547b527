#pragma once
// A frontier that is one queue of the whole job (combining/queue.hpp). The vertices that a level discovers
// are enqueued, and every core dequeues its share. The queue is FIFO and the size of a level is known, so the
// dequeued vertices are those of the level.
//
// A vertex is discovered by a handler, at its owner. Handlers do not wait, so adopted vertices are staged,
// and all cores enqueue them together at the end of the level. Cores get vertices of their own process as far
// as all shares stay equal. A core visits vertices of its process in place, and sends the others to their
// owners. That takes 4 bytes in an aggregated packet; to read the row would transfer all of it and make the
// reader wait. The owner also knows the visited neighbours in its process. Alternatively (singly) each vertex
// is enqueued and dequeued by one request of its own fiber, the workload that combining is made for.
//
// The owner of each word updates `visited`, while other cores of its process read it. Relaxed: a core that
// reads an old word only sends an unnecessary message.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/combining/queue.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "studies/internal/locked_queue.hpp"
#include "studies/internal/search_rows.hpp"

namespace gossamer::studies {

using namespace graph;

/// The frontier of a search, for direction_optimising.hpp. Collective over all cores; by the main fiber.
template <class Rows>
class queue_frontier {
 public:
  struct arguments {
    combine where = combine::local;
    bool singly = false;  // a request for each vertex
    bool locked = false;  // singly, to a queue that holds a lock over a message (locked_queue.hpp)
  };
  queue_frontier(const search_state<Rows>& s, arguments a);

  /// Empties the queue and returns a function that clears each core's state of the previous search.
  auto cleaner(const array<std::uint64_t>& front) const {
    drain();
    return [front, parts = parts_.handle()] {
      std::ranges::fill(front.local(), 0);
      parts.here().forget();
    };
  }
  /// Adopts the source of a search.
  void start(vertex_id source);
  /// Dequeues the frontier of `size` vertices, and adopts their unvisited neighbours.
  void top_down(std::uint64_t size);
  /// Stages the adopted vertices, and sets the statistics.
  void advance();
  /// Enqueues the staged vertices. Does nothing with single requests, which have enqueued them.
  void enqueue_staged_vertices() const {
    if (!singly_) queue_.enqueue_staged();
  }
  /// Dequeues the frontier of `size` vertices and sets their bits in `front`. Called at most once in a
  /// search: `front` is empty since its beginning.
  void to_bitmap(const array<std::uint64_t>& front, std::uint64_t size);
  /// Adopts the vertices of `front` again, so that advance() makes them the frontier.
  void from_bitmap(const array<std::uint64_t>& front);

 private:
  static constexpr std::size_t k_singly = 1024;  // most fibers of a core that send single requests
  static constexpr std::uint64_t k_rows_at_once = 32;  // visited before the fiber yields
  static constexpr std::uint32_t k_least_share = 16;  // smaller levels are divided among fewer cores

  class core_part;

  /// Makes v the parent of n, if n has none, at the owner of n. In handlers and in loops over own vertices.
  class adopt {
   public:
    adopt(per_core<core_part> parts, vertex_id n, vertex_id v) : parts_(parts), n_(n), v_(v) {}
    void operator()(vertex_id& parent) const {
      if (parent != k_no_vertex) return;
      parent = v_;
      parts_.here().stage(n_);
    }

   private:
    per_core<core_part> parts_;
    vertex_id n_, v_;
  };

  /// The state of one core. Used by that core only.
  class core_part {
   public:
    void open(const search_state<Rows>& s, const queue<vertex_id>& q, const arguments& a,
              const locked_queue& locked) {
      state_ = s;
      queue_ = q;
      singly_ = a.singly;
      is_locked_ = a.locked;
      locked_ = locked;
      seen_ = elements_of(s.visited);
      local_ = vertices_here(s.graph);
    }
    void forget() {
      staged_.clear();
      adopted_ = degrees_ = sampled_ = 0;
    }
    /// Stages a vertex that was adopted just now, and marks it visited. Called in handlers too.
    void stage(vertex_id n) {
      std::atomic_ref<std::uint64_t> word(seen_[n / k_word_bits]);  // one writer
      word.store(word.load(std::memory_order_relaxed) | bit_of(n), std::memory_order_relaxed);
      staged_.push_back(n);
      if (singly_) start_enqueuer();
    }
    void stage_again(vertex_id n) { staged_.push_back(n); }
    level_statistics advance() {
      if (singly_)
        finish([this] {
          for (std::size_t k = std::min(staged_.size(), k_singly); k > 0; --k) start_enqueuer();
        });
      else
        stage_all();
      const level_statistics statistics{adopted_, sampled_ == 0 ? 0 : degrees_ * adopted_ / sampled_};
      forget();
      return statistics;
    }
    /// Dequeues this core's share of a level of `size` vertices, singly. The shares add up to the level, so
    /// every request gets a vertex.
    std::vector<vertex_id> take_share(std::uint64_t size) const {
      std::vector<vertex_id> taken(share_of(size));
      finish([&] {
        for (std::size_t first = 0; first < std::min(taken.size(), k_singly); ++first)
          spawn([this, first, into = std::span(taken)] {
            for (std::size_t i = first; i < into.size(); i += k_singly) into[i] = take();
          });
      });
      return taken;
    }
    /// Calls f(owner, vertices) for each run of vertices of one owner.
    template <class F>
    void by_owner(std::span<const vertex_id> vertices, F f) const {
      while (!vertices.empty()) {
        const core_id owner = state_.parent.owner(vertices.front());
        const auto other = [&](vertex_id v) { return state_.parent.owner(v) != owner; };
        const auto run = vertices.first(
            static_cast<std::size_t>(std::ranges::find_if(vertices, other) - vertices.begin()));
        f(owner, run);
        vertices = vertices.subspan(run.size());
      }
    }
    /// Visits the rows of some vertices. Yields at intervals, so that the home core serves requests for
    /// shares.
    void visit(per_core<core_part> parts, std::span<const vertex_id> vertices) const {
      const std::span<vertex_id> own = state_.parent.local();
      const std::uint64_t first = state_.parent.local_begin();
      std::uint64_t rows = 0;
      for (vertex_id v : vertices) {
        if (++rows % k_rows_at_once == 0) yield();
        scan_meter meter(k_top_down);  // of one row: the loop yields
        scan_row(meter, state_.forward, v, [&](vertex_id n) {
          if (n - first < own.size())
            adopt{parts, n, v}(own[n - first]);
          else if (!local_.has(n) || !was_seen(n))
            state_.parent.async(n, adopt{parts, n, v});
        });
      }
    }

   private:
    void put(vertex_id v) const {
      if (is_locked_)
        (void)locked_.call(locked_request{v, true}, true);
      else
        queue_.enqueue(v);
    }
    vertex_id take() const {
      if (!is_locked_) return queue_.dequeue().value();
      const locked_answer answer = locked_.call(locked_request{}, true);
      GOSSAMER_ASSERT(answer.found, "a level has fewer vertices than were counted");
      return answer.value;
    }
    /// Returns the size of this core's share of a level of `size` vertices. Only some cores, of all
    /// processes, get vertices of a small level.
    static std::uint64_t share_of(std::uint64_t size) {
      const std::uint64_t takers = std::min<std::uint64_t>(cores(), divide_up(size, k_least_share));
      const std::uint64_t rank =
          (here() % cores_per_process()) * std::uint64_t{processes()} + here() / cores_per_process();
      return rank < takers ? size * (rank + 1) / takers - size * rank / takers : 0;
    }
    bool was_seen(vertex_id n) const {
      const std::uint64_t word =
          std::atomic_ref<std::uint64_t>(seen_[n / k_word_bits]).load(std::memory_order_relaxed);
      return (word & bit_of(n)) != 0;
    }
    void stage_all() {
      count(staged_);
      queue_.stage(staged_);
    }
    void start_enqueuer() {
      if (enqueuers_ >= std::min(staged_.size(), k_singly)) return;
      ++enqueuers_;
      spawn([this] {
        while (!staged_.empty()) {
          const vertex_id v = staged_.back();
          staged_.pop_back();
          count(std::span(&v, 1));
          put(v);
        }
        --enqueuers_;
      });
    }
    void count(std::span<const vertex_id> chunk) {
      adopted_ += chunk.size();
      const std::size_t step = chunk.size() / (k_degrees_sampled / 64) + 1;
      for (std::size_t i = 0; i < chunk.size(); i += step, ++sampled_)
        degrees_ += state_.forward.degree(chunk[i]);
    }

    search_state<Rows> state_;
    queue<vertex_id> queue_;
    bool singly_ = false, is_locked_ = false;
    locked_queue locked_;
    std::size_t enqueuers_ = 0;  // fibers that enqueue staged vertices, one by one
    std::uint64_t* seen_ = nullptr;  // `visited`, read for vertices of this process
    vertex_range local_;
    std::vector<vertex_id> staged_;  // adopted, not in the queue
    std::uint64_t adopted_ = 0, degrees_ = 0, sampled_ = 0;  // in this level
  };

  void drain() const;
  /// Dequeues a level of `size` vertices on all cores. Calls f(owner, vertices) on each core for each run of
  /// its vertices that have one owner.
  template <class F>
  void dequeue_level(std::uint64_t size, F f) const;

  search_state<Rows> state_;
  bool singly_;
  scoped_queue<vertex_id> queue_;
  std::unique_ptr<scoped_locked_queue> locked_;  // used instead of queue_
  scoped_per_core<core_part> parts_;
};

template <class Rows>
queue_frontier<Rows>::queue_frontier(const search_state<Rows>& s, arguments a)
    : state_(s), singly_(a.singly), queue_(a.where) {
  if (a.locked) locked_ = std::make_unique<scoped_locked_queue>(s.graph.vertices);
  on_all_cores([s, q = queue_.handle(), a, locked = a.locked ? locked_->handle() : locked_queue(),
                parts = parts_.handle()] { parts.here().open(s, q, a, locked); });
}

template <class Rows>
template <class F>
void queue_frontier<Rows>::dequeue_level(std::uint64_t size, F f) const {
  if (singly_)
    return on_all_cores(
        [size, f, parts = parts_.handle()] { parts.here().by_owner(parts.here().take_share(size), f); });
  const auto dealt = queue_.deal(
      size, [f, parts = parts_.handle()](std::span<const vertex_id> mine) { parts.here().by_owner(mine, f); },
      k_least_share);
  GOSSAMER_ASSERT(dealt == size, "a level has fewer vertices than were counted");
}

/// Empties the queue: an interrupted search leaves a level in it.
template <class Rows>
void queue_frontier<Rows>::drain() const {
  if (locked_ != nullptr) return locked_->handle().visit([](auto& state) { state.clear(); });
  const std::uint64_t left = queue_.size();
  if (left != 0) dequeue_level(left, [](core_id, std::span<const vertex_id>) {});
}

template <class Rows>
void queue_frontier<Rows>::start(vertex_id source) {
  finish([&] { state_.parent.async(source, adopt{parts_.handle(), source, source}); });
}

template <class Rows>
void queue_frontier<Rows>::advance() {
  on_all_cores([statistics = state_.statistics, parts = parts_.handle()] {
    statistics.here() = parts.here().advance();
  });
}

template <class Rows>
void queue_frontier<Rows>::top_down(std::uint64_t size) {
  dequeue_level(size, [parts = parts_.handle()](core_id owner, std::span<const vertex_id> vertices) {
    if (process_of(owner) == process()) return parts.here().visit(parts, vertices);
    async_on(
        owner,
        [parts](std::span<const std::byte> bytes) {
          std::vector<vertex_id> come(bytes.size() / sizeof(vertex_id));
          std::memcpy(come.data(), bytes.data(), bytes.size());
          spawn([parts, come = std::move(come)] { parts.here().visit(parts, come); });
        },
        std::as_bytes(vertices));
  });
}

template <class Rows>
void queue_frontier<Rows>::to_bitmap(const array<std::uint64_t>& front, std::uint64_t size) {
  dequeue_level(size, [front](core_id owner, std::span<const vertex_id> vertices) {
    async_on(
        owner,
        [front](std::span<const std::byte> bytes) {
          const std::span<std::uint64_t> own = front.local();
          const std::uint64_t first = front.local_begin();
          scan_meter meter(k_pass);
          meter.rows = bytes.size() / sizeof(vertex_id);
          for (std::size_t at = 0; at < bytes.size(); at += sizeof(vertex_id)) {
            vertex_id v;
            std::memcpy(&v, bytes.data() + at, sizeof v);
            own[v / k_word_bits - first] |= bit_of(v);
          }
        },
        std::as_bytes(vertices));
  });
}

template <class Rows>
void queue_frontier<Rows>::from_bitmap(const array<std::uint64_t>& front) {
  on_all_cores([front, parts = parts_.handle()] {
    std::uint64_t w = front.local_begin();
    scan_meter meter(k_pass);
    for (std::uint64_t word : front.local())
      for_each_bit(word, w++, [&](std::uint64_t v) {
        parts.here().stage_again(static_cast<vertex_id>(v));
        ++meter.rows;
      });
  });
}

}  // namespace gossamer::studies
