#include "gossamer/tables/count_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/tables/internal/group_plan.hpp"

namespace gossamer {

namespace {

/// Throws gossamer::error for an invalid field or separator.
void check(const word_rule& rule) {
  if (rule.counts != word_rule::unit::field) return;
  if (rule.field == 0) throw error("count_words: fields are numbered from 1, found 0");
  io::check_separator(rule.separator);
}

io::delimited_format format_of(const word_rule& rule) {
  return {.separator = rule.separator,
          .quotes = rule.quotes && rule.separator != 0,
          .blanks = rule.separator == 0,
          .fields = rule.separator == 0 ? 0 : rule.fields};
}

/// Calls f(word) for each word, and problem(at, what) for a malformed line: true continues after it.
template <class F, class Problem>
void cut_as_written(const word_rule& rule, std::string_view text, F f, Problem problem) {
  switch (rule.counts) {
    case word_rule::unit::words:
      return io::for_each_word(text, f);
    case word_rule::unit::letters:
      return io::for_each_word<io::letter>(text, f);
    case word_rule::unit::lines:
      return io::for_each_word<io::non_line_end>(text, [&](std::string_view line) {
        if (line.back() == '\r') line.remove_suffix(1);
        if (!line.empty()) f(line);
      });
    case word_rule::unit::field:
      break;
  }
  const std::uint32_t columns[] = {rule.field - 1};
  io::delimited_scratch scratch;
  io::read_records(
      text, format_of(rule), columns, scratch, [&](const io::delimited_record& r) { f(r.fields[0]); },
      [&](const io::delimited_problem& p) {
        return problem(p.record_at, [&] { return io::describe(p, format_of(rule)); });
      });
}

template <class F, class Problem>
void cut(const word_rule& rule, std::string_view text, F f, Problem problem) {
  if (!rule.fold) return cut_as_written(rule, text, f, problem);
  std::string lower;
  cut_as_written(
      rule, text,
      [&](std::string_view word) {
        lower.assign(word);
        for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
        f(std::string_view(lower));
      },
      problem);
}

}  // namespace

void word_rule::cut(std::string_view text, function_ref<void(std::string_view)> f,
                    function_ref<void(std::size_t, const std::string&)> problem) const {
  check(*this);
  gossamer::cut(*this, text, f, [&](std::size_t at, auto what) {
    problem(at, what());
    return true;
  });
}

namespace {

/// The state of a process for the text.
struct text_state {
  std::string head = {};  // up to and including the header; copied from process 0 to all
  std::vector<std::string> names = {};  // of the header; empty: none
  std::atomic<bool> again{
      false};  // a chunk had an error, maybe as it began in quotes. Relaxed: also read after a barrier
};

/// Reads the header of the first file in all processes, and finds the field that the query names.
void take_header(const word_query& q, const opened_text& text, word_rule& rule,
                 per_process<text_state> state) {
  opened_text::beginning head = tables::whole_head(text, format_of(rule).quotes);
  state.here().head = std::move(head.text);
  const std::string wanted = q.column.empty() ? std::to_string(rule.field) : q.column;
  const io::schema found(
      state.here().head,
      {.separator = rule.separator, .blanks = rule.separator == 0, .quotes = rule.quotes, .header = true},
      head.path);
  rule.field = found.find(wanted) + 1;
  rule.fields = found.width();
  share_text(state, &text_state::head);
  on_all_processes([state, rule] {
    state.here().names = io::read_header(state.here().head, format_of(rule), "header").names;
  });
}

}  // namespace

struct tables::counted_words {
  word_rule rule;
  std::optional<key_values<std::string_view, std::uint64_t>> pairs;
  map_reduce_statistics statistics;
  all_skipped_rows skipped;
  bool by_word = false;
};

word_counts::word_counts() : found_(std::make_unique<tables::counted_words>()) {}
word_counts::word_counts(word_counts&&) noexcept = default;
word_counts& word_counts::operator=(word_counts&&) noexcept = default;
word_counts::~word_counts() = default;

std::uint64_t word_counts::size() const { return found_->pairs->size(); }
std::vector<std::pair<std::string, std::uint64_t>> word_counts::top(std::uint64_t k) const {
  return found_->pairs->top(k);
}
void word_counts::for_each(function_ref<void(std::string_view, std::uint64_t)> f) const {
  if (found_->by_word) return found_->pairs->for_each_sorted(by_key{}, f);
  found_->pairs->for_each_sorted(by_value{}, f);
}
void word_counts::write(const row_output& to, per_process<word_format> format) const {
  const auto rows = [format](std::uint64_t rank, auto each) {
    return format.here()(rank, [&](function_ref<void(std::string_view, std::uint64_t)> take) { each(take); });
  };
  if (found_->by_word) return found_->pairs->write_sorted(by_key{}, to, rows);
  found_->pairs->write_sorted(by_value{}, to, rows);
}
const word_rule& word_counts::rule() const { return found_->rule; }
const map_reduce_statistics& word_counts::statistics() const { return found_->statistics; }
const all_skipped_rows& word_counts::skipped() const { return found_->skipped; }

word_counts count_words(const word_query& query) {
  using unit = word_rule::unit;
  if (query.paths.empty()) throw error("count_words: expected files, found none");
  word_counts counts;
  word_rule& rule = counts.found_->rule;
  rule = query.rule;
  check(rule);
  const bool by_lines = rule.counts == unit::lines || rule.counts == unit::field;
  opened_text text(query.paths, by_lines ? cut_at::lines : cut_at::blanks);
  const scoped_per_process<text_state> state;
  if (rule.counts == unit::field && query.header) take_header(query, text, rule, state.handle());
  map_reduce_options o = query.options;
  o.statistics = &counts.found_->statistics;
  counts.found_->by_word = o.sorted;
  o.resume_job = fmt::format("count {} fold {} field {} separator {} quotes {} fields {} header {} skip {}",
                             unsigned(rule.counts), rule.fold, rule.field,
                             unsigned{static_cast<unsigned char>(rule.separator)}, rule.quotes, rule.fields,
                             query.header, query.skip_bad);
  // Text is first divided at line ends. If a chunk has an error, it may have begun inside of quotes: then
  // everything is counted again, divided at records. Resumable work is never discarded.
  const bool may_have_quotes = rule.counts == unit::field && format_of(rule).quotes;
  bool by_records = may_have_quotes && !o.resume.empty();
  if (by_records) text.cut(cut_at::records);
  for (;;) {
    const scoped_per_core<skipped_rows> left_out;
    o.skipped = left_out.handle();
    counts.found_->pairs = map_reduce<std::string_view, std::uint64_t>(
        text,
        [rule, skip_bad = std::uint64_t{query.skip_bad},
         is_sure = std::uint64_t{by_records || !may_have_quotes}, state = state.handle(),
         left_out = left_out.handle()](const text_chunk& chunk, auto& out) {
          text_state& known = state.here();
          if (known.again.load(std::memory_order_relaxed)) return;
          if (chunk.begin == 0 && chunk.block_begin == 0 && is_sure == 0 && !known.names.empty() &&
              io::count_quotes(chunk.text) % 2 != 0)
            return known.again.store(true, std::memory_order_relaxed);  // the header may end in another chunk
          std::size_t begin = 0;
          if (chunk.begin == 0 && chunk.block_begin == 0)
            begin = known.names.empty()
                        ? io::byte_order_mark(chunk.text)
                        : io::skip_header(chunk.text, format_of(rule), known.names, chunk.from->name());
          cut(
              rule, chunk.text.substr(begin), [&](std::string_view word) { out.emit(word, 1); },
              [&](std::size_t at, auto problem) {
                if (is_sure == 0) {
                  known.again.store(true, std::memory_order_relaxed);
                  return false;
                }
                if (skip_bad == 0) fail_at(chunk, begin + at, problem());
                left_out.here().add(chunk, begin + at, problem);
                return true;
              });
        },
        std::plus<>{}, o);
    const auto again = collect(left_out.handle(), [state = state.handle()](skipped_rows&) {
      return static_cast<char>(state.here().again.load(std::memory_order_relaxed));
    });
    if (std::ranges::count(again, char{0}) == std::ssize(again)) {
      counts.found_->skipped =
          collect_skipped(left_out.handle(), [](skipped_rows& rows) -> const skipped_rows& { return rows; });
      return counts;
    }
    by_records = true;
    text.cut(cut_at::records);
    on_all_processes([state = state.handle()] { state.here().again = false; });
  }
}

}  // namespace gossamer
