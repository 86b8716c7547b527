#pragma once
// The key of a group, encoded as one text of its fields. After all passes, results that are texts of any
// length are appended.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace gossamer::tables {

// A key of several columns has the length of each field but the last, 7 bits per byte, before its bytes. A
// key of one column consists of its bytes.

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

// An appended text consists of its bytes, then its length in 4 bytes.

/// Appends a text. It is shorter than 4 GiB, like every key.
inline void append_text(std::string& key, std::string_view text) {
  const auto n = static_cast<std::uint32_t>(text.size());
  key.append(text).append(reinterpret_cast<const char*>(&n), sizeof n);
}

/// Removes the last appended text from a key, and returns it.
inline std::string_view take_text(std::string_view& key) {
  std::uint32_t n;
  std::memcpy(&n, key.data() + key.size() - sizeof n, sizeof n);
  key.remove_suffix(sizeof n);
  const std::string_view text = key.substr(key.size() - n);
  key.remove_suffix(n);
  return text;
}

/// Returns the key of a group without its appended texts.
inline std::string_view without_texts(std::string_view key, std::size_t texts) {
  for (; texts > 0; --texts) take_text(key);
  return key;
}

/// Returns appended text `i`.
inline std::string_view appended_text(std::string_view key, std::size_t texts, std::size_t i) {
  key = without_texts(key, texts - i - 1);
  return take_text(key);
}

}  // namespace gossamer::tables
