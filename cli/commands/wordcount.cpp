// gossamer wordcount: how often each word of some files occurs.

#include <array>
#include <unordered_map>
#include <vector>

#include "commands/job_command.hpp"
#include "commands/kernel_answer.hpp"
#include "commands/registry.hpp"
#include "commands/spill_options.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/io/decompress.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/mapreduce/skipped_rows.hpp"
#include "output/shared_row_form.hpp"
#include "parse/separator.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_wordcount_text{"wordcount",
                                        "count the words of files: the most frequent ones, or all of them",
                                        "  gossamer wordcount logs/*.gz --top 20\n"
                                        "  gossamer wordcount corpus/*.txt --letters --fold -o words.tsv\n"};

constexpr std::array<std::string_view, 2> k_engines{"hybrid", "messages"};

using word_counts = key_values<std::string_view, std::uint64_t>;

/// How a text is cut into words. Trivially copyable: it is shipped to all cores.
struct word_rule {
  bool letters = false, fold = false, lines = false, skip_bad = false;
  std::uint32_t field = 0;  // from 1; 0: words
  char separator = 0;  // of fields; 0: blanks

  /// Calls f(word) for each word of a piece of text, problem(at, what) for a line that lacks the field: where
  /// it returns, the line is left out.
  template <class F, class Problem>
  void cut(std::string_view text, F f, Problem problem) const {
    if (fold) {
      std::string lower;
      const auto folded = [&](std::string_view word) {
        lower.assign(word);
        for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
        f(std::string_view(lower));
      };
      return cut_as_written(text, folded, problem);
    }
    cut_as_written(text, f, problem);
  }

 private:
  template <class F, class Problem>
  void cut_as_written(std::string_view text, F f, Problem problem) const {
    if (field != 0) {
      const io::delimited_format format{.separator = separator, .quotes = false, .blanks = separator == 0};
      const std::uint32_t columns[] = {field - 1};
      io::delimited_scratch scratch;
      const auto skip = [&](const io::delimited_problem& p) {
        problem(p.record_at, io::describe(p));
        return true;
      };
      io::read_records(
          text, format, columns, scratch, [&](const io::delimited_record& r) { f(r.fields[0]); }, skip);
    } else if (lines)
      io::for_each_word<io::non_line_end>(text, [&](std::string_view line) {
        if (line.back() == '\r') line.remove_suffix(1);
        if (!line.empty()) f(line);
      });
    else if (letters)
      io::for_each_word<io::letter>(text, f);
    else
      io::for_each_word(text, f);
  }
};

/// Counts by one thread and a map of the standard library. Independent of the engine but for the rule of words.
std::unordered_map<std::string, std::uint64_t> serial_counts(const std::vector<std::string>& paths,
                                                             const word_rule& rule) {
  std::unordered_map<std::string, std::uint64_t> counts;
  for (const std::string& path : paths) {
    const machine::mapped_file file(path);
    std::string text;
    std::string_view all = file.text();
    if (const auto how = io::detect_compression(file.bytes()); how != io::compression::none) {
      const auto source = io::make_decompressor(how, file.bytes(), path);
      std::vector<char> piece(1 << 20);
      while (const std::size_t n = source->read(piece)) text.append(piece.data(), n);
      all = text;
    }
    rule.cut(
        all, [&](std::string_view word) { ++counts[std::string(word)]; },
        [](std::size_t, const std::string&) {});
  }
  return counts;
}

class wordcount_command final : public job_command {
 public:
  wordcount_command() : job_command(k_wordcount_text) {}
  bool is_timed() const override { return false; }

  void check() override {
    job_command::check();
    if (paths_.empty()) throw error("wordcount: missing a file to read, or - for standard input");
    if (int{rule_.lines} + int{rule_.letters} + int{rule_.field != 0} > 1)
      throw error("wordcount: --lines, --letters and --field exclude each other");
    if (separator_.given && rule_.field == 0) throw error("wordcount: --separator needs --field");
    rule_.separator = separator_.character;
    if (engine_ == "messages" && spill_.memory != 0)
      throw error("wordcount: --memory goes with --engine hybrid only");
    if (engine_ == "messages" && !spill_.resume.empty())
      throw error("wordcount: --resume goes with --engine hybrid only");
    if (verify_)
      for (const std::string& path : paths_)
        if (path == "-") throw error("wordcount: --verify reads the files again: give a file instead of -");
  }

 private:
  void declare_own(declaration& d) override {
    d.arguments("FILE", paths_, "text, plain or compressed (gzip, zstd, bzip2, xz); - is standard input");
    d.flag("--letters", rule_.letters, "words are runs of letters (default: runs of anything but blanks)");
    d.flag("--lines", rule_.lines, "count whole lines instead of words");
    d.number("--field", rule_.field, "count what is in this field of each line, from 1", 1, 1 << 20);
    separator_.declare(d, "blanks, which are runs of them");
    d.flag("--skip-bad", rule_.skip_bad, "leave out lines that lack the field, and count them");
    d.flag("--fold", rule_.fold, "take A to Z for a to z");
    d.number("--top", top_, "how many of the most frequent to show (default 10)");
    d.word("--engine", "HOW", engine_,
           "hybrid (default): cores of a process read the containers of others in place; messages: the "
           "reference, "
           "which sends messages only",
           {k_engines.begin(), k_engines.end()});
    spill_.declare(d, "counts");
    spill_.declare_resume(d);
  }
  void declare_output(declaration& d) override {
    d.text("-o,--output", "FILE", output_,
           "a row per word, the most frequent first: .tsv, .csv, .json or .jsonl, perhaps with .gz or .zst; "
           "- is standard output");
  }
  session_options reporting() const override {
    return {.command = name(), .json = json_, .quiet = quiet_, .output = output_};
  }
  void describe(json_object& j) const override {
    j.set("options/letters", rule_.letters);
    j.set("options/lines", rule_.lines);
    j.set("options/fold", rule_.fold);
    if (rule_.field != 0) j.set("options/field", std::uint64_t{rule_.field});
    j.set("options/skip_bad", rule_.skip_bad);
    j.set("options/engine", engine_);
  }
  void answer(session& s) override;
  void say_stages(session& s, const map_reduce_statistics& what) const;
  void compare(session& s, const word_counts& counts) const;

  std::vector<std::string> paths_;
  word_rule rule_;
  std::uint64_t top_ = 10;
  field_separator separator_;
  std::string output_, engine_ = "hybrid";
  spill_options spill_;
};

void wordcount_command::answer(session& s) {
  const std::string thing = rule_.lines ? "line" : rule_.field != 0 ? "field" : "word";
  s.open_rows({thing, "count"});
  s.steps().step("counting");
  map_reduce_statistics what;
  map_reduce_options o;
  o.progress = [&s](std::uint64_t done, std::uint64_t total) { s.steps().at(done, total); };
  o.statistics = &what;
  o.engine = engine_ == "messages" ? engine::messages : engine::hybrid;
  if (o.engine == engine::hybrid) o.memory_bytes = spill_.bound();
  o.scratch = spill_.scratch;
  o.resume = spill_.resume;
  const scoped_per_core<skipped_rows> left_out;
  o.skipped = left_out.handle();
  o.resume_job =
      fmt::format("wordcount letters {} fold {} lines {} field {} separator {}", rule_.letters, rule_.fold,
                  rule_.lines, rule_.field, unsigned{static_cast<unsigned char>(rule_.separator)});
  const double begin = mapreduce::seconds_now();
  const word_counts counts = map_reduce<std::string_view, std::uint64_t>(
      text_input(paths_, rule_.lines || rule_.field != 0 ? cut_at::lines : cut_at::blanks),
      [rule = rule_, left_out = left_out.handle()](const text_piece& piece, auto& out) {
        rule.cut(
            piece.text, [&](std::string_view word) { out.emit(word, 1); },
            [&](std::size_t at, const std::string& problem) {
              if (!rule.skip_bad) fail_at(piece, at, problem);
              left_out.here().add(piece, at, problem);
            });
      },
      std::plus<>{}, o);
  const all_skipped_rows skipped =
      collect_skipped(left_out.handle(), [](skipped_rows& rows) -> const skipped_rows& { return rows; });
  const std::uint64_t distinct = counts.size();
  const auto best = counts.top(top_);
  const double seconds = mapreduce::seconds_now() - begin;

  json_object& j = s.json();
  j.set("words", what.emitted);
  j.set("distinct", distinct);
  j.set("skipped", skipped.rows);
  if (!quiet_) warn_of_skipped(skipped.rows, "line", skipped.first);
  set_run(s, seconds);
  s.say("{}  {}, {} different", s.colours().bold(name()), plural(what.emitted, thing, thing + "s"),
        format_count(distinct));
  j.set_array("top");
  if (!best.empty()) {
    s.say("");
    table rows({{"rank"}, {thing.c_str(), table::align::left}, {"count"}});
    for (std::size_t i = 0; i < best.size(); ++i) {
      rows.row({format_count(i + 1), printable(best[i].first), format_count(best[i].second)});
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
    s.steps().step("writing " + output_);
    const shared_row_form form(rows->form());
    rows->write_by_all(distinct, [&](const row_output& to) {
      counts.write_sorted(by_value{}, to, [form = form.handle()](std::uint64_t rank, auto each) {
        row_text text(form.here(), rank);
        each([&](std::string_view word, std::uint64_t n) { text.text_field(word).field(n).end_row(); });
        return text.take();
      });
    });
  }
  if (verify_) compare(s, counts);
  forget_work(spill_.resume);
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
  say_stage_times(s, stages);
  s.json().set("container_bytes", what.container_bytes);
  s.say("containers after the map stage: {} pairs, {}", format_count(what.combined),
        format_bytes(what.container_bytes));
  say_spills(s, what.spills, what.spilled_pairs, what.spilled_bytes);
  if (!spill_.resume.empty()) say_tasks_before(s, what.tasks_before);
}

void wordcount_command::compare(session& s, const word_counts& counts) const {
  s.steps().step("verifying");
  const auto expected = serial_counts(paths_, rule_);
  std::uint64_t wrong = counts.size() != expected.size() ? 1 : 0;
  counts.for_each_sorted(by_key{}, [&](std::string_view word, std::uint64_t n) {
    const auto at = expected.find(std::string(word));
    wrong += at == expected.end() || at->second != n ? 1 : 0;
  });
  s.verified(wrong == 0, fmt::format("{} wrong", plural(wrong, "count is", "counts are")),
             "count by std::unordered_map");
}

}  // namespace

std::unique_ptr<command> make_wordcount() { return std::make_unique<wordcount_command>(); }

}  // namespace gossamer::cli
