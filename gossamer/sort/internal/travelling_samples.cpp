#include "gossamer/sort/internal/travelling_samples.hpp"

#include <cstring>
#include <string>

#include "gossamer/parallel/per_process.hpp"

namespace gossamer::sorting {
namespace {

/// Serializes samples for other processes.
std::vector<char> flat_samples(const std::vector<line_sample>& samples) {
  std::vector<char> flat;
  for (const line_sample& s : samples) {
    const std::uint64_t words[] = {s.step, s.origin, s.line, s.key.size()};
    const auto* const head = reinterpret_cast<const char*>(words);
    flat.insert(flat.end(), head, head + sizeof words);
    flat.insert(flat.end(), s.key.begin(), s.key.end());
  }
  return flat;
}

void append_samples(const std::vector<char>& flat, std::vector<line_sample>& samples) {
  std::uint64_t words[4];
  for (std::size_t at = 0; at < flat.size();) {
    std::memcpy(words, flat.data() + at, sizeof words);
    at += sizeof words;
    samples.push_back({words[0], words[1], words[2], std::string(flat.data() + at, words[3])});
    at += words[3];
  }
}

}  // namespace

std::vector<line_sample> exchange_samples(const std::vector<line_sample>& mine) {
  std::vector<line_sample> samples;
  for (const auto& chunk : exchange(std::vector<std::vector<char>>(processes(), flat_samples(mine))))
    append_samples(chunk, samples);
  return samples;
}

}  // namespace gossamer::sorting
