#include "gossamer/graph/formats/internal/declared_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/ingest/internal/with_weights.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

declared_counts& declared_counts::operator+=(const declared_counts& more) {
  lines += more.lines;
  entries += more.entries;
  edges += more.edges;
  weighted += more.weighted;
  balance += more.balance;
  return *this;
}

void line_edges::add(std::uint64_t from, std::uint64_t to, std::string_view weight) {
  const edge e{static_cast<vertex_id>(from - 1), static_cast<vertex_id>(to - 1)};
  for (unsigned way = 0; way < (both_ways_ ? 2U : 1U); ++way) {
    edges_.push_back(way == 0 ? e : edge{e.to, e.from});
    if (weights_ != nullptr) weights_->add(weight);
    ++counts_.edges;
    counts_.weighted += !weight.empty();
  }
}

std::optional<std::uint64_t> read_number(std::string_view word, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, status] = std::from_chars(word.data(), end, value);
  if (status != std::errc{} || stop != end || value > most) return std::nullopt;
  return value;
}

std::string wrong_weight(std::string_view text, weight_rule rule) {
  const problem p = check_weight(text, rule);
  return p == problem::none ? std::string() : describe(p, text, line_format{});
}

std::optional<declared_form> detect_declared(std::string_view text, bool whole, const std::string& path) {
  if (is_dimacs(text)) return declared_form::dimacs;
  if (is_pajek(text)) return declared_form::pajek;
  if (is_metis(text, whole, path)) return declared_form::metis;
  return std::nullopt;
}

std::string_view name_of(declared_form form) {
  return form == declared_form::dimacs  ? "a DIMACS file"
         : form == declared_form::metis ? "a METIS file"
                                        : "a Pajek file";
}

namespace {

// A part of a section that one core reads.
struct declared_chunk {
  std::size_t begin = 0, end = 0;  // of the text
  const text_section* section = nullptr;
  std::uint64_t lines = 0;  // that are counted
  std::uint64_t before = 0;  // counted lines of its section before it
};

struct declared_facts {
  bool problem = false;
  std::uint64_t position = 0;
  declared_counts counts;
  weight_facts weights;
};

// The state of a process that reads a text.
struct declared_block {
  io::text_file file;
  std::string path;  // from process 0: to open the file in other processes
  std::string unpacked;
  std::string_view text;
  std::unique_ptr<declared_format> format;
  declared_header header;
  std::vector<declared_chunk> chunks;
  std::uint64_t first = 0, last = 0;  // chunks of this process
  edge_batch edges;
  std::vector<placed_weights> weights;
  std::uint64_t problem_at = ~std::uint64_t{0};  // in the text
  std::string problem;
  std::vector<declared_facts> all;  // by process
  progress_hook progress;  // process 0
};

// Parameters for every process. Trivially copyable.
struct declared_reading {
  declared_form form = declared_form::dimacs;
  direction how = direction::by_input;
  label_mode vertices = label_mode::by_input;
  weight_use weights = weight_use::counted;
  duplicate_rule duplicates = duplicate_rule::min;

  bool keeps_weights() const { return weights != weight_use::counted && duplicates != duplicate_rule::count; }
};

bool is_read_directed(const declared_header& header, direction how) {
  return how == direction::by_input ? header.directed : how == direction::directed;
}

template <class F>
void each_line(std::string_view text, std::size_t begin, std::size_t end, F f) {
  const char* const stop = text.data() + end;
  for (const char* at = text.data() + begin; at < stop;) {
    std::string_view line;
    const char* const next = take_line(at, stop, line);
    if (!f(line, static_cast<std::size_t>(at - text.data()))) return;
    at = next;
  }
}

void cut_sections(declared_block& mine) {
  constexpr std::uint64_t k_least = 16 << 10, k_most = 512 << 10;
  const std::uint64_t cores = std::uint64_t{local::cores()} * processes();
  for (const text_section& s : mine.header.sections) {
    const std::string_view lines = mine.text.substr(s.begin, s.end - s.begin);
    const std::uint64_t step = std::clamp(lines.size() / (8 * cores), k_least, k_most);
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t next = io::record_rule{}.start(lines, std::min<std::size_t>(at + step, lines.size()));
      mine.chunks.push_back({s.begin + at, s.begin + next, &s});
      at = next;
    }
  }
}

void count_lines(declared_block* mine) {
  local::forall_chunks(0, mine->chunks.size(), 1, [mine](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      declared_chunk& c = mine->chunks[b];
      each_line(mine->text, c.begin, c.end, [&](std::string_view line, std::size_t) {
        c.lines += mine->format->counts(line);
        return true;
      });
    }
  });
  for (std::size_t i = 1; i < mine->chunks.size(); ++i) {
    const declared_chunk& last = mine->chunks[i - 1];
    if (last.section == mine->chunks[i].section) mine->chunks[i].before = last.before + last.lines;
  }
}

std::unique_ptr<declared_format> make_format(declared_form form) {
  return form == declared_form::dimacs  ? make_dimacs()
         : form == declared_form::metis ? make_metis()
                                        : make_pajek();
}

void begin_text(declared_block& mine, const declared_reading& what) {
  if (process() != 0) mine.file = io::text_file(mine.path);
  mine.text = mine.file.all(mine.unpacked);
  mine.text.remove_prefix(io::byte_order_mark(mine.text));
  mine.format = make_format(what.form);
  mine.header = mine.format->begin(mine.text, mine.file.name(), what.vertices);
  if (mine.header.vertices >= k_no_vertex)
    throw error(fmt::format("{}: expected less than {} vertices, found {}", mine.file.name(), k_no_vertex,
                            mine.header.vertices));
  cut_sections(mine);
  mine.first = block_begin(mine.chunks.size(), process(), processes());
  mine.last = block_begin(mine.chunks.size(), process() + 1, processes());
  mine.edges.edges.resize(mine.last - mine.first);
  mine.weights.resize(mine.last - mine.first);
  if (mine.format->counts_lines()) count_lines(&mine);
}

// The problem in one core's chunk, and its counts.
struct core_reading {
  std::vector<edge> edges;
  declared_counts counts;
  std::uint64_t problem_at = ~std::uint64_t{0};
  std::string problem;
};

void read_chunk(declared_block& mine, core_reading& core, const declared_reading& what, std::uint64_t chunk) {
  const declared_chunk& c = mine.chunks[chunk];
  const std::uint64_t slot = chunk - mine.first;
  core.edges.clear();
  weight_chunk* const weights = what.keeps_weights() ? &mine.weights[slot].weights : nullptr;
  if (weights != nullptr) weights->start(false);
  const bool both_ways = is_read_directed(mine.header, what.how) && !c.section->directed;
  line_edges to(core.edges, weights, both_ways);
  const weight_rule rule = rule_of(what.weights);
  std::uint64_t before = c.before;
  each_line(mine.text, c.begin, c.end, [&](std::string_view line, std::size_t at) {
    std::string wrong = mine.format->read(line, c.section->kind, before, rule, to);
    if (!wrong.empty() && at < core.problem_at) {
      core.problem_at = at;
      core.problem = std::move(wrong);
    }
    if (core.problem_at <= at) return false;
    before += mine.format->counts(line);
    return true;
  });
  core.counts += to.counts();
  core.counts.lines += c.lines;
  edge_block<edge> block{buffer<edge>(core.edges.size()), core.edges.size()};
  std::ranges::copy(core.edges, block.memory.data());
  mine.edges.edges[slot] = std::move(block);
  mine.weights[slot].block = slot;
}

// Reads the chunks of this process, and gathers the results of all processes. Collective.
void read_chunks(declared_block* mine, const declared_reading& what) {
  const local::scoped_per_core<core_reading> cores;
  local::forall_chunks(mine->first, mine->last, 1,
                       [mine, what, cores = cores.handle()](std::uint64_t b, std::uint64_t e) {
                         for (; b < e; ++b) {
                           read_chunk(*mine, cores.here(), what, b);
                           if (local::here() == 0)
                             report(mine->progress, "reading", b - mine->first, mine->last - mine->first);
                         }
                       });
  declared_facts found;
  for (core_id c = 0; c < local::cores(); ++c) {
    core_reading& core = cores.at(c);
    found.counts += core.counts;
    if (core.problem_at >= mine->problem_at) continue;
    mine->problem_at = core.problem_at;
    mine->problem = std::move(core.problem);
  }
  found.problem = !mine->problem.empty();
  found.position = mine->problem_at;
  found.weights = facts_of(mine->weights);
  const uninterrupted collective;
  mine->all = all_gather_processes(found);
}

// Reports the first problem of the text. By the main fiber.
void report_problem(per_process<declared_block> state) {
  const auto& all = state.here().all;
  const auto first = std::ranges::min_element(all, {}, &declared_facts::position);
  if (!first->problem) return;
  on_all_processes([state, p = static_cast<unsigned>(first - all.begin())] {
    if (process() != p) return;
    const declared_block& mine = state.here();
    const auto line =
        std::count(mine.text.begin(), mine.text.begin() + static_cast<std::ptrdiff_t>(mine.problem_at), '\n');
    fail_at(mine.file.name(), static_cast<std::uint64_t>(line) + 1, mine.problem);
  });
}

void place_declared_weights(declared_block& mine, const declared_reading& what) {
  weight_facts kept;
  std::uint64_t weighted = 0;
  for (const declared_facts& f : mine.all) {
    kept += f.weights;
    weighted += f.counts.weighted;
  }
  if (what.keeps_weights() && weighted != 0)
    add_weights(mine.edges, std::move(mine.weights), combined_type(kept.type(), what.duplicates));
  else if (what.weights != weight_use::counted && what.duplicates == duplicate_rule::count)
    weigh_one(mine.edges);
  mine.edges.weights.rule = what.duplicates;
  mine.weights.clear();
  mine.text = {};
  mine.unpacked = {};
}

}  // namespace

graph read_declared(const io::text_file& file, declared_form form, const load_options& options, bool shared) {
  const std::uint64_t start = machine::now_ns();
  const declared_reading what{form, options.how, options.vertices, options.weights, options.duplicates};
  scoped_per_process<declared_block> owner;
  const auto state = owner.handle();
  declared_block& here = state.here();
  here.file = file;
  here.path = file.name();
  here.progress = options.progress;
  if (shared) share_text(state, &declared_block::path);
  on_all_processes([state, what] { begin_text(state.here(), what); });
  declared_header& header = here.header;
  const bool directed = is_read_directed(header, options.how);
  const auto type = options.weights == weight_use::counted ? weight_type::none : weight_type::int32;
  machine::require_memory(shared ? shared_peak_bytes(header.edges, header.vertices, type)
                                 : build_peak_bytes(header.edges, header.vertices, directed, type),
                          file.name());
  on_all_processes([state, what] { read_chunks(&state.here(), what); });
  report_problem(state);
  declared_counts counts;
  for (const declared_facts& f : here.all) counts += f.counts;
  here.format->check(counts, here.text, file.name());

  graph_statistics statistics;
  statistics.format = header.format;
  statistics.notes = header.notes;
  statistics.edges_read = counts.edges;
  statistics.weights = counts.weighted;
  on_all_processes([state, what] { place_declared_weights(state.here(), what); });
  labels names = std::move(header.names);
  const std::uint64_t vertices = header.vertices;
  statistics.load_seconds = machine::seconds_since(start);
  if (!shared)
    return build({.blocks = std::move(here.edges.edges),
                  .weights = std::move(here.edges.weights),
                  .vertices = vertices,
                  .directed = directed},
                 std::move(names), std::move(statistics), options.progress);
  scoped_per_process<process_rows> rows;
  on_all_processes([state, rows = rows.handle()] {
    rows.here().blocks = std::move(state.here().edges.edges);
    rows.here().weights = std::move(state.here().edges.weights);
  });
  return build_over_processes(rows.handle(), vertices, directed, std::move(names), std::move(statistics),
                              options.progress);
}

}  // namespace gossamer::graph
