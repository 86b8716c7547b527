// Word count: counts the words of a text in a global hash map and prints the most frequent.
//   word_count [FILE]
#include <algorithm>
#include <fstream>
#include <gossamer/gossamer.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace gs = gossamer;

std::vector<std::string> words_of(const char* path) {
  std::ifstream file;
  std::istringstream rhyme("how much wood would a woodchuck chuck if a woodchuck could chuck wood");
  if (path != nullptr) file.open(path);
  std::istream& text = path != nullptr ? static_cast<std::istream&>(file) : rhyme;
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

int main(int argc, char** argv) {
  const char* const path = argc > 1 ? argv[1] : nullptr;
  return gs::run(argc, argv, [path] {
    const gs::scoped_hash_map<std::string, std::uint64_t> counts;

    // Every core counts a share of the words. Equal words of a core are added up before they travel.
    gs::on_all_cores([path, counts = counts.handle()] {
      const std::vector<std::string> words = words_of(path);
      const std::size_t begin = words.size() * gs::here() / gs::cores();
      const std::size_t end = words.size() * (gs::here() + 1) / gs::cores();
      for (std::size_t i = begin; i < end; ++i) counts.insert_or_reduce(words[i], 1);
    });

    // The ten most frequent, found by the main fiber.
    std::vector<std::string> all = words_of(path);
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    std::vector<std::pair<std::uint64_t, std::string>> ranked;
    for (const std::string& word : all) ranked.emplace_back(counts.handle().lookup(word).value(), word);
    std::ranges::sort(ranked, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (ranked.size() > 10) ranked.resize(10);
    for (const auto& [count, word] : ranked) gs::print("{} {}\n", count, word);
  });
}
