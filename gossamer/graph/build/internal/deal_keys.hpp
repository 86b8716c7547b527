#pragma once
// Rows of one process from the edges of all: every process deals its edges to buckets of neighbouring
// vertices, as keys (sorted_rows.hpp), all cut alike. The buckets of a process's vertices lie side by side,
// so what goes to it is one chunk of memory, and what comes from it is sorted bucket by bucket: an edge costs
// a key for each direction on the wire, and is moved once before it and once after.

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/build/internal/sorted_rows.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"

namespace gossamer::graph {

/// Which rows an edge is for: that of its first end, of its second, of both.
enum class way : std::uint8_t { forward, backward, both };

template <class F>
void each_arc(edge e, way how, F f) {
  if (e.from == e.to) return;
  if (how != way::backward) f(e.from, e.to);
  if (how != way::forward) f(e.to, e.from);
}

/// On the heap: the cores of the process reach it through a pointer. Several deals of one input may follow
/// each other.
template <class Entry>
class key_deal {
 public:
  /// `table`: the keys that this process has, by task and bucket.
  key_deal(edge_input& in, task_table& table, way how, const std::vector<std::uint64_t>& bounds)
      : in_(in),
        table_(table),
        how_(how),
        vertices_(bounds[process() + 1] - bounds[process()]),
        pack_(in.raw_vertices, std::uint64_t{1} << in.shift) {
    for (const std::uint64_t v : bounds) bucket_.push_back(divide_up(v, std::uint64_t{1} << in.shift));
  }

  /// Deals the keys and returns the sorted rows of this process. Collective. With `last`, drops the edges and
  /// uses their memory again.
  built_rows rows(bool last) {
    scatter();
    // Narrow keys of both directions are as large as the edges, whose memory then serves for the targets. Of wide keys there are
    // twice as many bytes: what can go goes.
    if (last) drop_edges(in_, k_narrow);
    swap_sizes();
    swap_keys();
    if (last) drop_sent();
    built_rows result = sort();
    if (!last && k_narrow) {  // for the other direction
      in_.pool.give(std::move(keys_).release());
      in_.pool.give(std::move(received_).release());
    }
    return result;
  }

 private:
  using key = typename entry_of<Entry>::key;
  static constexpr bool k_narrow = sizeof(key) == sizeof(vertex_id);
  // A core's message carries its chunk of a block; the cores of the same number in all processes talk.
  static constexpr message_tag k_tag = tag_in(0xfffa, 0);

  void scatter() {
    keys_ = buffer<Entry>(in_.pool, table_.total());
    local::scoped_per_core<std::unique_ptr<scatterer<Entry>>> lines;
    local::forall_chunks(0, in_.tasks, 1, [this, lines = lines.handle()](std::uint64_t b, std::uint64_t e) {
      auto& mine = lines.here();
      if (!mine) mine = std::make_unique<scatterer<Entry>>(in_.buckets);
      for (; b < e; ++b) scatter_task(*mine, b);
    });
  }

  void scatter_task(scatterer<Entry>& out, std::uint64_t task) {
    out.begin(keys_.data(), table_.row(task));
    const unsigned shift = in_.shift;
    const std::uint64_t mask = (std::uint64_t{1} << shift) - 1;
    const way how = how_;
    const packing<key> pack = pack_;
    for (std::uint64_t s = in_.task_begin(task); s < in_.task_begin(task + 1); ++s) {
      const std::span<const edge> chunk = in_.chunks[s];
      const std::byte* const weights = in_.chunk_weights[s];
      for (std::uint64_t i = 0; i < chunk.size(); ++i)
        each_arc(chunk[i], how,
                 [&out, shift, mask, pack, weights, i](std::uint64_t row, std::uint64_t target) {
                   out.put(row >> shift, make_entry<Entry>(pack.pack(row & mask, target), weights, i));
                 });
    }
    out.finish();
  }

  std::uint64_t own_buckets() const { return bucket_[process() + 1] - bucket_[process()]; }
  std::span<Entry> block_for(unsigned p) const {
    const std::uint64_t begin = table_.start(bucket_[p]);
    return {keys_.data() + begin, table_.start(bucket_[p + 1]) - begin};
  }

  // Where the keys of each of this process's buckets begin in what each process has for it.
  void swap_sizes() {
    std::vector<std::vector<std::uint64_t>> sizes(processes());
    for (unsigned p = 0; p < processes(); ++p)
      for (std::uint64_t b = bucket_[p]; b < bucket_[p + 1]; ++b) sizes[p].push_back(table_.size(b));
    starts_ = exchange(std::move(sizes));
    for (auto& of_process : starts_) {
      std::uint64_t sum = 0;
      for (std::uint64_t& size : of_process) sum += std::exchange(size, sum);
      of_process.push_back(sum);
    }
  }

  void swap_keys() {
    std::uint64_t coming = 0;
    for (unsigned p = 0; p < processes(); ++p)
      if (p != process()) coming += starts_[p].back();
    received_ = how_ == way::backward ? buffer<Entry>(in_.pool, coming) : buffer<Entry>(coming);
    blocks_.resize(processes());
    std::uint64_t at = 0;
    for (unsigned p = 0; p < processes(); ++p) {
      blocks_[p] = p == process() ? block_for(p) : received_.all().subspan(at, starts_[p].back());
      if (p != process()) at += starts_[p].back();
    }
    if (processes() == 1) return;
    local::on_all_cores([this] { swap_chunks(); });
  }

  static std::span<Entry> chunk_of(std::span<Entry> block) {
    const std::uint64_t begin = block_begin(block.size(), local::here(), local::cores());
    return block.subspan(begin, block_begin(block.size(), local::here() + 1, local::cores()) - begin);
  }

  void swap_chunks() {
    const std::unique_ptr<request[]> requests(new request[2 * processes()]);
    for (unsigned step = 1; step < processes(); ++step) {
      const unsigned p = (process() + processes() - step) % processes();
      if (const auto to = chunk_of(blocks_[p]); !to.empty())
        message::ireceive(requests[p], first_core(p) + local::here(), k_tag, std::as_writable_bytes(to));
    }
    for (unsigned step = 1; step < processes(); ++step) {
      const unsigned p = (process() + step) % processes();
      if (const auto from = chunk_of(block_for(p)); !from.empty())
        message::isend(requests[processes() + p], first_core(p) + local::here(), k_tag, std::as_bytes(from));
    }
    for (unsigned r = 0; r < 2 * processes(); ++r) requests[r].wait();
  }

  // The pages of the keys that others have now.
  void drop_sent() {
    const std::span<Entry> own = block_for(process());
    const std::uint64_t page = machine::page_bytes(), total = keys_.size() * sizeof(Entry);
    const auto begin = static_cast<std::uint64_t>(own.data() - keys_.data()) * sizeof(Entry);
    const std::uint64_t end = round_up(begin + own.size_bytes(), page);
    keys_.discard(0, round_down(begin, page));
    if (end < round_down(total, page)) keys_.discard(end, round_down(total, page) - end);
  }

  built_rows sort() {
    const auto rows = std::make_unique<packed_rows>();
    const std::uint64_t buckets = own_buckets();
    rows->vertices = vertices_;
    for (std::uint64_t b = 0; b <= buckets; ++b)
      rows->first.push_back(static_cast<vertex_id>(std::min(b << in_.shift, vertices_)));
    rows->targets.resize(buckets);
    rows->weighted = in_.weights.type;
    rows->rule = in_.weights.rule;
    if (entry_of<Entry>::has_weight) rows->weights.resize(buckets);
    rows->offsets = buffer<std::uint64_t>(vertices_ + 1);
    std::vector<std::uint64_t> unique(buckets), starts(buckets + 1);
    for (std::uint64_t b = 0; b < buckets; ++b) starts[b + 1] = starts[b] + row_bytes(size_of(b));
    buffer<std::byte> targets(in_.pool, starts.back());

    struct job {
      key_deal* deal;
      packed_rows* rows;
      std::byte* targets;  // and weights, bucket by bucket
      const std::uint64_t* starts;
      std::uint64_t* unique;
    };
    const job it{this, rows.get(), targets.data(), starts.data(), unique.data()};
    local::scoped_per_core<key_sorter<Entry>> sorters;
    local::forall_chunks(0, buckets, 1, [it, sorters = sorters.handle()](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b)
        it.unique[b] = it.deal->sort_bucket(sorters.here(), b, it.rows,
                                            reinterpret_cast<vertex_id*>(it.targets + it.starts[b]));
    });
    finish_offsets(rows.get(), unique);
    return {std::move(*rows), std::move(targets).release()};
  }

  // Bytes for the rows of a bucket: its targets, and its weights behind them.
  std::uint64_t row_bytes(std::uint64_t arcs) const {
    if (!entry_of<Entry>::has_weight) return arcs * sizeof(vertex_id);
    return round_up(
        weights_behind(arcs, weight_bytes(in_.weights.type)) + arcs * weight_bytes(in_.weights.type), 8);
  }

  std::uint64_t size_of(std::uint64_t b) const {
    std::uint64_t n = 0;
    for (const auto& starts : starts_) n += starts[b + 1] - starts[b];
    return n;
  }

  std::uint64_t sort_bucket(key_sorter<Entry>& sorter, std::uint64_t b, packed_rows* rows,
                            vertex_id* targets) const {
    const std::span<Entry> keys = sorter.room(size_of(b));
    Entry* to = keys.data();
    for (unsigned p = 0; p < blocks_.size(); ++p) {
      const auto& starts = starts_[p];
      const auto block = blocks_[p].subspan(starts[b], starts[b + 1] - starts[b]);
      to = std::copy(block.begin(), block.end(), to);
    }
    return write_rows(
        sorter.sort(keys, pack_.bits), pack_, rows, b, targets, [](std::uint64_t id) { return id; },
        [](vertex_id id) { return id; });
  }

  edge_input& in_;
  task_table& table_;
  way how_;
  std::uint64_t vertices_;  // of this process
  packing<key> pack_;
  std::vector<std::uint64_t> bucket_;  // the first of each process; then all
  buffer<Entry> keys_, received_;
  std::vector<std::vector<std::uint64_t>> starts_;  // by process and own bucket
  std::vector<std::span<Entry>> blocks_;  // by process
};

}  // namespace gossamer::graph
