// Containers for emitted pairs ("hybrid address spaces", section 4.1.2): the hybrid engine's open addressing,
// compared with separate chaining and a red-black tree of the standard library. One thread counts the words
// of a text in each; keys are the same 16 bytes.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "gossamer/io/words.hpp"
#include "gossamer/mapreduce/hash_container.hpp"
#include "gossamer/mapreduce/result_order.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/words.hpp"

namespace gossamer::bench {
namespace {

using mapreduce::text_key;

/// Open addressing with quadratic probing, with a look-up for each word at once.
struct open_addressing {
  static constexpr std::string_view k_name = "open addressing";
  mapreduce::hash_container<std::string_view, std::uint64_t, mapreduce::default_hash> words;
  std::plus<> plus;

  void count(const text_key& word) { words.add(word, words.hash_of(word), 1, plus); }
  std::uint64_t size() const { return words.size(); }
  template <class F>
  void for_each(F f) const {
    words.for_each_slot([&](const auto& s) { f(s.value); });
  }
};
/// The same, but 32 words are pending while their slots are prefetched, as in the engine's emitter.
struct fetched_addressing : open_addressing {
  static constexpr std::string_view k_name = "open addressing, 32 slots fetched ahead";
  static constexpr unsigned k_ahead = 32;
  struct waiting {
    text_key word;
    std::uint64_t hash = 0;
  };
  waiting ring[k_ahead];
  unsigned next = 0;
  std::uint64_t held = 0;

  void count(const text_key& word) {
    const std::uint64_t hash = words.hash_of(word);
    waiting& place = ring[next++ % k_ahead];
    if (held == k_ahead)
      words.add(place.word, place.hash, 1, plus);
    else
      ++held;
    words.prefetch(hash);
    place = {word, hash};
  }
  void finish() {
    for (; held > 0; --held) {
      const waiting& w = ring[(next - held) % k_ahead];
      words.add(w.word, w.hash, 1, plus);
    }
  }
};
/// A container of the standard library.
template <class Map>
struct node_container {
  Map words;

  void count(const text_key& word) { ++words[word]; }
  std::uint64_t size() const { return words.size(); }
  template <class F>
  void for_each(F f) const {
    for (const auto& [word, n] : words) f(n);
  }
};
struct chaining : node_container<std::unordered_map<text_key, std::uint64_t, mapreduce::default_hash>> {
  static constexpr std::string_view k_name = "chaining, std::unordered_map";
};
struct red_black_tree : node_container<std::map<text_key, std::uint64_t, mapreduce::key_order>> {
  static constexpr std::string_view k_name = "red-black tree, std::map";
};

/// The counts, which are the same for every container.
struct counted_text {
  std::uint64_t words = 0, different = 0, squares = 0;
  bool operator==(const counted_text&) const = default;
};

template <class Container>
counted_text count_text(const std::string& text) {
  const auto container = std::make_unique<Container>();
  io::for_each_word(text, [&](std::string_view word) { container->count(text_key::of(word)); });
  if constexpr (requires { container->finish(); }) container->finish();
  counted_text found;
  found.different = container->size();
  container->for_each([&](std::uint64_t n) {
    found.words += n;
    found.squares += n * n;
  });
  return found;
}

/// The times of a container, and its counts.
struct container_times {
  std::string_view name;
  samples ms;
  counted_text found;
};
template <class Container>
void time_container(const std::string& text, container_times& t) {
  t.name = Container::k_name;
  t.ms.push_back(wall_ns_of([&] { t.found = count_text<Container>(text); }) / 1e6);
}

}  // namespace

void containers(const settings& s, const report& out) {
  for (const std::uint64_t vocabulary : {std::uint64_t{10'000}, std::uint64_t{1'000'000}}) {
    const auto bytes = s.pick<std::uint64_t>(40'000'000, 1 << 20);
    const std::string name =
        fmt::format("{} MB of {} words: ", (bytes + 500'000) / 1'000'000, amount(vocabulary));
    if (!out.room_for(4 * bytes, "containers", name)) continue;
    const std::string text = zipf_text(bytes, vocabulary);
    container_times all[4];
    for (unsigned r = 0; r < s.repeats; ++r) {  // interleaved, so that load on the machine affects all
      time_container<open_addressing>(text, all[0]);
      time_container<fetched_addressing>(text, all[1]);
      time_container<chaining>(text, all[2]);
      time_container<red_black_tree>(text, all[3]);
    }
    const double best = std::min(median_of(all[2].ms), median_of(all[3].ms));
    for (const container_times& t : all) {
      const row ms = row_of("containers", name + std::string(t.name), "ms", t.ms);
      out.add(checked(within(ms, &t == &all[1] && !s.quick ? best : k_none), t.found == all[2].found));
    }
  }
}

}  // namespace gossamer::bench
