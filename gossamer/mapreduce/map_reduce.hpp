#pragma once
// MapReduce over all cores: a map function emits pairs, pairs of one key are combined. The hybrid engine of
// "hybrid address spaces" (section 4):
//
//   map        every core emits into a container for each partition, one partition a core; equal keys are combined
//              while they are emitted. Idle cores take map work of others of their process, without interrupting them.
//   reduce     core i joins partition i of the cores i, i+1, ... of its process, where they lie. Between processes
//              each sends what it has joined, in bulk.
// Stages end with a barrier, and there is no other.
//
//   auto counts = map_reduce<std::string_view, std::uint64_t>(
//       text_input({"a.txt", "b.txt.gz"}), [](std::string_view text, auto& out) {
//         for_each_word(text, [&](std::string_view word) { out.emit(word, 1); });
//       });
//   for (const auto& [word, count] : counts.top(20)) print("{} {}\n", count, word);

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/machine/clock.hpp"
#include "gossamer/mapreduce/count_input.hpp"
#include "gossamer/mapreduce/internal/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/hash_container.hpp"
#include "gossamer/mapreduce/key_values.hpp"
#include "gossamer/mapreduce/text_input.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// What happened, in seconds of wall time by stage, and how much.
struct map_reduce_statistics {
  double open_seconds = 0;  ///< inputs are opened and dealt
  double map_seconds = 0;  ///< pairs are emitted
  double reduce_seconds = 0;  ///< partitions are joined inside of each process
  double exchange_seconds = 0;  ///< partitions are joined between processes
  std::uint64_t emitted = 0;  ///< pairs, before they were combined
  std::uint64_t combined = 0;  ///< pairs that the cores had after the map stage
  std::uint64_t container_bytes = 0;  ///< of all cores, at the end of the map stage
};

/// How a MapReduce job runs.
struct map_reduce_options {
  /// Called on the first core of the caller's process between pieces: done of total tasks of its process. May throw to end the job.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  map_reduce_statistics* statistics = nullptr;  // filled where it is given
};

namespace mapreduce {

/// What the map function emits into: the containers of its core, one for each partition. Look-ups are made 32 at a
/// time, each fetched ahead, since most of them miss the caches.
template <class Key, class Value, class Combine, class Hash>
class emitter {
 public:
  using container = hash_container<Key, Value, Hash>;
  using traits = key_traits<Key>;

  /// Emits a pair. Never suspends; throws gossamer::error where memory is short. The key may be gone afterwards.
  void emit(const Key& key, const Value& value) {
    const typename traits::stored s = traits::store(key);
    const std::uint64_t hash = traits::hash(hash_, s);
    container& c = first_[owner_of(hash)];
    if constexpr (traits::k_is_text)
      if (s.is_long()) [[unlikely]] {  // at once: its bytes may be gone soon
        ++emitted_;
        return c.add(s, hash, value, combine_);
      }
    c.prefetch(hash);
    pending_[waiting_] = {s, value, hash, &c};
    if (++waiting_ == k_batch) flush();
  }

  /// Combines the pairs that wait into their containers.
  void flush() {
    for (unsigned i = 0; i < waiting_; ++i)
      pending_[i].into->add(pending_[i].key, pending_[i].hash, pending_[i].value, combine_);
    emitted_ += std::exchange(waiting_, 0);
  }

  std::uint64_t emitted() const { return emitted_; }
  container& of(core_id partition) { return containers_[partition]; }
  Combine& combine() { return combine_; }

  /// Makes a container for each partition. Before anything is emitted.
  void prepare(const Combine& combine, const Hash& hash) {
    combine_ = combine;
    hash_ = hash;
    containers_.clear();
    for (core_id c = 0; c < cores(); ++c) containers_.emplace_back(hash);
    first_ = containers_.data();
    partitions_ = cores();
    emitted_ = waiting_ = 0;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const container& c : containers_) sum += c.bytes();
    return sum;
  }
  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const container& c : containers_) sum += c.size();
    return sum;
  }

 private:
  static constexpr unsigned k_batch = 32;
  struct pending {
    typename traits::stored key;
    Value value;
    std::uint64_t hash;
    container* into;
  };
  /// Returns the core that joins a key, by bits of its hash that containers do not use.
  std::size_t owner_of(std::uint64_t hash) const { return ((hash >> 46) * partitions_) >> 18; }

  container* first_ = nullptr;
  std::uint64_t partitions_ = 0;
  std::vector<container> containers_;
  std::array<pending, k_batch> pending_;
  unsigned waiting_ = 0;
  std::uint64_t emitted_ = 0;
  [[no_unique_address]] Combine combine_;
  [[no_unique_address]] Hash hash_;
};

/// The shares of a process in the map stage.
struct map_shares {
  std::unique_ptr<parallel::dynamic_share[]> all;
  std::atomic<std::uint64_t> done{0};  // tasks; relaxed: for progress only
  const std::function<void(std::uint64_t, std::uint64_t)>* progress = nullptr;  // in the caller's process
};

/// Returns a monotonic time in seconds.
inline double seconds_now() { return static_cast<double>(machine::now_ns()) * 1e-9; }

/// Joins the pairs of `from` into `into`, with look-ups fetched ahead.
template <class Container, class Combine>
void join(const Container& from, Container& into, Combine& combine) {
  constexpr unsigned k_ahead = 32;
  std::array<std::pair<const typename Container::slot*, std::uint64_t>, k_ahead> pending;
  unsigned waiting = 0;
  const auto flush = [&] {
    for (unsigned i = 0; i < waiting; ++i)
      into.add(pending[i].first->key, pending[i].second, pending[i].first->value, combine);
    waiting = 0;
  };
  into.reserve(from.size());
  from.for_each_slot([&](const typename Container::slot& s) {
    const std::uint64_t hash = into.hash_of(s.key);
    into.prefetch(hash);
    pending[waiting] = {&s, hash};
    if (++waiting == k_ahead) flush();
  });
  flush();
}

/// Returns the core of this process that joins a partition: its owner, or for another process one in turn.
inline core_id joiner_of(core_id partition) {
  const core_id first = first_core(process());
  return first +
         (partition - first < cores_per_process() ? partition - first : partition % cores_per_process());
}

}  // namespace mapreduce

/// Runs map(element, out) for each element of `input`, and combines the values of each key that it emits by
/// out.emit(key, value). By one fiber; suspends. Elements are those of the input: pieces of text, indices, records.
/// Key: std::string_view, or a trivially copyable type whose equal values have equal bytes. Value: trivially copyable.
/// combine(a, b) is associative and commutative. map, combine and hash are copied as bytes to all cores: they capture
/// numbers and handles. map must not suspend. What it or combine throws arrives here, and the job of all cores ends.
/// Memory: a container of the distinct keys on each core, at most twice the pairs.
template <class Key, class Value, class Input, class Map, class Combine = std::plus<>,
          class Hash = mapreduce::default_hash>
key_values<Key, Value, Hash> map_reduce(const Input& input, Map map, Combine combine = {},
                                        map_reduce_options o = {}, Hash hash = {}) {
  using emitter = mapreduce::emitter<Key, Value, Combine, Hash>;
  using slot = typename emitter::container::slot;
  parallel::check_body(map);
  map_reduce_statistics statistics;
  double lap_begin = mapreduce::seconds_now();
  const auto lap = [&lap_begin] {
    const double now = mapreduce::seconds_now();
    return now - std::exchange(lap_begin, now);
  };

  const scoped_per_process<typename Input::share> opened;
  input.open(opened.handle());
  statistics.open_seconds = lap();

  const scoped_per_process<mapreduce::map_shares> shares;
  on_all_processes([shares = shares.handle(), opened = opened.handle()] {
    const unsigned team = cores_per_process();
    const std::uint64_t tasks = opened.here().tasks();
    auto& all = shares.here().all;
    all = std::make_unique<parallel::dynamic_share[]>(team);
    for (unsigned c = 0; c < team; ++c) {
      all[c].next.store(parallel::share_begin(0, tasks, c, team), std::memory_order_relaxed);
      all[c].end = parallel::share_begin(0, tasks, c + 1, team);
    }
  });

  const scoped_per_core<emitter> emitters;
  if (o.progress) shares.here().progress = &o.progress;
  on_all_cores(
      [map, combine, hash, emitters = emitters.handle(), opened = opened.handle(), shares = shares.handle()] {
        emitter& mine = emitters.here();
        mine.prepare(combine, hash);
        mapreduce::map_shares& own = shares.here();
        const typename Input::share& elements = opened.here();
        Map f(map);
        try {
          parallel::run_dynamic(own.all.get(), 1, [&](std::uint64_t begin, std::uint64_t end) {
            for (; begin < end; ++begin) {
              elements.run(begin, [&](const typename Input::element& element) { f(element, mine); });
              const std::uint64_t done = own.done.fetch_add(1, std::memory_order_relaxed) + 1;
              if (here() == first_core(process()) && own.progress != nullptr)
                (*own.progress)(done, elements.tasks());
            }
          });
          mine.flush();
        } catch (...) {
          for (unsigned c = 0; c < cores_per_process(); ++c)  // the others come to their end soon
            own.all[c].next.store(~std::uint64_t{0} / 2, std::memory_order_relaxed);
          throw;
        }
      });
  statistics.map_seconds = lap();
  if (o.statistics != nullptr) {
    struct sums {
      std::uint64_t emitted, pairs, bytes;
    };
    for (const sums& s :
         collect(emitters.handle(), [](emitter& e) { return sums{e.emitted(), e.pairs(), e.bytes()}; })) {
      statistics.emitted += s.emitted;
      statistics.combined += s.pairs;
      statistics.container_bytes += s.bytes;
    }
  }

  on_all_cores([emitters = emitters.handle()] {
    emitter& mine = emitters.here();
    const core_id first = first_core(process());
    const unsigned team = cores_per_process();
    for (core_id p = 0; p < cores(); ++p) {
      if (mapreduce::joiner_of(p) != here()) continue;
      for (unsigned k = 1; k < team; ++k)
        mapreduce::join(emitters.at(first + (here() - first + k) % team).of(p), mine.of(p), mine.combine());
    }
  });
  statistics.reduce_seconds = lap();

  key_values<Key, Value, Hash> result;
  on_all_cores([emitters = emitters.handle(), result = result.parts()] {
    emitter& mine = emitters.here();
    if (processes() > 1) {
      std::vector<std::byte> bytes;
      std::vector<std::size_t> counts;
      for (core_id p = 0; p < cores(); ++p) {
        const std::size_t before = bytes.size();
        if (mapreduce::joiner_of(p) == here() && p != here()) {
          mapreduce::pair_writer<Key, slot> pairs;
          mine.of(p).for_each_slot([&](const slot& s) { pairs.add(s); });
          mine.of(p).clear();
          pairs.write(bytes);
        }
        counts.push_back(bytes.size() - before);
      }
      const auto got = all_to_all(std::span<const std::byte>(bytes), counts);
      for (core_id c = 0; c < cores(); ++c) {
        if (got[c].empty()) continue;
        mapreduce::for_each_flat<Key, slot>(std::span<const std::byte>(got[c]), [&](const slot& s) {
          mine.of(here()).add(s.key, mine.of(here()).hash_of(s.key), s.value, mine.combine());
        });
      }
    }
    result.here().pairs = std::move(mine.of(here()));
  });
  statistics.exchange_seconds = lap();
  if (o.statistics != nullptr) *o.statistics = statistics;
  return result;
}

}  // namespace gossamer
