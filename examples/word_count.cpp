// Word count: counts the words of files by MapReduce and prints the most frequent.
//   word_count FILE...
#include <gossamer/gossamer.hpp>
#include <gossamer/mapreduce/map_reduce.hpp>
#include <string>
#include <vector>

namespace gs = gossamer;

int main(int argc, char** argv) {
  const std::vector<std::string> files(argv + 1, argv + argc);
  return gs::run(argc, argv, [&files] {
    // Every core counts in containers of its own, one for each core that will own a part of the words.
    const auto counts = gs::map_reduce<std::string_view, std::uint64_t>(
        gs::text_input(files), [](std::string_view text, auto& out) {
          gs::for_each_word(text, [&](std::string_view word) { out.emit(word, 1); });
        });
    for (const auto& [word, count] : counts.top(10)) gs::print("{} {}\n", count, word);
  });
}
