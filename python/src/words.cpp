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
#include "gossamer/machine/clock.hpp"
#include "gossamer/tables/count_words.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

/// The counts, the most frequent word first.
struct counted {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  double seconds = 0;
};

counted count(const std::vector<nb::bytes>& files, const std::string& unit, bool fold) {
  word_query q;
  using kind = word_rule::unit;
  q.rule.counts = unit == "letters" ? kind::letters : unit == "lines" ? kind::lines : kind::words;
  q.rule.fold = fold;
  for (const nb::bytes& each : files) q.paths.emplace_back(each.c_str(), each.size());
  return call([q](const graph::progress_hook& hook) mutable {
    q.options.progress = [&hook](std::uint64_t done, std::uint64_t total) { hook("counting", done, total); };
    counted all;
    const std::uint64_t begin = machine::now_ns();
    const word_counts found = count_words(q);
    all.all.reserve(found.size());
    found.for_each([&](std::string_view word, std::uint64_t n) { all.all.emplace_back(word, n); });
    all.seconds = machine::seconds_since(begin);
    return all;
  });
}

nb::list items(const counted& counts, std::size_t begin, std::size_t end) {
  nb::list some;
  for (std::size_t i = begin; i < std::min(end, counts.all.size()); ++i)
    some.append(nb::make_tuple(text_of(counts.all[i].first), counts.all[i].second));
  return some;
}

nb::object stream(const counted& counts) {
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
  nb::class_<counted>(m, "WordCounts", "How often each word occurs, the most frequent first.")
      .def("__len__", [](const counted& c) { return c.all.size(); })
      .def("items", &items, "begin"_a, "end"_a, "Return words and counts by rank.")
      .def("arrow_stream", &stream,
           "Return a capsule for __arrow_c_stream__, with the columns word and count.")
      .def_ro("seconds", &counted::seconds, "How long counting took.");
  m.def("count_words", &count, "paths"_a, "unit"_a, "fold"_a,
        "Count the words of files. unit: words, letters or lines.");
}

}  // namespace gossamer::python
