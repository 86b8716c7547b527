#pragma once
// A text as a key of a container, in 16 bytes. A text of up to 15 bytes is stored in the key, followed by
// zeros; the last byte is its length plus one. A longer text is stored as its address, its length and some
// bits of its hash. So most words are compared and hashed as two numbers, without reading other memory. If
// all bytes are zero there is no key.
//
//   short   | text, zero behind it                    15 bytes | length + 1   |
//   long    | address   8 bytes | length  4 bytes | hash  3 bytes | 0xff        |

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "gossamer/base/hash.hpp"
#include "gossamer/fiber/sanitizer.hpp"

namespace gossamer::mapreduce {

static_assert(std::endian::native == std::endian::little,
              "the last byte of a text key is the highest of its second word");

/// Throws gossamer::error: a key of `bytes` bytes is too long.
[[noreturn, gnu::cold]] void refuse_key(std::uint64_t bytes);

struct text_key {
  static constexpr std::size_t k_most_inline = 15;
  static constexpr std::uint64_t k_most_bytes = 0xffff'ffff;
  static constexpr unsigned k_tag_shift = 56;
  static constexpr std::uint64_t k_long = 0xff;

  std::uint64_t first = 0, second = 0;

  bool empty() const { return second == 0; }
  bool is_long() const { return second >> k_tag_shift == k_long; }
  std::size_t size() const { return is_long() ? second & k_most_bytes : (second >> k_tag_shift) - 1; }

  /// Returns the text: inside this key, or at its address.
  std::string_view text() const {
    if (is_long()) return {reinterpret_cast<const char*>(first), size()};
    return {reinterpret_cast<const char*>(this), size()};
  }

  /// Makes the key of a text. A long text must stay valid and in place. Throws gossamer::error beyond
  /// k_most_bytes.
  [[gnu::always_inline]] static text_key of(std::string_view text) {
    if (text.size() > k_most_inline) [[unlikely]]
      return of_long(text);
    text_key k = load(text);
    k.second |= (text.size() + 1) << k_tag_shift;
    return k;
  }

  std::uint64_t hash() const {
    if (is_long()) [[unlikely]]
      return hash_bytes(reinterpret_cast<const char*>(first), size());
    return hash_words(first, second);
  }

  friend bool operator==(const text_key& a, const text_key& b) {
    if (a.second != b.second) return false;
    if (a.first == b.first) return true;
    return a.is_long() && std::memcmp(reinterpret_cast<const char*>(a.first),
                                      reinterpret_cast<const char*>(b.first), a.size()) == 0;
  }

 private:
  [[gnu::noinline]] static text_key of_long(std::string_view text) {
    if (text.size() > k_most_bytes) refuse_key(text.size());
    const std::uint64_t some_bits = hash_bytes(text.data(), text.size()) & 0xff'ffff;
    return {reinterpret_cast<std::uintptr_t>(text.data()),
            text.size() | some_bits << 32 | k_long << k_tag_shift};
  }

  /// Loads up to 15 bytes.
  [[gnu::noinline]] static text_key load_exactly(std::string_view text) {
    text_key k;
    std::memcpy(static_cast<void*>(&k), text.data(), text.size());
    return k;
  }
#ifndef GOSSAMER_ASAN
  /// Loads the same. Reads two words at once if they are in one page, and masks out what follows the text,
  /// without a branch, because lengths are hard to predict. The words stay in registers: a key that is written
  /// as two words and then copied as a vector waits for both stores.
  [[gnu::always_inline]] static text_key load(std::string_view text) {
    constexpr std::uintptr_t k_page = 4096;
    if ((reinterpret_cast<std::uintptr_t>(text.data()) & (k_page - 1)) > k_page - sizeof(text_key))
        [[unlikely]]
      return load_exactly(text);
    const unsigned char* const mask = k_masks + (k_most_inline + 1 - text.size());
    return {word_at(text.data()) & word_at(mask),
            word_at(text.data() + sizeof first) & word_at(mask + sizeof first)};
  }
  [[gnu::always_inline]] static std::uint64_t word_at(const void* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  /// From 16 - n on: n bytes of ones, then zeros.
  static constexpr unsigned char k_masks[2 * (k_most_inline + 1)] = {
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
#else
  static text_key load(std::string_view text) { return load_exactly(text); }
#endif
};

}  // namespace gossamer::mapreduce
