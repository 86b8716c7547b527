#include "gossamer/base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace gossamer {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // rows i-2, i-1 and i of the matrix
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] != b[j - 1]), last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view typed, std::span<const std::string> words) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& word : words) {
    const bool prefix = typed.size() >= 3 && word.starts_with(typed);
    const std::size_t distance = prefix ? 0 : edit_distance(typed, word);
    if (distance < best_distance) {
      best = &word;
      best_distance = distance;
    }
  }
  return best ? *best : std::string();
}

}  // namespace gossamer
