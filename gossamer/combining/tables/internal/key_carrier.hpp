#pragma once
// Keys of global sets and maps: as arguments, in messages, and in tables. Trivially copyable keys are part of
// a record; strings follow it, with their length. A Head is the part of a message before the key:
// head(dispatch, key) runs at the owner.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gossamer/combining/tables/internal/flat_table.hpp"
#include "gossamer/combining/tables/internal/string_table.hpp"
#include "gossamer/message/payload.hpp"

namespace gossamer::combining {

/// Maximum size of records of sets and maps, key and value together; larger ones are payloads (long_request).
inline constexpr std::size_t k_most_in_message = 512;

template <class Key>
struct key_carrier {
  static_assert(std::is_trivially_copyable_v<Key>,
                "keys of global sets and maps are copied as bytes, or are std::string");
  using view = Key;
  using argument = const Key&;
  template <class Value>
  using table = flat_table<Key, Value>;

  static bool fits(argument, std::size_t sent) { return sizeof(Key) + sent <= k_most_in_message; }
  static std::span<const std::byte> bytes(argument key) { return std::as_bytes(std::span(&key, 1)); }
  static Key from_bytes(const std::byte* bytes, std::size_t) {
    Key key;
    std::memcpy(&key, bytes, sizeof key);
    return key;
  }

  template <class Head>
  struct record {
    Head head;
    Key key;
    const void* target() const { return head.target(key); }
    void operator()(const message::dispatch& d) const { head(d, key); }
  };
  /// Sends a request. The enclosing completion counts both the request and its answer.
  template <class Head>
  static void ask(message::endpoint& self, core_id to, const Head& head, argument key, std::uint32_t answer) {
    self.issue_request_counted(to, record<Head>{head, key}, answer);
  }
  /// Sends a request that no completion counts. The answer wakes a fiber.
  template <class Head>
  static void call(message::endpoint& self, core_id to, const Head& head, argument key,
                   std::uint32_t answer) {
    self.issue_call(to, record<Head>{head, key}, answer);
  }
  /// Sends a record without an answer. The enclosing completion counts it.
  template <class Head>
  static void async(message::endpoint& self, core_id to, const Head& head, argument key) {
    self.issue(to, record<Head>{head, key});
  }
};

template <>
struct key_carrier<std::string> {
  using view = std::string_view;
  using argument = std::string_view;
  template <class Value>
  using table = string_table<Value>;

  static bool fits(argument key, std::size_t sent) { return key.size() + sent <= k_most_in_message; }
  static std::span<const std::byte> bytes(argument key) {
    return std::as_bytes(std::span(key.data(), key.size()));
  }
  static view from_bytes(const std::byte* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
  }

  template <class Head>
  struct record {
    Head head;
    std::uint32_t bytes;
    static void run(const message::dispatch& d, std::byte* records, std::uint32_t count) {
      message::each_with_payload<record>(d, records, count, [&d](const record& r, const std::byte* key) {
        r.head(d, from_bytes(key, r.bytes));
      });
    }
  };
  template <class Head>
  static void ask(message::endpoint& self, core_id to, const Head& head, argument key, std::uint32_t answer) {
    write(self, to, head, key, answer);
  }
  template <class Head>
  static void call(message::endpoint& self, core_id to, const Head& head, argument key,
                   std::uint32_t answer) {
    void* const outer = self.local();
    self.set_local(nullptr);
    write(self, to, head, key, answer);
    self.set_local(outer);
  }
  template <class Head>
  static void async(message::endpoint& self, core_id to, const Head& head, argument key) {
    write(self, to, head, key, 0);
  }

 private:
  template <class Head>
  static void write(message::endpoint& self, core_id to, const Head& head, argument key,
                    std::uint32_t answer) {
    const record<Head> r{head, static_cast<std::uint32_t>(key.size())};
    std::byte* const at =
        self.issue_room<record<Head>>(to, message::payload_stride(sizeof r, key.size()), {answer, 0});
    std::memcpy(at, &r, sizeof r);
    if (!key.empty()) std::memcpy(at + round_up(sizeof r, 8), key.data(), key.size());
  }
};

}  // namespace gossamer::combining
