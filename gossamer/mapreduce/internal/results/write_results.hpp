#pragma once
// Writes the pairs of a result in order, as text. All cores sort, format and write, each its buckets
// (process_order.hpp). If one core merges the pairs, from scratch files or over messages, the cores of its
// process format them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/files/chunk_output.hpp"
#include "gossamer/files/row_output.hpp"
#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/results/process_order.hpp"

namespace gossamer::mapreduce {

/// Writes the pairs that all cores have in memory. `format` is copied as bytes: see
/// key_values::write_sorted(). By the main fiber; suspends.
template <class Block, class Order, class Format>
void write_ordered(per_core<Block> blocks, Order before, const row_output& to, Format format) {
  using order = process_order<Block, Order>;
  const scoped_per_core<typename order::core_block> cores_have;
  const scoped_per_process<order> orders;
  const scoped_per_process<const row_output*> target;
  target.here() = &to;
  order::deal(orders.handle(), blocks, cores_have.handle(), before);
  on_all_processes([orders = orders.handle(), target = target.handle(), how = to.how, format] {
    order& mine = orders.here();
    const auto make = [&](std::size_t bucket) {
      return format(mine.rank(bucket), [&](auto f) {
        mine.read_bucket(bucket, [&](const auto& s) { f(Block::traits::view(s.key), s.value); });
      });
    };
    const files::made_chunks chunks{mine.buckets(), make};
    if (process() != 0) return files::send_chunks(chunks, how);
    files::chunk_output out(*target.here()->file, how);
    out.write(target.here()->before);
    out.write(chunks);
    for (unsigned p = 1; p < processes(); ++p) out.receive(p);
    out.write(target.here()->after);
    out.finish();
  });
}

/// Takes pairs in order from one fiber, and writes them in batches, which the cores of its process format.
/// Buffers one batch.
template <class Block, class Format>
class batch_writer {
  using key = typename Block::key_type;
  using slot = typename Block::slot;

 public:
  batch_writer(const row_output& to, Format format) : out_(*to.file, to.how), format_(format) {
    out_.write(to.before);
  }

  /// Adds the next pair. Its key is copied. Suspends if the batch is full.
  void add(const slot& s) {
    next_.add(s);
    if (next_.pairs() < k_chunk_pairs && next_.bytes() < k_chunk_bytes) return;
    end_chunk();
    if (chunks_.size() == most_chunks()) write();
  }
  /// Writes the rest, and the text that follows the rows.
  void finish(const std::string& after) {
    end_chunk();
    write();
    out_.write(after);
    out_.finish();
  }

 private:
  // Compression works on chunks, so the compressed size does not depend on the number of cores.
  static constexpr std::size_t k_chunk_pairs = 8192, k_chunk_bytes = std::size_t{256} << 10;

  /// Returns the number of chunks of a batch: 8 for each core, but at most 4 MiB in all as long as each core
  /// has 2.
  static std::size_t most_chunks() {
    const std::size_t cores = local::cores();
    return std::min(8 * cores, std::max<std::size_t>(16, 2 * cores));
  }
  struct chunk {
    std::uint64_t rank;
    std::vector<std::byte> pairs;
  };

  void end_chunk() {
    if (next_.pairs() == 0) return;
    chunk& p = chunks_.emplace_back(rank_);
    rank_ += next_.pairs();
    next_.write(p.pairs);
    next_.clear();
  }
  void write() {
    const auto make = [&](std::size_t i) {
      return format_(chunks_[i].rank, [&](auto f) {
        for_each_flat<key, slot>(std::span<const std::byte>(chunks_[i].pairs),
                                 [&](const slot& s) { f(Block::traits::view(s.key), s.value); });
      });
    };
    out_.write(files::made_chunks{chunks_.size(), make});
    chunks_.clear();
  }

  files::chunk_output out_;
  Format format_;
  pair_writer<key, slot> next_;
  std::vector<chunk> chunks_;
  std::uint64_t rank_ = 0;
};

}  // namespace gossamer::mapreduce
