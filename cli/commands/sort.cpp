// gossamer sort: the lines of files in order.

#include <filesystem>
#include <vector>

#include "commands/job_command.hpp"
#include "commands/kernel_answer.hpp"
#include "commands/registry.hpp"
#include "commands/sort_check.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/sort/sort_binary.hpp"
#include "gossamer/sort/sort_lines.hpp"
#include "output/input_file.hpp"
#include "parse/separator.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_sort_text{"sort", "sort the lines of files, by the whole line or by a field",
                                   "  gossamer sort big.tsv --key 3 --numeric -o sorted.tsv\n"
                                   "  gossamer sort logs/*.gz --unique -o all.txt.zst\n"
                                   "  gossamer sort people.csv --separator , --header --key name\n"
                                   "  gossamer sort numbers.bin --binary i64 -o sorted.bin\n"};

class sort_command final : public job_command {
 public:
  sort_command() : job_command(k_sort_text) {}
  bool is_timed() const override { return false; }
  std::vector<std::string> files_read() const override { return paths_; }

  void check() override;

 private:
  void declare_own(declaration& d) override;
  void declare_output(declaration& d) override {
    d.file("-o,--output", output_,
           "where the lines go, compressed where it ends in .gz or .zst (default: standard output)");
  }
  session_options reporting() const override {
    return {
        .command = name(), .json = json_, .quiet = quiet_, .keeps_standard_output = !to_standard_output()};
  }
  bool to_standard_output() const { return output_ == "-"; }
  void check_key();
  void describe(json_object& j) const override;
  void answer(session& s) override;
  void say_stages(session& s, const sort_lines_statistics& what) const;

  std::vector<std::string> paths_;
  line_order order_;
  field_separator separator_;
  std::string key_, binary_, pivots_, output_ = "-";
  std::string scratch_;
  std::uint64_t memory_ = 0;
  bool skip_bad_ = false, no_quotes_ = false;
};

void sort_command::declare_own(declaration& d) {
  d.arguments("FILE", paths_, "text, plain or compressed (gzip, zstd, bzip2, xz); - is standard input",
              k_missing_file);
  d.text("-k,--key", "N", key_,
         "compare field N of each line, from 1, or the column of that name (default: the whole line)");
  d.flag("-n,--numeric", order_.numeric, "compare numbers by their values (default: text, byte by byte)");
  d.flag("-r,--reverse", order_.reverse, "descending");
  d.flag("-u,--unique", order_.unique, "keep the first of lines with equal keys only");
  d.flag("--header", order_.header, "the first line of each file is a header: it comes first, once");
  separator_.declare(d, "blanks, which are runs of them");
  d.flag("--no-quotes", no_quotes_,
         "a quote is a character like others (default: with --separator, fields in double quotes may hold "
         "separators and line ends)");
  d.bytes("--memory", memory_,
          "the most that lines take in memory, for instance 8G; what does not fit goes to scratch files "
          "(default: what "
          "there is)",
          sort_lines_options::k_least_memory);
  d.folder("--scratch", scratch_, "where scratch files go (default: $TMPDIR, or /tmp)");
  d.flag("--skip-bad", skip_bad_, "leave out lines without the field or the number, and count them");
  d.word("--binary", "TYPE", binary_,
         "sort the numbers of binary files, of this machine's byte order, instead",
         {k_binary_types, k_binary_types + std::size(k_binary_types)});
  d.word("--pivots", "CORES", pivots_,
         "which cores choose the pivots of --binary: all-cores (default), or one-core, for comparison",
         {k_pivots, k_pivots + std::size(k_pivots)});
}

void sort_command::check() {
  job_command::check();
  order_.separator = separator_.character;
  order_.quotes = !no_quotes_;
  check_key();
  if (!binary_.empty() &&
      (!key_.empty() || order_.numeric || order_.unique || order_.header || no_quotes_ || skip_bad_))
    throw error("sort: of the options of lines, --binary goes with --reverse only");
  if (!pivots_.empty() && binary_.empty()) throw error("sort: --pivots needs --binary");
  if (to_standard_output() && (json_ || stats_ || explain_ || verify_))
    throw error("sort: --json, --stats, --explain and --verify need -o FILE: standard output has the lines");
  check_read_again();
  if (verify_ && find_input(input_files_of(paths_), output_) != nullptr)
    throw error(fmt::format("sort: --verify reads the files again: give -o another file than {}",
                            printable(output_)));
}

void sort_command::check_key() {
  if (key_.empty()) {
    if (separator_.given) throw error("sort: --separator needs --key");
    return;
  }
  if (order_.header) {
    order_.column = key_;
    return;
  }
  if (key_.find_first_not_of("0123456789") != key_.npos)
    throw error(
        fmt::format("sort: --key: the name of a column needs --header, found \"{}\"", printable(key_)));
  order_.field = static_cast<std::uint32_t>(whole_number("--key", key_, 1, 1 << 20));
}

void sort_command::describe(json_object& j) const {
  if (!key_.empty()) j.set("options/key", key_);
  if (!binary_.empty()) j.set("options/binary", binary_);
  if (!pivots_.empty()) j.set("options/pivots", pivots_);
  j.set("options/numeric", order_.numeric);
  j.set("options/reverse", order_.reverse);
  j.set("options/unique", order_.unique);
  j.set("options/skip_bad", skip_bad_);
}

void sort_command::answer(session& s) {
  sort_lines_statistics what;
  sort_lines_options o;
  o.statistics = &what;
  o.skip_bad = skip_bad_;
  o.memory_bytes = memory_;
  o.scratch = scratch_;
  if (!pivots_.empty()) o.choose_pivots = static_cast<pivots>(index_of(k_pivots, pivots_));
  o.progress = [&s, bytes = input_bytes(paths_)](const char* stage, std::uint64_t done, std::uint64_t total) {
    if (total == 0) s.step(stage, bytes);
    s.steps().at(done, total);
  };
  const std::uint64_t began = machine::now_ns();
  if (binary_.empty())
    sort_lines(paths_, order_, output_, o);
  else
    sort_binary(paths_, static_cast<binary_type>(index_of(k_binary_types, binary_)), order_.reverse, output_,
                o);
  const double seconds = machine::seconds_since(began);
  s.json().set(binary_.empty() ? "lines" : "numbers", what.lines_read);
  s.json().set("written", what.lines_written);
  s.json().set("runs", what.runs);
  s.json().set("skipped", what.skipped);
  if (!quiet_ || !json_) warn_of_skipped(what.skipped, "line", what.first_skipped);
  set_run(s, seconds);
  s.say("{}  {}, {} written to {}", s.colours().bold(name()),
        plural(what.lines_read, binary_.empty() ? "line" : "number", binary_.empty() ? "lines" : "numbers"),
        format_count(what.lines_written), printable(output_));
  if (what.runs != 0)
    s.say("{} of {} in scratch files, compressed", plural(what.runs, "sorted run", "sorted runs"),
          format_bytes(what.run_bytes));
  s.say("\n{}", time_and_place(seconds));
  if (stats_) say_stages(s, what);
  if (!verify_) return;
  s.step("verifying");
  line_order order = order_;
  order.field = what.field;
  s.verified(binary_.empty() ? check_sorted(paths_, order, output_)
                             : check_sorted_numbers(paths_, binary_, order_.reverse, output_),
             "comparison of neighbours, number and sum of hashes");
}

void sort_command::say_stages(session& s, const sort_lines_statistics& what) const {
  const std::pair<const char*, double> stages[] = {
      {"open", what.open_seconds}, {"exchange", what.exchange_seconds}, {"deal", what.deal_seconds},
      {"sort", what.sort_seconds}, {"runs", what.run_seconds},          {"write", what.write_seconds}};
  say_stage_times(s, stages);
  s.json().set("buckets", what.buckets);
  s.json().set("run_bytes", what.run_bytes);
  s.json().set("passes", std::uint64_t{what.passes});
}

}  // namespace

std::unique_ptr<command> make_sort() { return std::make_unique<sort_command>(); }

}  // namespace gossamer::cli
