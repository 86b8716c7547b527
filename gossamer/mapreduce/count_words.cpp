#include "gossamer/mapreduce/count_words.hpp"

#include <fmt/format.h>

#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"

namespace gossamer {

namespace {

/// Refuses a field or a separator that no line has.
void check(const word_rule& rule) {
  if (rule.counts != word_rule::unit::field) return;
  if (rule.field == 0) throw error("count_words: fields are numbered from 1, found 0");
  if (rule.separator == '"' || rule.separator == '\n' || rule.separator == '\r')
    throw error("count_words: a quote or a line end separates no fields");
}

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
  const io::delimited_format format{
      .separator = rule.separator, .quotes = false, .blanks = rule.separator == 0};
  const std::uint32_t columns[] = {rule.field - 1};
  io::delimited_scratch scratch;
  const auto skip = [&](const io::delimited_problem& p) {
    problem(p.record_at, io::describe(p));
    return true;
  };
  io::read_records(
      text, format, columns, scratch, [&](const io::delimited_record& r) { f(r.fields[0]); }, skip);
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
  gossamer::cut(*this, text, f, problem);
}

struct mapreduce::counted_words {
  std::optional<key_values<std::string_view, std::uint64_t>> pairs;
  map_reduce_statistics statistics;
  all_skipped_rows skipped;
};

word_counts::word_counts() : found_(std::make_unique<mapreduce::counted_words>()) {}
word_counts::word_counts(word_counts&&) noexcept = default;
word_counts& word_counts::operator=(word_counts&&) noexcept = default;
word_counts::~word_counts() = default;

std::uint64_t word_counts::size() const { return found_->pairs->size(); }
std::vector<std::pair<std::string, std::uint64_t>> word_counts::top(std::uint64_t k) const {
  return found_->pairs->top(k);
}
void word_counts::for_each(function_ref<void(std::string_view, std::uint64_t)> f) const {
  found_->pairs->for_each_sorted(by_value{}, f);
}
void word_counts::write(const row_output& to, per_process<word_format> format) const {
  found_->pairs->write_sorted(by_value{}, to, [format](std::uint64_t rank, auto each) {
    return format.here()(rank, [&](function_ref<void(std::string_view, std::uint64_t)> take) { each(take); });
  });
}
const map_reduce_statistics& word_counts::statistics() const { return found_->statistics; }
const all_skipped_rows& word_counts::skipped() const { return found_->skipped; }

word_counts count_words(const word_query& query) {
  using unit = word_rule::unit;
  const word_rule rule = query.rule;
  if (query.paths.empty()) throw error("count_words: expected files, found none");
  check(rule);
  word_counts counts;
  map_reduce_options o = query.options;
  o.statistics = &counts.found_->statistics;
  const scoped_per_core<skipped_rows> left_out;
  o.skipped = left_out.handle();
  o.resume_job = fmt::format("count {} fold {} field {} separator {}", unsigned(rule.counts), rule.fold,
                             rule.field, unsigned{static_cast<unsigned char>(rule.separator)});
  const bool by_lines = rule.counts == unit::lines || rule.counts == unit::field;
  counts.found_->pairs = map_reduce<std::string_view, std::uint64_t>(
      text_input(query.paths, by_lines ? cut_at::lines : cut_at::blanks),
      [rule, skip_bad = std::uint64_t{query.skip_bad}, left_out = left_out.handle()](const text_piece& piece,
                                                                                     auto& out) {
        cut(
            rule, piece.text, [&](std::string_view word) { out.emit(word, 1); },
            [&](std::size_t at, const std::string& problem) {
              if (skip_bad == 0) fail_at(piece, at, problem);
              left_out.here().add(piece, at, problem);
            });
      },
      std::plus<>{}, o);
  counts.found_->skipped =
      collect_skipped(left_out.handle(), [](skipped_rows& rows) -> const skipped_rows& { return rows; });
  return counts;
}

}  // namespace gossamer
