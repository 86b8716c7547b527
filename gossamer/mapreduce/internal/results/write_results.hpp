#pragma once
// Writes the pairs of a result in order, as text: all cores sort, format and write, each its buckets (ordered_share.hpp). Pairs that
// one core merges, from scratch files or by messages, are formatted by the cores of its process.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/files/chunk_output.hpp"
#include "gossamer/files/row_output.hpp"
#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/results/ordered_share.hpp"

namespace gossamer::mapreduce {

/// Writes the pairs that all cores have in memory. `format` is copied as bytes: as of key_values::write_sorted(). By the main
/// fiber; suspends.
template <class Part, class Order, class Format>
void write_ordered(per_core<Part> parts, Order before, const row_output& to, Format format) {
  using share = ordered_share<Part, Order>;
  const scoped_per_core<typename share::core_part> cores_have;
  const scoped_per_process<share> shares;
  const scoped_per_process<const row_output*> target;
  target.here() = &to;
  share::deal(shares.handle(), parts, cores_have.handle(), before);
  on_all_processes([shares = shares.handle(), target = target.handle(), how = to.how, format] {
    share& mine = shares.here();
    const auto make = [&](std::size_t bucket) {
      return format(mine.rank(bucket), [&](auto f) {
        mine.read_bucket(bucket, [&](const auto& s) { f(Part::traits::view(s.key), s.value); });
      });
    };
    const files::made_chunks pieces{mine.buckets(), make};
    if (process() != 0) return files::send_chunks(pieces, how);
    files::chunk_output out(*target.here()->file, how);
    out.write(target.here()->before);
    out.write(pieces);
    for (unsigned p = 1; p < processes(); ++p) out.receive(p);
    out.write(target.here()->after);
    out.finish();
  });
}

/// Takes pairs in order from one fiber, and writes them in batches that the cores of its process format. Holds a batch in memory.
template <class Part, class Format>
class batch_writer {
  using key = typename Part::key_type;
  using slot = typename Part::slot;

 public:
  batch_writer(const row_output& to, Format format) : out_(*to.file, to.how), format_(format) {
    out_.write(to.before);
  }

  /// Adds the next pair. Its key is copied. Suspends where the batch is full.
  void add(const slot& s) {
    next_.add(s);
    if (next_.pairs() < k_piece_pairs && next_.bytes() < k_piece_bytes) return;
    end_piece();
    if (pieces_.size() == k_pieces * local::cores()) write();
  }
  /// Writes what is left, and the text behind the rows.
  void finish(const std::string& after) {
    end_piece();
    write();
    out_.write(after);
    out_.finish();
  }

 private:
  static constexpr std::size_t k_piece_pairs = 8192, k_piece_bytes = std::size_t{256} << 10, k_pieces = 8;
  struct piece {
    std::uint64_t rank;
    std::vector<std::byte> pairs;
  };

  void end_piece() {
    if (next_.pairs() == 0) return;
    piece& p = pieces_.emplace_back(rank_);
    rank_ += next_.pairs();
    next_.write(p.pairs);
    next_.clear();
  }
  void write() {
    const auto make = [&](std::size_t i) {
      return format_(pieces_[i].rank, [&](auto f) {
        for_each_flat<key, slot>(std::span<const std::byte>(pieces_[i].pairs),
                                 [&](const slot& s) { f(Part::traits::view(s.key), s.value); });
      });
    };
    out_.write(files::made_chunks{pieces_.size(), make});
    pieces_.clear();
  }

  files::chunk_output out_;
  Format format_;
  pair_writer<key, slot> next_;
  std::vector<piece> pieces_;
  std::uint64_t rank_ = 0;
};

}  // namespace gossamer::mapreduce
