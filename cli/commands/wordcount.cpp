// gossamer wordcount: how often each word of some files occurs.

#include <array>
#include <unordered_map>
#include <vector>

#include "commands/job_command.hpp"
#include "commands/kernel_answer.hpp"
#include "commands/registry.hpp"
#include "commands/spill_options.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/tables/count_words.hpp"
#include "output/input_file.hpp"
#include "output/shared_row_form.hpp"
#include "parse/separator.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_wordcount_text{"wordcount",
                                        "count the words of files: the most frequent ones, or all of them",
                                        "  gossamer wordcount logs/*.gz --top 20\n"
                                        "  gossamer wordcount corpus/*.txt --letters --fold -o words.tsv\n"};

constexpr std::array<std::string_view, 2> k_engines{"hybrid", "messages"};

/// Counts by one thread and a map of the standard library. Shares only the rule of words with the engine.
std::unordered_map<std::string, std::uint64_t> serial_counts(const std::vector<std::string>& paths,
                                                             const word_rule& rule, bool header) {
  std::unordered_map<std::string, std::uint64_t> counts;
  for (const std::string& path : paths) {
    std::string unpacked;
    const io::text_file file(path);
    std::string_view all = file.all(unpacked);
    all.remove_prefix(header && !all.empty() ? io::read_header(all,
                                                               {.separator = rule.separator,
                                                                .quotes = rule.quotes && rule.separator != 0,
                                                                .blanks = rule.separator == 0},
                                                               path)
                                                   .bytes
                                             : io::byte_order_mark(all));
    rule.cut(
        all, [&](std::string_view word) { ++counts[std::string(word)]; },
        [](std::size_t, const std::string&) {});
  }
  return counts;
}

class wordcount_command final : public job_command {
 public:
  std::string ignores(std::string_view setting) const override {
    return ignores_tasks_and_structures(setting);
  }
  wordcount_command() : job_command(k_wordcount_text) {}
  std::vector<std::string> files_read() const override { return paths_; }

  void check() override {
    job_command::check();
    if (int{lines_} + int{letters_} + int{!field_.empty()} > 1)
      throw error("wordcount: --lines, --letters and --field exclude each other");
    if (field_.empty() && (separator_.given || header_ || no_quotes_))
      throw error(fmt::format("wordcount: {} needs --field", header_      ? "--header"
                                                             : no_quotes_ ? "--no-quotes"
                                                                          : "--separator"));
    using unit = word_rule::unit;
    rule_.counts = lines_            ? unit::lines
                   : letters_        ? unit::letters
                   : !field_.empty() ? unit::field
                                     : unit::words;
    header_ |= field_.find_first_not_of("0123456789") != field_.npos;  // a name
    if (!field_.empty() && !header_)
      rule_.field = static_cast<std::uint32_t>(whole_number("--field", field_, 1, 1 << 20));
    rule_.separator = separator_.character;
    rule_.quotes = !no_quotes_;
    if (engine_ == "messages" && spill_.memory != 0)
      throw error("wordcount: --memory goes with --engine hybrid only");
    if (engine_ == "messages" && !spill_.resume.empty())
      throw error("wordcount: --resume goes with --engine hybrid only");
    check_read_again();
  }

 private:
  void declare_own(declaration& d) override {
    d.arguments("FILE", paths_, "text, plain or compressed (gzip, zstd, bzip2, xz); - is standard input",
                k_missing_file);
    d.flag("--letters", letters_, "words are runs of letters (default: runs of anything but blanks)");
    d.flag("--lines", lines_, "count whole lines instead of words");
    d.text("--field", "N", field_,
           "count what is in field N of each line, from 1, or in the column of that name in the header");
    d.flag("--header", header_,
           "the first line of each file is a header, and is not counted (default: where --field is a name)");
    separator_.declare(d, "blanks, which are runs of them");
    d.flag("--no-quotes", no_quotes_,
           "a quote is a character like others (default: with --separator, fields in double quotes may hold "
           "separators and line ends)");
    d.flag("--skip-bad", skip_bad_, "leave out lines with a problem, and count them");
    d.flag("--fold", rule_.fold, "take A to Z for a to z");
    d.number("--top", top_, "how many of the most frequent to show (default 10)");
    d.flag(
        "--by-word", by_word_,
        "sort the words by their bytes, and write them so; the time has that in (default: the most frequent "
        "first)");
    d.word("--engine", "HOW", engine_,
           "hybrid (default): cores of a process read the containers of others in place; messages: the "
           "reference, "
           "which sends messages only",
           {k_engines.begin(), k_engines.end()});
    spill_.declare(d, "counts");
    spill_.declare_resume(d);
  }
  void declare_output(declaration& d) override {
    d.file("-o,--output", output_,
           "a row per word, the most frequent first, or as --by-word says: .tsv, .csv, .json or .jsonl, "
           "perhaps with .gz or .zst; "
           "- is standard output");
  }
  session_options reporting() const override {
    return {.command = name(), .json = json_, .quiet = quiet_, .output = output_};
  }
  void describe(json_object& j) const override {
    j.set("options/letters", letters_);
    j.set("options/lines", lines_);
    j.set("options/fold", rule_.fold);
    if (header_)
      j.set("options/field", field_);
    else if (!field_.empty())
      j.set("options/field", std::uint64_t{rule_.field});
    j.set("options/skip_bad", skip_bad_);
    j.set("options/by_word", by_word_);
    j.set("options/engine", engine_);
  }
  void check_files() const override { spare_inputs(input_files_of(paths_), output_); }
  void answer(session& s) override;
  void say_stages(session& s, const map_reduce_statistics& what) const;
  void compare(session& s, const word_counts& counts) const;

  std::vector<std::string> paths_;
  bool letters_ = false, lines_ = false, skip_bad_ = false, header_ = false, no_quotes_ = false,
       by_word_ = false;
  std::string field_;  // number or name; empty: none
  word_rule rule_;
  std::uint64_t top_ = 10;
  field_separator separator_;
  std::string output_, engine_ = "hybrid";
  spill_options spill_;
};

void wordcount_command::answer(session& s) {
  const std::string thing = lines_ ? "line" : !field_.empty() ? "field" : "word";
  s.open_rows({thing, "count"});
  s.step("counting", input_bytes(paths_));
  word_query q{paths_, rule_, skip_bad_, header_, header_ ? field_ : std::string(), {}};
  q.options.progress = [&s](std::uint64_t done, std::uint64_t total) { s.steps().at(done, total); };
  q.options.engine = engine_ == "messages" ? engine::messages : engine::hybrid;
  q.options.sorted = by_word_;
  if (q.options.engine == engine::hybrid) q.options.memory_bytes = spill_.bound();
  q.options.scratch = spill_.scratch;
  q.options.resume = spill_.resume;
  const std::uint64_t begin = machine::now_ns();
  const word_counts counts = count_words(q);
  const map_reduce_statistics& what = counts.statistics();
  const all_skipped_rows& skipped = counts.skipped();
  const std::uint64_t distinct = counts.size();
  const auto best = counts.top(top_);
  const double seconds = machine::seconds_since(begin);

  json_object& j = s.json();
  j.set("words", what.emitted);
  j.set("distinct", distinct);
  if (spill_.resume.empty()) j.set("mwords", static_cast<double>(what.emitted) / seconds / 1e6);
  j.set("skipped", skipped.rows);
  if (!quiet_ || !json_) warn_of_skipped(skipped.rows, "line", skipped.first);
  set_run(s, seconds);
  s.say("{}  {}, {} different", s.colours().bold(name()), plural(what.emitted, thing, thing + "s"),
        format_count(distinct));
  j.set_array("top");
  if (!best.empty()) {
    s.say("");
    table rows({{"rank"}, {thing.c_str(), table::align::left}, {"count"}});
    for (std::size_t i = 0; i < best.size(); ++i) {
      rows.row({format_count(i + 1), abridged(best[i].first), format_count(best[i].second)});
      json_object one;
      one.set(thing, best[i].first);
      one.set("count", best[i].second);
      j.append("top", std::move(one));
    }
    s.say(rows);
  }
  s.say("\n{}", time_and_place(seconds));
  if (stats_) say_stages(s, what);
  if (row_writer* rows = s.rows()) {
    s.step("writing " + output_);
    const shared_row_form form(rows->form());
    const scoped_per_process<word_format> format;
    on_all_processes([format = format.handle(), form = form.handle()] {
      format.here() = [form](std::uint64_t rank, word_range each) {
        row_text text(form.here(), rank);
        each([&](std::string_view word, std::uint64_t n) { text.text_field(word).field(n).end_row(); });
        return text.take();
      };
    });
    rows->write_by_all(distinct, [&](const row_output& to) { counts.write(to, format.handle()); });
  }
  if (verify_) compare(s, counts);
  if (spill_.resume.empty()) return;
  s.commit_rows();
  if (!s.is_wrong()) forget_work(spill_.resume);
}

void wordcount_command::say_stages(session& s, const map_reduce_statistics& what) const {
  std::vector<std::pair<const char*, double>> stages{{"open", what.open_seconds}, {"map", what.map_seconds}};
  if (engine_ == "messages")
    stages.insert(stages.end(), {{"combine", what.combine_seconds},
                                 {"partition", what.partition_seconds},
                                 {"group", what.group_seconds},
                                 {"reduce", what.reduce_seconds},
                                 {"sort", what.sort_seconds}});
  else
    stages.insert(stages.end(), {{"reduce", what.reduce_seconds}, {"exchange", what.exchange_seconds}});
  if (by_word_)
    stages.emplace_back(engine_ == "messages" ? std::pair{"merge", what.merge_seconds}
                                              : std::pair{"sort", what.sort_seconds});
  say_stage_times(s, stages);
  s.json().set("container_bytes", what.container_bytes);
  s.say("containers after the map stage: {} pairs, {}", format_count(what.combined),
        format_bytes(what.container_bytes));
  say_spills(s, what.spills, what.spilled_pairs, what.spilled_bytes);
  if (!spill_.resume.empty()) say_tasks_before(s, what.tasks_before);
}

void wordcount_command::compare(session& s, const word_counts& counts) const {
  s.step("verifying");
  const auto expected = serial_counts(paths_, counts.rule(), header_);
  std::uint64_t wrong = counts.size() != expected.size() ? 1 : 0;
  counts.for_each([&](std::string_view word, std::uint64_t n) {
    const auto at = expected.find(std::string(word));
    wrong += at == expected.end() || at->second != n ? 1 : 0;
  });
  s.verified(count_of_wrong(wrong, "count is", "counts are"), "count by std::unordered_map");
}

}  // namespace

std::unique_ptr<command> make_wordcount() { return std::make_unique<wordcount_command>(); }

}  // namespace gossamer::cli
