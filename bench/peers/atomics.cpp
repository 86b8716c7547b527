// What shipping operations is held against: threads that update (gups) and read (gather) a shared table in
// place, by relaxed atomics, on huge pages.

#include <sys/mman.h>

#include <memory>

#include "peers/peer.hpp"

namespace gossamer::bench {
namespace {

constexpr std::string_view k_peer = "relaxed atomics";

class shared_table {
 public:
  explicit shared_table(std::uint64_t bytes) : size_(bytes / 8) {
    constexpr std::size_t k_huge = 2 << 20;
    std::size_t room = bytes + k_huge;
    region_ =
        std::make_unique_for_overwrite<std::byte[]>(room);  // large: a mapping of its own, not touched yet
    void* at = region_.get();
    cells_ = static_cast<std::atomic<std::uint64_t>*>(std::align(k_huge, bytes, at, room));
    (void)::madvise(cells_, bytes, MADV_HUGEPAGE);
    for (std::uint64_t i = 0; i < size_; ++i) new (cells_ + i) std::atomic<std::uint64_t>(0);
  }
  std::uint64_t size() const { return size_; }
  std::atomic<std::uint64_t>& operator[](std::uint64_t i) { return cells_[i]; }

 private:
  std::uint64_t size_;
  std::unique_ptr<std::byte[]> region_;
  std::atomic<std::uint64_t>* cells_;
};

/// Runs f(i) for i in [0, n) on all threads and returns millions a second.
template <class F>
double rate(unsigned threads, std::uint64_t n, F f) {
  std::vector<double> ns(threads);
  on_threads(threads,
             [&](unsigned t) { ns[t] = wall_ns_of([&] { f(n * t / threads, n * (t + 1) / threads); }); });
  return static_cast<double>(n) * 1e3 / std::ranges::max(ns);
}

void gups(const settings& s, std::uint64_t bytes, unsigned threads) {
  const std::uint64_t updates = table_operations(s);
  shared_table table(bytes);
  std::uint64_t seed = 0;
  const samples rates = repeat(s, [&] {
    const std::uint64_t salt = seed++;
    return rate(threads, updates, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const std::uint64_t r = update_value(salt, i);
        table[update_cell(r, table.size())].fetch_add(r, std::memory_order_relaxed);
      }
    });
  });
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < table.size(); ++i)
    sum += table[i].load(std::memory_order_relaxed) * (2 * i + 1);
  print_peer(k_peer, checked(row_of("gups", table_case(bytes, threads), "M/s", rates),
                             sum == expected_sum(seed, updates, table.size())));
}

void gather(const settings& s, std::uint64_t bytes, unsigned threads) {
  const std::uint64_t reads = table_operations(s);
  shared_table table(bytes);
  for (std::uint64_t i = 0; i < table.size(); ++i) table[i].store(hash64(i), std::memory_order_relaxed);
  std::vector<std::uint64_t> at(reads), answers(reads);
  std::uint64_t salt = 0;
  bool right = true;
  const samples rates = repeat(s, [&] {
    ++salt;
    for (std::uint64_t i = 0; i < reads; ++i) at[i] = update_cell(update_value(salt, i), table.size());
    const double reached = rate(threads, reads, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) answers[i] = table[at[i]].load(std::memory_order_relaxed);
    });
    for (std::uint64_t i = 0; i < reads; ++i) right &= answers[i] == hash64(at[i]);
    return reached;
  });
  print_peer(k_peer, checked(row_of("gather", table_case(bytes, threads), "M/s", rates), right));
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  for (const std::uint64_t bytes : table_sizes(a.asked)) {
    for (const unsigned n : core_counts(a.asked)) {
      if (a.bench == "gups") gups(a.asked, bytes, n);
      if (a.bench == "gather") gather(a.asked, bytes, n);
    }
  }
}
