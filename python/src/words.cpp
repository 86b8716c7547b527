// How often words occur: _core.count_words(), by MapReduce, and _core.WordCounts, its answer.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_capsule.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

enum class cut : std::uint8_t { blanks, letters, lines };

/// Calls f(word) for each word of a text.
template <class F>
void for_each(std::string_view text, cut how, F f) {
  switch (how) {
    case cut::letters:
      return io::for_each_word<io::letter>(text, f);
    case cut::lines:
      return io::for_each_word<io::non_line_end>(text, [&](std::string_view line) {
        if (line.back() == '\r') line.remove_suffix(1);
        if (!line.empty()) f(line);
      });
    case cut::blanks:
      break;
  }
  io::for_each_word(text, f);
}

/// Calls f(word) for each word of a text, perhaps with A to Z as a to z.
template <class F>
void for_each(std::string_view text, cut how, bool fold, F f) {
  if (!fold) return for_each(text, how, f);
  std::string lower;
  for_each(text, how, [&](std::string_view word) {
    lower.assign(word);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    f(std::string_view(lower));
  });
}

/// The counts, the most frequent word first.
struct word_counts {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  double seconds = 0;
};

word_counts count_words(const std::vector<nb::bytes>& files, const std::string& unit, bool fold) {
  const cut how = unit == "letters" ? cut::letters : unit == "lines" ? cut::lines : cut::blanks;
  std::vector<std::string> paths;
  for (const nb::bytes& each : files) paths.emplace_back(each.c_str(), each.size());
  return call([paths, how, fold](const graph::progress_hook& hook) {
    map_reduce_options o;
    o.progress = [&hook](std::uint64_t done, std::uint64_t total) { hook("counting", done, total); };
    word_counts counts;
    const double begin = mapreduce::seconds_now();
    const auto found = map_reduce<std::string_view, std::uint64_t>(
        text_input(paths, how == cut::lines ? cut_at::lines : cut_at::blanks),
        [how, fold](const text_piece& piece, auto& out) {
          for_each(piece.text, how, fold, [&](std::string_view word) { out.emit(word, 1); });
        },
        std::plus<>{}, o);
    counts.all = found.collect(by_value{});
    counts.seconds = mapreduce::seconds_now() - begin;
    return counts;
  });
}

nb::list items(const word_counts& counts, std::size_t begin, std::size_t end) {
  nb::list some;
  for (std::size_t i = begin; i < std::min(end, counts.all.size()); ++i)
    some.append(nb::make_tuple(text_of(counts.all[i].first), counts.all[i].second));
  return some;
}

nb::object stream(const word_counts& counts) {
  result_texts words;
  std::vector<std::int64_t> numbers;
  numbers.reserve(counts.all.size());
  for (const auto& [word, count] : counts.all) {
    check_utf8(word, "word", numbers.size());
    words.add(word);
    numbers.push_back(static_cast<std::int64_t>(count));
  }
  std::vector<result_column> columns;
  columns.push_back({"word", std::move(words)});
  columns.push_back({"count", std::move(numbers)});
  return capsule_of(std::move(columns));
}

}  // namespace

void bind_words(nb::module_& m) {
  nb::class_<word_counts>(m, "WordCounts", "How often each word occurs, the most frequent first.")
      .def("__len__", [](const word_counts& c) { return c.all.size(); })
      .def("items", &items, "begin"_a, "end"_a, "Return words and counts by rank.")
      .def("arrow_stream", &stream,
           "Return a capsule for __arrow_c_stream__, with the columns word and count.")
      .def_ro("seconds", &word_counts::seconds, "How long counting took.");
  m.def("count_words", &count_words, "paths"_a, "unit"_a, "fold"_a,
        "Count the words of files. unit: words, letters or lines.");
}

}  // namespace gossamer::python
