#include "gossamer/graph/formats/internal/read_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/ingest/internal/merge_names.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_least_chunk = 16 << 10, k_most_chunk = 512 << 10;
// Memory holds compressed text up to its first edge, and up to the end of a line: both are bounded.
constexpr std::uint64_t k_longest_preamble = 32 << 20, k_longest_line = 64 << 20;

// A part of the text that ends at a line end, or with the text.
struct batch {
  machine::uninitialised_buffer<char> memory;    // empty: the file itself
  std::string_view text;
  std::size_t data = 0;          // where data begins in it
  std::uint64_t position = 0;    // of its first byte in the whole text
  bool last = true;

  std::string_view body() const { return text.substr(data); }
};

struct first_problem {
  std::uint64_t chunk = ~std::uint64_t{0};
  scan_result result;
};

// The edges read by one core. No other core accesses them while chunks are scanned.
struct core_edges {
  edge_appender<edge> narrow;
  edge_appender<wide_edge> wide;
  std::vector<placed_weights> chunks;  // of narrow and wide
  name_dictionary names;
  std::uint64_t edges = 0, skipped = 0, weights = 0, highest = 0;
  line_counts counts;
  first_problem problem;
};

class reader {
 public:
  reader(const io::text_file& file, const text_options& options) : file_(file), options_(options) {}

  // Scans the block up to its first problem.
  text_problem scan(bool names) {
    for (core_id c = 0; c < local::cores(); ++c) mine_.at(c) = {};
    failure_ = nullptr;
    start();
    if (current_.text.empty() || !begin()) throw error(file_.name() + " is empty: expected an edge list");
    preamble_.names |= names || options_.names;
    if (!bounds_.empty()) take_own_lines();
    is_undivided_ = options_.in_order && keeps_weights() && stream_ && blocks_ > 1;
    expect_edges();
    for (;;) {
      scan_round();
      if (const first_problem* p = problem_found()) return describe_problem(*p);
      if (failure_ && options_.blocks > 1) return describe_failure();
      if (current_.last && !next_) return {};
      advance();
      if (current_.text.empty()) return {};
    }
  }

  text_edges collect() {
    report(options_.progress, "building", 0,
           0);  // names and numbers of all cores: no part of the file is read
    text_edges all;
    static_cast<text_facts&>(all) = preamble_;
    std::vector<const name_dictionary*> dictionaries;
    for (core_id c = 0; c < local::cores(); ++c) {
      core_edges& mine = mine_.at(c);
      all.count += mine.edges;
      all.weighted += mine.weights;
      all.counts += mine.counts;
      all.highest = std::max(all.highest, mine.highest);
      dictionaries.push_back(&mine.names);
    }
    if (preamble_.names) name_vertices(all, dictionaries);
    for (core_id c = 0; c < local::cores(); ++c) {
      for (auto& w : mine_.at(c).chunks) {
        w.block += w.is_wide ? all.wide.size() : all.edges.size();
        all.chunks.push_back(std::move(w));
      }
      for (auto& b : mine_.at(c).narrow.blocks()) all.edges.push_back(std::move(b));
      for (auto& b : mine_.at(c).wide.blocks()) all.wide.push_back(std::move(b));
    }
    return all;
  }

 private:
  // The source of the text -------------------------------------------------------------------------

  void start() {
    next_.reset();
    stream_.reset();
    current_ = {};
    bounds_.clear();
    block_ = options_.block;
    blocks_ = options_.blocks;
    if (file_.is_plain()) {
      current_.text = file_.text();
    } else {
      bounds_ = file_.blocks(options_.blocks);
      if (bounds_.size() <= 2) bounds_.clear();
      open_stream(0, file_.bytes().size());
      // If this process then decompresses another block, it needs only the beginning.
      current_.text = stream_->next(bounds_.empty() ? options_.round_bytes : options_.round_bytes / 8 + 1);
      current_.last = stream_->ended();
    }
    current_.data = io::byte_order_mark(current_.text);
  }

  void open_stream(std::uint64_t begin, std::uint64_t end) {
    stream_.emplace(file_, begin, end, io::record_rule{}, k_longest_line);
  }

  // If the file can be divided, this process continues with the lines of its block. The first block must
  // contain the whole preamble, which every process determines alike.
  void take_own_lines() {
    if (stream_->consumed() > bounds_[1]) return bounds_.clear();
    block_ = 0;
    blocks_ = 1;
    const std::size_t data = options_.block == 0 ? current_.data : 0;
    try {
      open_stream(bounds_[options_.block], bounds_[options_.block + 1]);
      current_ = {};
      current_ = next_batch(std::max<std::uint64_t>(options_.round_bytes, data));
      current_.data = data;
    } catch (...) {
      current_.position = first_position();
      failure_ = std::current_exception();
    }
  }

  // Returns a position that orders blocks of a file; within a block positions are bytes.
  std::uint64_t first_position() const { return bounds_.empty() ? 0 : std::uint64_t{options_.block} << 48; }

  // Returns the next round's text.
  batch next_batch(std::uint64_t bytes) {
    batch b;
    b.text = stream_->next(bytes);
    b.memory = stream_->release();
    b.position = first_position() + stream_->before();
    b.last = stream_->ended();
    return b;
  }

  // Reads the text after the current batch, while that is being scanned.
  void fill_ahead() {
    try {
      next_ = std::make_unique<batch>(next_batch(options_.round_bytes));
    } catch (...) {
      failure_ = std::current_exception();  // errors in earlier lines take precedence
    }
  }

  void advance() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    current_ = std::move(*next_);
    next_.reset();
  }

  // The beginning ----------------------------------------------------------------------------------

  // Reads the preamble. Returns false if there is no data.
  bool begin() {
    for (;;) {
      preamble_ = options_.begin(current_.body(), current_.last);
      if (preamble_.found) break;
      if (current_.last) return false;
      // For a very long preamble, doubles the text, so that repeated parsing is linear in its length.
      if (current_.text.size() > k_longest_preamble)
        throw error(fmt::format("{}: expected an edge in the first {} MiB of text, found none", file_.name(),
                                k_longest_preamble >> 20));
      current_.text = stream_->extend(options_.round_bytes);
      current_.last = stream_->ended();
      current_.data = io::byte_order_mark(current_.text);
    }
    if (stream_) current_.memory = stream_->release();
    current_.data += preamble_.bytes;
    return true;
  }

  void expect_edges() {
    const std::uint64_t expected = expected_edges() / blocks_ + 1;
    if (current_.last) arena_ = std::make_unique<edge_arena>(arena_bytes(expected));
    for (core_id c = 0; c < local::cores(); ++c)
      mine_.at(c).narrow.expect(expected / local::cores() + 1, arena_.get());
  }

  // Estimates the edges in this batch from the length of its first lines.
  std::uint64_t expected_edges() const {
    const std::string_view sample = current_.body().substr(0, 64 << 10);
    const auto lines = static_cast<std::uint64_t>(std::count(sample.begin(), sample.end(), '\n')) + 1;
    return current_.body().size() / (sample.size() / lines + 1) + lines;
  }

  // Returns the memory for edges: each core may leave a block half empty, and a chunk's worth at the end of
  // each block.
  std::uint64_t arena_bytes(std::uint64_t edges) const {
    const std::uint64_t per_core =
        std::min<std::uint64_t>(edges, 1 << 20) + chunk_for(current_.body()) / 4 + 512;
    return (edges * 5 / 4 + local::cores() * per_core) * sizeof(edge);
  }

  // Chunks -----------------------------------------------------------------------------------------

  std::uint64_t chunk_for(std::string_view body) const {
    if (options_.chunk_bytes != 0) return options_.chunk_bytes;
    const std::uint64_t all_cores = std::max<std::uint64_t>(1, std::uint64_t{local::cores()} * blocks_);
    return std::clamp(body.size() / (8 * all_cores), k_least_chunk, k_most_chunk);
  }

  void scan_round() {
    const std::uint64_t bytes = current_.body().size();
    chunk_bytes_ = chunk_for(current_.body());
    const std::uint64_t chunks = bytes / chunk_bytes_ + (bytes % chunk_bytes_ != 0);
    end_chunk_ = chunk_of(block_ + 1, chunks);
    next_chunk_.store(chunk_of(block_, chunks), std::memory_order_relaxed);
    bad_chunk_.store(~std::uint64_t{0}, std::memory_order_relaxed);
    local::on_all_cores([this] { scan_block(local::here()); });
  }

  // Returns where a block of a round's chunks begins.
  std::uint64_t chunk_of(unsigned block, std::uint64_t chunks) const {
    if (is_undivided_) return block == 0 ? 0 : chunks;
    return block_begin(chunks, block, blocks_);
  }

  void scan_block(core_id me) {
    if (me == 0 && !current_.last) fill_ahead();
    // relaxed: only a chunk number is shared; the loop's end orders the results
    for (std::uint64_t p; (p = next_chunk_.fetch_add(1, std::memory_order_relaxed)) < end_chunk_;) {
      if (p > bad_chunk_.load(std::memory_order_relaxed)) return;  // an earlier line already has an error
      scan_chunk(mine_.at(me), p);
      if (me == 0) report_progress(p);
    }
  }

  void report_progress(std::uint64_t chunk) {
    const std::uint64_t size = file_.bytes().size();
    if (stream_)
      report(options_.progress, "reading", stream_->consumed(), bounds_.empty() ? size : bounds_[1]);
    else
      report(options_.progress, "reading", std::min<std::uint64_t>(chunk * chunk_bytes_, size),
             size);  // other cores are at most one chunk behind; the next phase reports 100 %
  }

  // Returns the first line start at or after `at`.
  static const char* line_start(std::string_view body, std::uint64_t at) {
    return body.data() + io::record_rule{}.start(body, std::min<std::uint64_t>(at, body.size()));
  }

  void scan_chunk(core_edges& mine, std::uint64_t chunk) {
    const std::string_view body = current_.body();
    const char* const from = line_start(body, chunk * chunk_bytes_);
    const char* const to = line_start(body, (chunk + 1) * chunk_bytes_);
    if (from >= to) return;
    const std::string_view lines(from, static_cast<std::size_t>(to - from));
    file_.populate(lines);
    const scan_result r = scan(mine, from, to);
    file_.discard(lines);
    mine.edges += r.edges;
    mine.skipped += r.skipped;
    mine.counts += r.counts;
    mine.weights += r.weights;
    mine.highest = std::max(mine.highest, r.highest);
    if (r.what != problem::none && chunk < mine.problem.chunk) {
      mine.problem = {chunk, r};
      std::uint64_t least = bad_chunk_.load(std::memory_order_relaxed);
      while (chunk < least && !bad_chunk_.compare_exchange_weak(least, chunk, std::memory_order_relaxed)) {}
    }
  }

  scan_result scan(core_edges& mine, const char* from, const char* to) {
    const std::uint64_t most = most_edges(static_cast<std::uint64_t>(to - from), preamble_.format);
    const std::uint64_t position =
        current_.position + static_cast<std::uint64_t>(from - current_.text.data());
    weight_chunk* const weights = begin_weights(mine, position);
    if (preamble_.names) {
      const scan_result r =
          scan_names(from, to, position, preamble_.format, mine.names, mine.narrow.room(most), weights);
      used(mine, mine.narrow, r.edges, false);
      return r;
    }
    scan_result r = scan_integers(from, to, preamble_.format, mine.narrow.room(most), weights);
    if (r.what != problem::wide) {
      used(mine, mine.narrow, r.edges, false);
      return r;
    }
    if (weights) weights->start(preamble_.real_weights);
    r = scan_integers(from, to, preamble_.format, mine.wide.room(most), weights);
    used(mine, mine.wide, r.edges, true);
    return r;
  }

  bool keeps_weights() const { return options_.weights && preamble_.format.has_weights(); }

  // Returns the object for the weights of the next chunk; nullptr if they are not kept.
  weight_chunk* begin_weights(core_edges& mine, std::uint64_t position) const {
    if (!keeps_weights()) return nullptr;
    mine.chunks.emplace_back().position = position;
    weight_chunk& next = mine.chunks.back().weights;
    next.start(preamble_.real_weights);
    return &next;
  }

  // Counts the edges of a chunk, and records which edges the last weights belong to.
  template <class Edge>
  void used(core_edges& mine, edge_appender<Edge>& edges, std::uint64_t count, bool wide) const {
    if (keeps_weights()) {
      placed_weights& w = mine.chunks.back();
      w.is_wide = wide;
      w.block = edges.blocks().size() - 1;
      w.first = edges.blocks().back().size;
    }
    edges.used(count);
  }

  // Problems and results ---------------------------------------------------------------------------

  const first_problem* problem_found() const {
    const first_problem* first = nullptr;
    for (core_id c = 0; c < local::cores(); ++c) {
      const first_problem& p = mine_.at(c).problem;
      if (p.result.what != problem::none && (!first || p.chunk < first->chunk)) first = &p;
    }
    return first;
  }

  text_problem describe_problem(const first_problem& p) const {
    line_format format = preamble_.format;
    format.any_name = preamble_.names;
    text_problem t;
    t.found = true;
    t.names = asks_for_names(p.result.what) && preamble_.names_allowed && !preamble_.names;
    t.zeros = t.names && p.result.what == problem::zeros;
    t.position = current_.position + static_cast<std::uint64_t>(p.result.stopped - current_.text.data());
    t.message = fmt::format(
        "{}: {}",
        file_.place_of(bounds_.empty() ? 0 : bounds_[options_.block], t.position - first_position()),
        describe(p.result.what, p.result.culprit, format));
    return t;
  }

  // Reports a decompression error: it comes after all lines so far.
  text_problem describe_failure() {
    text_problem t;
    t.found = true;
    t.position = current_.position + current_.text.size();
    try {
      std::rethrow_exception(std::exchange(failure_, nullptr));
    } catch (const std::exception& e) {
      t.message = e.what();
    }
    return t;
  }

  // Converts each core's numbers of names to vertices.
  void name_vertices(text_edges& all, const std::vector<const name_dictionary*>& dictionaries) {
    merged_names merged = merge_names(dictionaries, options_.positions);
    all.named = true;
    all.names = merged.names;
    all.positions = std::move(merged.positions);
    if (merged.as_numbered) return;
    for (core_id c = 0; c < local::cores(); ++c) {
      const vertex_id* const vertex = merged.vertices_of(c).data();
      for (const auto& block : mine_.at(c).narrow.blocks()) {
        edge* const edges = block.memory.data();
        local::forall_chunks(0, block.size, 1 << 14, [edges, vertex](std::uint64_t b, std::uint64_t e) {
          for (; b < e; ++b) edges[b] = {vertex[edges[b].from], vertex[edges[b].to]};
        });
      }
    }
  }

  const io::text_file& file_;
  const text_options& options_;
  unsigned block_ = 0, blocks_ = 1;  // of the text's chunks
  std::vector<std::uint64_t> bounds_;  // of the file, by process, if each decompresses a block
  std::optional<io::record_stream> stream_;  // of a compressed text
  batch current_;
  std::unique_ptr<batch> next_;
  std::exception_ptr failure_;  // of fill_ahead
  preamble preamble_;

  // While a round is scanned: written before by the fiber that starts it; cores take chunks.
  std::uint64_t chunk_bytes_ = 0, end_chunk_ = 0;
  bool is_undivided_ = false;  // block 0 is the whole text
  std::atomic<std::uint64_t> next_chunk_{0};
  std::atomic<std::uint64_t> bad_chunk_{~std::uint64_t{0}};  // the smallest chunk with a problem
  std::unique_ptr<edge_arena> arena_;  // for plain text, whose length is known
  local::scoped_per_core<core_edges> mine_;
};

}  // namespace

class text_reader::implementation : public reader {
  using reader::reader;
};

text_reader::text_reader(const io::text_file& file, const text_options& options)
    : it_(std::make_unique<implementation>(file, options)) {}
text_reader::~text_reader() = default;
text_problem text_reader::scan(bool names) { return it_->scan(names); }
text_edges text_reader::collect() { return it_->collect(); }

text_edges read_text(const io::text_file& file, const text_options& options) {
  text_reader all(file, options);
  text_problem p = all.scan();
  const bool zeros = p.zeros;
  if (p.names) p = all.scan(true);  // a vertex is no integer: reads the whole text again
  if (p.found) throw error(p.message);
  text_edges edges = all.collect();
  if (zeros) edges.notes.emplace_back(k_zeros_note);
  return edges;
}

void place_weights(text_edges& edges, const weight_facts& facts, duplicate_rule rule) {
  if (rule == duplicate_rule::count) return weigh_one(edges);
  if (depends_on_order(rule)) order_edges(edges, edges.chunks);
  add_weights(edges, std::move(edges.chunks), combined_type(facts.type(), rule));
  edges.chunks.clear();
}

void fail_at(const std::string& path, std::uint64_t line, const std::string& what) {
  throw error(fmt::format("{}:{}: {}", path, line, what));
}

}  // namespace gossamer::graph
