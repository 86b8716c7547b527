#pragma once
// The result of a MapReduce job: each key once, with its value, spread over the cores by the hash of the key.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/mapreduce/internal/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/hash_container.hpp"
#include "gossamer/mapreduce/internal/message_exchange.hpp"
#include "gossamer/mapreduce/internal/stored_pairs.hpp"
#include "gossamer/mapreduce/internal/text_arena.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/parallel/remote.hpp"

namespace gossamer {

namespace mapreduce {

/// Compares keys: texts byte by byte, others by `<`.
struct key_order {
  bool operator()(const text_key& a, const text_key& b) const {
    if (a.is_long() || b.is_long()) return a.text() < b.text();
    const std::uint64_t x = __builtin_bswap64(a.first), y = __builtin_bswap64(b.first);
    return x != y ? x < y : __builtin_bswap64(a.second) < __builtin_bswap64(b.second);
  }
  template <class Key>
  bool operator()(const plain_key<Key>& a, const plain_key<Key>& b) const {
    return a.key < b.key;
  }
};

}  // namespace mapreduce

/// Order of results: by key.
struct by_key {
  /// Returns whether a comes before b.
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    return mapreduce::key_order{}(a.key, b.key);
  }
};

/// Order of results: the largest value first, equal ones by key.
struct by_value {
  /// Returns whether a comes before b.
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    if (b.value < a.value) return true;
    return !(a.value < b.value) && mapreduce::key_order{}(a.key, b.key);
  }
};

/// Owns the pairs of a result. Moved, not copied. Every function is for one fiber, and suspends.
template <class Key, class Value, class Hash = mapreduce::default_hash>
class key_values {
  using container = mapreduce::hash_container<Key, Value, Hash>;
  using traits = mapreduce::key_traits<Key>;

 public:
  /// A pair as a container holds it.
  using slot = typename container::slot;
  /// A key that owns its bytes.
  using owned_key = std::conditional_t<traits::k_is_text, std::string, Key>;
  /// A pair that owns its key.
  using pair = std::pair<owned_key, Value>;

  /// What a core has of the result: the pairs of its partition, in one of three forms.
  struct part {
    container pairs;  ///< in a container
    std::vector<slot> listed;  ///< in a list, where no container was needed
    mapreduce::text_arena texts;  ///< long keys of the list
    std::unique_ptr<mapreduce::stored_pairs<Key, slot>>
        stored;  ///< in a scratch file, where memory is bounded
    std::vector<slot> sorted;  ///< all of them in an order, while they are merged; or the first ones
    mapreduce::text_arena sorted_texts;  ///< long keys of the first ones, where they come from a scratch file
    std::function<std::vector<std::byte>()> next_sorted;  ///< returns the next pairs, for another process
    std::vector<std::byte> flat;  ///< the same as bytes, for another process
    mapreduce::binomial_tree tree;  ///< how they are merged by messages

    /// Counts the pairs.
    std::uint64_t size() const { return pairs.size() + listed.size() + (stored ? stored->size() : 0); }
    /// Calls f(slot&) for each pair. A long key stays until f returns.
    template <class F>
    void for_each_slot(F f) {
      pairs.for_each_slot(f);
      for (slot& s : listed) f(s);
      if (stored) stored->for_each_slot(f);
    }
    /// Finds the first k pairs in an order, and puts them into `sorted`.
    template <class Order>
    void find_first(std::uint64_t k, Order before) {
      std::vector<slot>& best = sorted;  // a heap: the last in the order is at its top
      best.clear();
      sorted_texts = {};
      if (k == 0) return;
      std::size_t most_text = k_kept_text_bytes;
      const auto keep = [&](slot& s) {  // a long key of a scratch file goes with its block
        if constexpr (traits::k_is_text)
          if (stored && s.key.is_long()) {
            s.key.first = reinterpret_cast<std::uintptr_t>(sorted_texts.keep(s.key.text()).data());
            if (sorted_texts.used() > most_text) {
              mapreduce::text_arena fewer;
              for (slot& b : best)
                if (b.key.is_long())
                  b.key.first = reinterpret_cast<std::uintptr_t>(fewer.keep(b.key.text()).data());
              sorted_texts = std::move(fewer);
              most_text = k_kept_text_bytes + 2 * sorted_texts.used();
            }
          }
      };
      for_each_slot([&](const slot& s) {
        if (best.size() < k) {
          best.push_back(s);
          keep(best.back());
          std::ranges::push_heap(best, before);
        } else if (before(s, best.front())) {
          std::ranges::pop_heap(best, before);
          best.back() = s;
          keep(best.back());
          std::ranges::push_heap(best, before);
        }
      });
      std::ranges::sort_heap(best, before);
    }
    /// Bytes of text that are kept before those of the best keys are copied anew.
    static constexpr std::size_t k_kept_text_bytes = std::size_t{1} << 20;
    /// Appends a pair to the list. Throws gossamer::error where memory is short.
    void list(const typename traits::stored& key, const Value& value) {
      if (listed.size() == listed.capacity()) {
        const std::size_t n = std::max<std::size_t>(64, 2 * listed.size());
        machine::require_piece(n * sizeof(slot), "results");
        listed.reserve(n);
      }
      listed.push_back({key, value});
      if constexpr (traits::k_is_text)
        if (key.is_long())
          listed.back().key.first = reinterpret_cast<std::uintptr_t>(texts.keep(key.text()).data());
    }
  };

  key_values() = default;
  /// Makes an empty result of an engine: by messages, sorted pairs are merged along a binomial tree of all cores.
  explicit key_values(engine by) : by_(by) {}

  /// Counts the keys.
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : gossamer::collect(parts(), [](part& p) { return p.size(); })) sum += n;
    return sum;
  }

  /// Returns the first k pairs in an order: those with the largest values. Each core chooses its first k, so
  /// k * cores() pairs travel.
  template <class Order = by_value>
  std::vector<pair> top(std::uint64_t k, Order before = {}) const {
    on_all_cores([k, before, all = parts()] { all.here().find_first(k, before); });
    std::vector<pair> first;
    merge(before, [&](const slot& s) {
      if (first.size() == k) return false;
      first.emplace_back(owned_key(traits::view(s.key)), s.value);
      return true;
    });
    return first;
  }

  /// Calls f(key, value) for every pair, in order, on the calling fiber. Every core sorts its pairs; then they come to
  /// the caller's process and are merged there. Results of engine::messages are merged on the way, in log2(cores())
  /// rounds, and end at the caller's core. What lies in scratch files is sorted to runs there, and merged as it is read;
  /// other processes send it in pieces. `key` is a std::string_view where keys are texts.
  template <class Order, class F>
  void for_each_sorted(Order before, F f) const {
    if (is_stored()) return merge_stored(before, f);
    on_all_cores([before, all = parts()] {
      part& mine = all.here();
      mine.sorted.clear();
      mine.sorted.reserve(mine.size());
      mine.for_each_slot([&](const slot& s) { mine.sorted.push_back(s); });
      if (!std::ranges::is_sorted(mine.sorted, before)) std::ranges::sort(mine.sorted, before);
    });
    const auto take = [&](const slot& s) {
      f(traits::view(s.key), s.value);
      return true;
    };
    if (by_ == engine::messages)
      merge_by_messages(before, take);
    else
      merge(before, take);
  }

  /// Returns all pairs, in order, in the caller's process.
  template <class Order = by_key>
  std::vector<pair> collect(Order before = {}) const {
    std::vector<pair> all;
    all.reserve(size());
    for_each_sorted(before,
                    [&](const auto& key, const Value& value) { all.emplace_back(owned_key(key), value); });
    return all;
  }

  /// Calls f(key, value) for every pair, each on the core that has it, in no order. f is copied as bytes.
  template <class F>
  void for_each(F f) const {
    on_all_cores([f, all = parts()] {
      F mine(f);
      all.here().for_each_slot([&](slot& s) { mine(traits::view(s.key), s.value); });
    });
  }

  /// Returns what each core has.
  per_core<part> parts() const { return all_->handle(); }

  /// Returns whether the pairs lie in scratch files. By one fiber; suspends.
  bool is_stored() const {
    bool any = false;
    for (const char here :
         gossamer::collect(parts(), [](part& p) { return static_cast<char>(p.stored != nullptr); }))
      any |= here != 0;
    return any;
  }

 private:
  /// Merges what the cores have sorted, until f(slot) returns false.
  template <class Order, class F>
  void merge(Order before, F f) const {
    std::vector<std::vector<std::byte>> bytes;
    if (processes() > 1) {
      on_all_cores([all = parts()] {
        part& mine = all.here();
        mapreduce::pair_writer<Key, slot> pairs;
        for (const slot& s : mine.sorted) pairs.add(s);
        mine.flat.clear();
        pairs.write(mine.flat);
      });
      bytes = collect_spans<std::byte>(parts(), [](part& p) { return std::span<const std::byte>(p.flat); });
    }
    std::vector<std::vector<slot>> remote;  // of other processes, in place of their parts
    struct run {
      const slot *at, *end;
    };
    std::vector<run> runs;
    remote.reserve(cores());
    const auto add = [&](const std::vector<slot>& slots) {
      if (!slots.empty()) runs.push_back({slots.data(), slots.data() + slots.size()});
    };
    for (core_id c = 0; c < cores(); ++c) {
      if (c - first_core(process()) < cores_per_process()) {
        add(parts().at(c).sorted);
        continue;
      }
      std::vector<slot>& here = remote.emplace_back();
      mapreduce::for_each_flat<Key, slot>(std::span<const std::byte>(bytes[c]),
                                          [&](const slot& s) { here.push_back(s); });
      add(here);
    }
    const auto later = [&](const run& a, const run& b) { return before(*b.at, *a.at); };
    std::ranges::make_heap(runs, later);
    while (!runs.empty()) {
      std::ranges::pop_heap(runs, later);
      run& next = runs.back();
      if (!f(*next.at)) break;
      if (++next.at == next.end)
        runs.pop_back();
      else
        std::ranges::push_heap(runs, later);
    }
    forget_sorted();
  }

  /// Does for_each_sorted() where pairs lie in scratch files.
  template <class Order, class F>
  void merge_stored(Order before, F f) const {
    using merger = mapreduce::block_merger<Key, slot, Order>;
    on_all_cores([before, all = parts(), root = process()] {
      part& mine = all.here();
      if (!mine.stored) return;
      mine.stored->sort(before);
      if (process() == root) return;
      auto runs = std::make_shared<merger>(before);
      mine.stored->add_runs_to(*runs, mine.stored->codec());
      runs->start();
      mine.next_sorted = [runs] {
        constexpr std::size_t k_piece_bytes = 256 << 10;
        mapreduce::pair_writer<Key, slot> pairs;
        for (; !runs->ended() && pairs.bytes() < k_piece_bytes; runs->next()) pairs.add(runs->pair());
        std::vector<std::byte> bytes;
        if (pairs.pairs() != 0) pairs.write(bytes);
        return bytes;
      };
    });
    io::block_codec codec;
    merger here(before);
    std::vector<remote_pairs> remote;
    for (core_id c = 0; c < cores(); ++c) {
      if (c - first_core(process()) >= cores_per_process())
        remote.emplace_back(parts(), c);
      else if (parts().at(c).stored)
        parts().at(c).stored->add_runs_to(here, codec);
    }
    here.start();
    std::erase_if(remote, [](remote_pairs& r) { return !r.next(); });
    while (!here.ended() || !remote.empty()) {
      remote_pairs* from = nullptr;
      const slot* first = here.ended() ? nullptr : &here.pair();
      for (remote_pairs& r : remote)
        if (first == nullptr || before(r.pair(), *first)) {
          from = &r;
          first = &r.pair();
        }
      f(traits::view(first->key), first->value);
      if (from == nullptr)
        here.next();
      else if (!from->next())
        remote.erase(remote.begin() + (from - remote.data()));
    }
    on_all_cores([all = parts()] {
      all.here().next_sorted = nullptr;
      if (all.here().stored) all.here().stored->forget_sorted();
    });
  }

  /// The sorted pairs of a core of another process, piece by piece.
  class remote_pairs {
   public:
    remote_pairs(per_core<part> all, core_id core) : all_(all), core_(core) {}
    /// Goes to the next pair. Returns false at the end. Suspends at the end of a piece.
    bool next() {
      if (++at_ < slots_.size()) return true;
      bytes_ = on_core(core_, [all = all_] {
        part& there = all.here();
        return there.next_sorted ? there.next_sorted() : std::vector<std::byte>();
      });
      slots_.clear();
      at_ = 0;
      if (bytes_.empty()) return false;
      mapreduce::for_each_flat<Key, slot>(std::span<const std::byte>(bytes_),
                                          [&](const slot& s) { slots_.push_back(s); });
      return true;
    }
    const slot& pair() const { return slots_[at_]; }

   private:
    per_core<part> all_;
    core_id core_;
    std::size_t at_ = 0;
    std::vector<std::byte> bytes_;
    std::vector<slot> slots_;
  };

  /// Merges what the cores have sorted along a binomial tree whose root is this core, over two-sided messages alone. Then
  /// calls f(slot) for each pair.
  template <class Order, class F>
  void merge_by_messages(Order before, F f) const {
    const message_tag tag = mapreduce::message_tag_of(parts().address(0));
    on_all_cores([all = parts(), tag, root = here()] {
      part& mine = all.here();
      std::uint64_t bytes = mapreduce::flat_bytes<Key, slot>(mine.sorted.size());
      if constexpr (traits::k_is_text)
        for (const slot& s : mine.sorted) bytes += s.key.is_long() ? s.key.size() : 0;
      mine.tree.exchange_sizes(tag, root, bytes, mapreduce::flat_bytes<Key, slot>(0));
    });
    on_all_cores([all = parts(), tag, before] {
      part& mine = all.here();
      mine.tree.exchange_data(
          tag,
          [&](std::span<const std::byte> bytes) {
            std::vector<slot> theirs, both;
            mapreduce::for_each_flat<Key, slot>(bytes, [&](const slot& s) { theirs.push_back(s); });
            both.reserve(mine.sorted.size() + theirs.size());
            std::ranges::merge(mine.sorted, theirs, std::back_inserter(both), before);
            mine.sorted = std::move(both);
          },
          [&] {
            mapreduce::pair_writer<Key, slot> pairs;
            for (const slot& s : mine.sorted) pairs.add(s);
            mine.sorted = {};
            std::vector<std::byte> bytes;
            pairs.write(bytes);
            return bytes;
          });
    });
    for (const slot& s : parts().here().sorted)
      if (!f(s)) break;
    forget_sorted();
  }

  void forget_sorted() const {
    on_all_cores([all = parts()] {
      all.here().sorted = {};
      all.here().sorted_texts = {};
      all.here().flat = {};
      all.here().tree.clear();
    });
  }

  engine by_ = engine::hybrid;
  std::unique_ptr<scoped_per_core<part>> all_ = std::make_unique<scoped_per_core<part>>();
};

}  // namespace gossamer
