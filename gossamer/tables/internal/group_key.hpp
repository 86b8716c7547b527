#pragma once
// The key of a group as one text: of its fields.

#include <cstddef>
#include <string_view>

namespace gossamer::tables {

// A key of several columns is the length of each but the last, 7 bits a byte, before its bytes. A key of one column
// is its bytes.

/// Appends a field to a key.
template <class Text>
void append_key_field(Text& key, std::string_view field, bool last) {
  if (!last) {
    std::size_t n = field.size();
    for (; n >= 0x80; n >>= 7) key.push_back(static_cast<char>(0x80 | (n & 0x7f)));
    key.push_back(static_cast<char>(n));
  }
  key.append(field);
}

/// Returns field `k` of a key of `keys` columns.
inline std::string_view key_field(std::string_view key, std::size_t k, std::size_t keys) {
  for (std::size_t i = 0; i + 1 < keys; ++i) {
    std::size_t n = 0, at = 0;
    unsigned shift = 0;
    for (;; shift += 7) {
      const auto byte = static_cast<unsigned char>(key[at++]);
      n |= static_cast<std::size_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (i == k) return key.substr(at, n);
    key.remove_prefix(at + n);
  }
  return key;
}

}  // namespace gossamer::tables
