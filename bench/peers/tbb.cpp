// oneTBB's concurrent_hash_map with its scalable allocator, as in the paper.

#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_queue.h>
#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>
#include <tbb/scalable_allocator.h>

#include "peers/matching.hpp"
#include "peers/structures.hpp"

namespace gossamer::bench {
namespace {

struct hash_compare {
  static std::size_t hash(std::uint64_t key) { return hash64(key); }
  static bool equal(std::uint64_t a, std::uint64_t b) { return a == b; }
};

class map {
 public:
  bool insert(std::uint64_t key, void* value) { return map_.emplace(key, value); }
  void* take(std::uint64_t key) {
    table::accessor found;
    if (!map_.find(found, key)) return nullptr;
    void* const value = found->second;
    map_.erase(found);
    return value;
  }

 private:
  using table = tbb::concurrent_hash_map<std::uint64_t, void*, hash_compare,
                                         tbb::scalable_allocator<std::pair<const std::uint64_t, void*>>>;
  table map_{k_matching_slots};
};

class dictionary {
 public:
  explicit dictionary(std::uint64_t keys) : map_(keys) {}
  void insert(std::uint64_t key, std::uint64_t value) { map_.emplace(key, value); }
  void erase(std::uint64_t key) { map_.erase(key); }
  bool find(std::uint64_t key, std::uint64_t& value) {
    table::const_accessor found;
    if (!map_.find(found, key)) return false;
    value = found->second;
    return true;
  }

 private:
  using table =
      tbb::concurrent_hash_map<std::uint64_t, std::uint64_t, hash_compare,
                               tbb::scalable_allocator<std::pair<const std::uint64_t, std::uint64_t>>>;
  table map_;
};

class queue {
 public:
  void put(std::uint64_t value) { queue_.push(value); }
  bool take(std::uint64_t& value) { return queue_.try_pop(value); }

 private:
  tbb::concurrent_queue<std::uint64_t> queue_;
};

/// Sorts integers by parallel_sort, on one processor and on two.
template <class T>
void run_sort(std::uint64_t n, const sort_input& how, unsigned processors, const settings& s) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, processors);
  std::vector<T> all(n);
  samples ms;
  for (unsigned r = 0; r <= s.repeats; ++r) {
    for (std::uint64_t i = 0; i < n; ++i) all[i] = static_cast<T>(how.at(i));
    const double ns = wall_ns_of([&] { tbb::parallel_sort(all.begin(), all.end()); });
    if (r > 0) ms.push_back(ns / 1e6);  // the first one warms up
  }
  print_peer("TBB parallel_sort",
             checked(row_of("sort", sort_case<T>(n, how, sort_cores(processors)), "ms", ms),
                     sorted_right(all.data(), n, how)));
}

void run_sorts(const settings& s) {
  for (const std::uint64_t n : sort_sizes(s))
    for (const sort_input& how : k_sort_inputs)
      for (const unsigned processors : sort_core_counts(s)) {
        run_sort<std::uint32_t>(n, how, processors, s);
        run_sort<std::uint64_t>(n, how, processors, s);
      }
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  run_matchings<map>("TBB concurrent_hash_map", a);
  if (a.bench == "sort") run_sorts(a.asked);
  if (a.bench != "structures") return 0;
  for (const structure kind : {structure::set, structure::map})
    run_map<dictionary>("TBB concurrent_hash_map", kind, a.asked);
  run_sequence<queue>("TBB concurrent_queue", structure::queue, a.asked);
}
