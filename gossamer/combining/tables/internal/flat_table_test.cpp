#include "gossamer/combining/tables/internal/flat_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory_resource>
#include <new>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/combining/tables/internal/string_table.hpp"

namespace {

using namespace gossamer;
using namespace gossamer::combining;

/// Counts allocations. Fails from a given allocation on, until allowed again. Checks that freed memory was
/// allocated here.
class test_memory final : public std::pmr::memory_resource {
 public:
  ~test_memory() override { EXPECT_TRUE(given_.empty()) << "memory not given back"; }
  void fail_at(std::size_t n) { left_ = n; }
  void allow() { left_ = ~std::size_t{0}; }
  std::size_t bytes() const { return bytes_; }
  std::size_t refusals() const { return refusals_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (left_ == 0) {
      ++refusals_;
      throw std::bad_alloc();
    }
    if (left_ != ~std::size_t{0}) --left_;
    void* const p = ::operator new(bytes, std::align_val_t{alignment});
    std::memset(p, 0xa5, bytes);  // nothing may depend on zeroed memory
    given_[p] = {bytes, alignment};
    bytes_ += bytes;
    return p;
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    ASSERT_EQ(given_.count(p), 1U);
    EXPECT_EQ(given_[p], (std::pair{bytes, alignment}));
    given_.erase(p);
    bytes_ -= bytes;
    ::operator delete(p, std::align_val_t{alignment});
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::map<void*, std::pair<std::size_t, std::size_t>> given_;
  std::size_t left_ = ~std::size_t{0}, bytes_ = 0, refusals_ = 0;
};

std::uint64_t seed() {
  static const std::uint64_t s = [] {
    const std::uint64_t value = std::random_device{}();
    std::printf("seed %llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return s;
}

struct none {};
template <std::size_t Bytes>
struct payload {
  std::array<unsigned char, Bytes> bytes;
  static payload of(std::uint64_t x) {
    payload p;
    for (std::size_t i = 0; i < Bytes; ++i) p.bytes[i] = static_cast<unsigned char>(hash64(x, i));
    return p;
  }
  friend bool operator==(const payload&, const payload&) = default;
};
struct wide_key {
  std::uint64_t a;
  std::uint32_t b, c;
  friend bool operator==(const wide_key&, const wide_key&) = default;
};

template <class Value>
Value value_of(std::uint64_t x) {
  if constexpr (std::is_empty_v<Value>)
    return {};
  else if constexpr (std::is_integral_v<Value>)
    return static_cast<Value>(x);
  else
    return Value::of(x);
}
template <class Value>
bool equal(const Value& a, const Value& b) {
  if constexpr (std::is_empty_v<Value>)
    return true;
  else
    return a == b;
}

// The worst hashes: all bits equal, or the bits that one part of the table uses.
struct all_equal {
  std::uint64_t operator()(std::uint64_t) const { return 42; }
};
struct all_zero {
  std::uint64_t operator()(std::uint64_t) const { return 0; }
};
template <unsigned Low, unsigned High>
struct equal_bits {  // bits Low..High-1
  std::uint64_t operator()(std::uint64_t key) const {
    constexpr std::uint64_t same = (~std::uint64_t{0} >> (64 - (High - Low))) << Low;
    return hash64(key) & ~same;
  }
};
struct mostly_ones {  // three of four: some segments split more often than others
  std::uint64_t operator()(std::uint64_t key) const { return hash64(key) | hash64(~key); }
};
struct itself {
  std::uint64_t operator()(std::uint64_t key) const { return key; }
};

template <class Table, class Reference>
void expect_same(const Table& table, const Reference& reference) {
  ASSERT_EQ(table.size(), reference.size());
  std::size_t seen = 0;
  table.for_each([&](const auto& key, auto& value) {
    const auto there = reference.find(typename Reference::key_type(key));
    ASSERT_TRUE(there != reference.end());
    EXPECT_TRUE(equal(value, there->second));
    ++seen;
  });
  EXPECT_EQ(seen, reference.size());
}

/// Random operations on keys 0 to range-1, with phases that mostly insert and phases that mostly erase.
template <class Value, class Hash = table_hash<std::uint64_t>>
void against_unordered_map(std::uint64_t range, std::size_t operations) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  test_memory memory;
  xoshiro256 random(seed());
  flat_table<std::uint64_t, Value, Hash> table(memory);
  std::unordered_map<std::uint64_t, Value> reference;
  for (std::size_t i = 0; i < operations; ++i) {
    const std::uint64_t key = bounded(random, range);
    const std::uint64_t hash = Hash{}(key);
    const bool shrink = i / (operations / 4) % 2 == 1;
    const std::size_t before = table.moved();
    switch (bounded(random, 8)) {
      case 0:
      case 1:
      case 2:
        if (shrink) {
          ASSERT_EQ(table.erase(hash, key), reference.erase(key) == 1);
          break;
        }
        [[fallthrough]];
      case 3:
      case 4: {
        const auto [there, inserted] = table.insert(hash, key, value_of<Value>(i));
        const auto [expected, is_new] = reference.try_emplace(key, value_of<Value>(i));
        ASSERT_EQ(inserted, is_new);
        ASSERT_TRUE(equal(*there, expected->second));
        break;
      }
      case 5:
        ASSERT_EQ(table.erase(hash, key), reference.erase(key) == 1);
        break;
      default: {
        Value* const there = table.find(hash, key);
        ASSERT_EQ(there != nullptr, reference.count(key) == 1);
        if (there == nullptr) break;
        ASSERT_TRUE(equal(*there, reference.at(key)));
        *there = reference.at(key) = value_of<Value>(i + 1);
      }
    }
    ASSERT_LE(table.moved() - before, table.k_most_moved);
    ASSERT_EQ(table.size(), reference.size());
    ASSERT_EQ(table.bytes(), memory.bytes());
  }
  expect_same(table, reference);
  for (std::uint64_t key = 0; key < range; ++key)
    ASSERT_EQ(table.find(Hash{}(key), key) != nullptr, reference.count(key) == 1);
  table.clear();
  EXPECT_EQ(memory.bytes(), 0U);
  EXPECT_EQ(table.find(Hash{}(1), 1), nullptr);
  EXPECT_TRUE(table.insert(Hash{}(1), 1, value_of<Value>(1)).second);
}

TEST(TagBytes, AreFoundAlikeWithAndWithoutVectorInstructions) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  xoshiro256 random(seed());
  for (int i = 0; i < 20000; ++i) {
    alignas(16) std::array<std::uint8_t, 16> bytes;
    const std::uint64_t different = 1 + bounded(random, 256);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(0 - bounded(random, different));
    const auto value = static_cast<std::uint8_t>(0 - bounded(random, different));
    std::uint32_t expected = 0;
    for (unsigned j = 0; j < 16; ++j) expected |= static_cast<std::uint32_t>(bytes[j] == value) << j;
    ASSERT_EQ(equal_bytes_portable(bytes.data(), value), expected);
    ASSERT_EQ(equal_bytes(bytes.data(), value), expected);
  }
}

TEST(TableSegment, HasNoTraceOfWhatWasErased) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  using segment = table_segment<std::uint64_t>;
  constexpr std::uint32_t groups = segment::k_most_groups;
  alignas(segment::k_align) static std::array<std::byte, segment::bytes(groups)> memory;
  const segment s(memory.data() + segment::front_bytes(groups), groups - 1);
  s.clear();
  xoshiro256 random(seed());
  std::vector<std::uint64_t> hashes(groups * segment::k_slots * 95 / 100);
  for (auto& hash : hashes) {
    hash = random();
    std::uint64_t* const there = s.claim(hash, groups);
    ASSERT_TRUE(there != nullptr);
    *there = hash;
  }
  EXPECT_EQ(s.size(), hashes.size());
  for (const std::uint64_t hash : hashes)
    ASSERT_TRUE(s.erase(hash, [hash](std::uint64_t other) { return other == hash; }));
  for (std::size_t i = 0; i < segment::front_bytes(groups); ++i) ASSERT_EQ(memory[i], std::byte{0});
}

TEST(FlatTable, AnswersAsUnorderedMapDoes) {
  against_unordered_map<std::uint64_t>(20, 20000);
  against_unordered_map<std::uint64_t>(1000, 50000);
  against_unordered_map<std::uint64_t>(60000, 300000);
}
TEST(FlatTable, HoldsValuesOfAnySize) {
  against_unordered_map<std::uint8_t>(3000, 30000);
  against_unordered_map<payload<24>>(3000, 30000);
  against_unordered_map<payload<1024>>(2000, 20000);
  against_unordered_map<payload<3>>(3000, 30000);
}
TEST(FlatTable, SpendsNoByteOnAnEmptyValue) {
  against_unordered_map<none>(20000, 100000);
  test_memory memory;
  flat_table<std::uint64_t, none> set(memory);
  flat_table<std::uint64_t, std::uint64_t> map(memory);
  for (std::uint64_t key = 0; key < 60000; ++key) {
    set.insert(hash64(key), key);
    map.insert(hash64(key), key, key);
  }
  EXPECT_LT(set.bytes() * 5, map.bytes() * 3);
}

TEST(FlatTable, StaysRightWithBadHashes) {
  against_unordered_map<std::uint64_t, all_equal>(1500, 6000);
  against_unordered_map<std::uint64_t, all_zero>(200, 12000);
  against_unordered_map<std::uint64_t, equal_bits<0, 32>>(1500, 6000);
  against_unordered_map<std::uint64_t, equal_bits<32, 64>>(15000, 50000);
  against_unordered_map<std::uint64_t, equal_bits<0, 8>>(15000, 50000);
  against_unordered_map<std::uint64_t, equal_bits<8, 14>>(15000, 50000);
  against_unordered_map<std::uint64_t, equal_bits<14, 18>>(15000, 50000);
  against_unordered_map<std::uint64_t, equal_bits<18, 46>>(2000, 8000);
  against_unordered_map<std::uint64_t, equal_bits<18, 24>>(15000, 50000);
  against_unordered_map<std::uint64_t, mostly_ones>(15000, 50000);
  against_unordered_map<std::uint64_t, itself>(3000, 10000);
  against_unordered_map<payload<1024>, equal_bits<0, 24>>(300, 4000);
}

TEST(FlatTable, HoldsKeysOfSeveralWords) {
  test_memory memory;
  flat_table<wide_key, std::uint32_t> table(memory);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const wide_key key{i / 3, i % 3, 7};
    ASSERT_TRUE(table.insert(table.hash(key), key, i).second);
  }
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const wide_key key{i / 3, i % 3, 7};
    std::uint32_t* const value = table.find(table.hash(key), key);
    ASSERT_TRUE(value != nullptr && *value == i);
  }
}

TEST(FlatTable, MovesFewEntriesInOneInsertion) {
  test_memory memory;
  flat_table<std::uint64_t, std::uint64_t> table(memory);
  EXPECT_LE(table.k_most_moved, 1024U);
  std::size_t most = 0;
  constexpr std::uint64_t n = 1 << 18;
  for (std::uint64_t key = 0; key < n; ++key) {
    const std::size_t before = table.moved();
    table.insert(hash64(key), key, key);
    most = std::max(most, table.moved() - before);
  }
  EXPECT_LE(most, table.k_most_moved);
  EXPECT_GT(most, table.k_most_moved / 8);  // it did grow
  EXPECT_LT(table.moved(), 2 * n);
  EXPECT_LT(table.bytes(), n * 40);
}

TEST(FlatTable, ErasingLeavesNothingBehind) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  test_memory memory;
  xoshiro256 random(seed());
  flat_table<std::uint64_t, std::uint64_t> table(memory);
  std::vector<std::uint64_t> keys(20000);
  for (auto& key : keys) table.insert(hash64(key = random()), key, 0);
  const auto one_round = [&] {
    for (auto& key : keys) {
      ASSERT_TRUE(table.erase(hash64(key), key));
      ASSERT_TRUE(table.insert(hash64(key = random()), key, 0).second);
    }
  };
  for (int i = 0; i < 10; ++i) one_round();
  const std::size_t bytes = table.bytes(), moved = table.moved();
  for (int i = 0; i < 40; ++i) one_round();
  EXPECT_LE(table.bytes(), bytes + bytes / 4);  // a segment that was full by chance may split
  EXPECT_LE(table.moved(), moved + 20000);
}

TEST(FlatTable, IterationIsTheSameWhileNothingChanges) {
  test_memory memory;
  flat_table<std::uint64_t, std::uint64_t> table(memory);
  for (std::uint64_t key = 0; key < 5000; ++key) table.insert(hash64(key), key, 0);
  std::vector<std::uint64_t> first, second;
  table.for_each([&](std::uint64_t key, std::uint64_t& value) {
    first.push_back(key);
    value = key;
  });
  table.for_each([&](std::uint64_t key, std::uint64_t& value) {
    second.push_back(key);
    EXPECT_EQ(value, key);
  });
  EXPECT_EQ(first, second);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 5000U);
}

TEST(FlatTable, TellsWhereAnEntryMostlyLies) {
  test_memory memory;
  flat_table<std::uint64_t, std::uint64_t> table(memory);
  EXPECT_EQ(table.probable_address(hash64(1)), nullptr);
  table.prefetch(hash64(1));
  std::size_t near = 0;
  for (std::uint64_t key = 0; key < 40000; ++key) table.insert(hash64(key), key, key);
  for (std::uint64_t key = 0; key < 40000; ++key) {
    const auto line = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) / k_line_bytes; };
    near += line(table.probable_address(hash64(key))) == line(table.find(hash64(key), key));
  }
  EXPECT_GT(near, 40000U * 6 / 10);
}

/// Fails each allocation, once alone and once with all later ones.
TEST(FlatTable, StaysIntactWithoutMemory) {
  constexpr std::uint64_t n = 6000;
  std::size_t failures = 0;
  for (std::size_t fail = 0;; ++fail) {
    test_memory memory;
    flat_table<std::uint64_t, std::uint64_t> table(memory);
    memory.fail_at(fail);
    std::unordered_map<std::uint64_t, std::uint64_t> reference;
    bool failed = false;
    for (std::uint64_t key = 0; key < n; ++key) {
      try {
        ASSERT_TRUE(table.insert(hash64(key), key, key * 3).second);
        reference[key] = key * 3;
      } catch (const std::bad_alloc&) {
        failed = true;
        ASSERT_EQ(table.find(hash64(key), key), nullptr);
        if (failures % 2 == 0) memory.allow();  // it continues when memory is available again
      }
      ASSERT_EQ(table.size(), reference.size());
    }
    ASSERT_EQ(table.bytes(), memory.bytes());
    expect_same(table, reference);
    for (std::uint64_t key = 0; key < n; key += 2)
      ASSERT_EQ(table.erase(hash64(key), key), reference.erase(key) == 1);
    expect_same(table, reference);
    memory.allow();
    for (std::uint64_t key = 0; key < n; ++key) {
      table.insert(hash64(key), key, key * 3);
      reference[key] = key * 3;
    }
    expect_same(table, reference);
    if (!failed) break;
    ++failures;
  }
  EXPECT_GT(failures, 10U);
}

TEST(FlatTable, FillsUpBeforeItFails) {
  test_memory memory;
  flat_table<std::uint64_t, std::uint64_t> table(memory);
  for (std::uint64_t key = 0; key < 3000; ++key) table.insert(hash64(key), key, key);
  memory.fail_at(0);
  const std::size_t room = table.bytes() / 16;
  std::uint64_t key = 3000;
  EXPECT_THROW(
      while (true) {
        table.insert(hash64(key), key, key);
        ++key;
      },
      std::bad_alloc);
  EXPECT_GT(key, room * 8 / 10);
  EXPECT_EQ(table.size(), key);
  for (std::uint64_t i = 0; i < key; ++i) ASSERT_TRUE(table.find(hash64(i), i) != nullptr);
}

/// A failed allocation costs far more than an insertion: after one, the table retries only now and then,
/// until a segment is full.
TEST(FlatTable, AsksForMemoryNowAndThenOnceRefused) {
  test_memory memory;
  flat_table<std::uint64_t, std::uint64_t> table(memory);
  std::uint64_t key = 0;
  const auto add = [&] { table.insert(hash64(key), key, key), ++key; };
  while (key < 100'000) add();
  memory.fail_at(0);
  const std::size_t bytes = memory.bytes();
  std::size_t added = 0;
  try {
    for (;; ++added) add();
  } catch (const std::bad_alloc&) {}
  EXPECT_EQ(memory.bytes(), bytes);
  EXPECT_GT(added, 2000U);
  EXPECT_LT(memory.refusals(), 2 + added / 100);
  memory.allow();
  for (std::size_t i = 0; i < 100'000; ++i) add();
  EXPECT_GT(memory.bytes(), bytes + bytes / 2);
  for (std::uint64_t k = 0; k < key; ++k) ASSERT_NE(table.find(hash64(k), k), nullptr) << k;
}

TEST(FlatTable, StaysIntactWithoutMemoryForBadHashes) {
  for (std::size_t fail = 0; fail < 40; ++fail) {
    test_memory memory;
    flat_table<std::uint64_t, std::uint64_t, all_equal> table(memory);
    std::unordered_map<std::uint64_t, std::uint64_t> reference;
    memory.fail_at(fail);
    for (std::uint64_t key = 0; key < 1500; ++key) {
      try {
        table.insert(42, key, key);
        reference[key] = key;
      } catch (const std::bad_alloc&) {
        if (fail % 2 == 0) memory.allow();
      }
    }
    expect_same(table, reference);
  }
}

std::string text_of(std::uint64_t key) {
  std::string text(hash64(key) % 4 == 0 ? hash64(key, 1) % 1001 : hash64(key, 1) % 24, 'a');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(hash64(key, i + 2));
  return text;
}
struct same_string_hash {
  std::uint64_t operator()(std::string_view) const { return 7; }
};

template <class Value, class Hash = table_hash<std::string_view>>
void strings_against_unordered_map(std::uint64_t range, std::size_t operations) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  test_memory memory;
  xoshiro256 random(seed());
  string_table<Value, Hash> table(memory);
  std::unordered_map<std::string, Value> reference;
  for (std::size_t i = 0; i < operations; ++i) {
    const std::string key = text_of(bounded(random, range));
    const std::uint64_t hash = Hash{}(key);
    const bool shrink = i / (operations / 4) % 2 == 1;
    const std::uint64_t what = bounded(random, 8);
    if (what < (shrink ? 4U : 1U)) {
      ASSERT_EQ(table.erase(hash, key), reference.erase(key) == 1);
    } else if (what < 6) {
      const auto [there, inserted] = table.insert(hash, key, value_of<Value>(i));
      const auto [expected, is_new] = reference.try_emplace(key, value_of<Value>(i));
      ASSERT_EQ(inserted, is_new);
      ASSERT_TRUE(equal(*there, expected->second));
    } else {
      Value* const there = table.find(hash, key);
      ASSERT_EQ(there != nullptr, reference.count(key) == 1);
      if (there != nullptr) {
        ASSERT_TRUE(equal(*there, reference.at(key)));
      }
    }
    ASSERT_EQ(table.bytes(), memory.bytes());
  }
  expect_same(table, reference);
  table.clear();
  EXPECT_EQ(memory.bytes(), 0U);
}

TEST(StringTable, AnswersAsUnorderedMapDoes) {
  strings_against_unordered_map<std::uint64_t>(3000, 60000);
  strings_against_unordered_map<none>(300, 20000);
  strings_against_unordered_map<payload<24>>(3000, 30000);
  strings_against_unordered_map<std::uint64_t, same_string_hash>(300, 8000);
}

TEST(StringTable, KeepsStringsOfEveryLength) {
  test_memory memory;
  string_table<std::uint64_t> table(memory);
  std::vector<std::size_t> lengths{2000, 8187, 8188, 8189, 16000, 20000, 100000};
  for (std::size_t i = 0; i <= 1000; ++i) lengths.push_back(i);
  for (const std::size_t length : lengths) {
    const std::string key(length, '\0');
    ASSERT_TRUE(table.insert(table.hash(key), key, length).second);
  }
  for (const std::size_t length : lengths) {
    const std::string key(length, '\0');
    std::uint64_t* const value = table.find(table.hash(key), key);
    ASSERT_TRUE(value != nullptr && *value == length);
  }
  for (const std::size_t length : lengths) {
    const std::string key(length, '\0');
    ASSERT_TRUE(table.erase(table.hash(key), key));
  }
  EXPECT_EQ(table.size(), 0U);
}

TEST(StringTable, GivesTheBytesOfErasedKeysBack) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  test_memory memory;
  xoshiro256 random(seed());
  string_table<none> table(memory);
  std::vector<std::string> keys;
  std::size_t live = 0;
  const auto insert = [&](std::size_t most) {
    std::string key(bounded(random, most), 'x');
    for (char& c : key) c = static_cast<char>('a' + bounded(random, 26));
    if (!table.insert(table.hash(key), key).second) return;
    live += key.size() + 16;
    keys.push_back(std::move(key));
  };
  for (const std::size_t most : {1000, 20, 500, 100}) {  // lengths change: nothing of the old ones remains
    for (int i = 0; i < 4000; ++i) insert(most);
    while (keys.size() > 1000) {
      const std::size_t i = bounded(random, keys.size());
      ASSERT_TRUE(table.erase(table.hash(keys[i]), keys[i]));
      live -= keys[i].size() + 16;
      std::swap(keys[i], keys.back());
      keys.pop_back();
    }
    EXPECT_LT(table.bytes(), live * 8 / 3 + (400 << 10))
        << most;  // entries take 16 bytes each, of 5000 at most
  }
  for (const std::string& key : keys) ASSERT_TRUE(table.find(table.hash(key), key) != nullptr);
}

TEST(StringTable, StaysIntactWithoutMemory) {
  std::size_t failures = 0;
  for (std::size_t fail = 0;; ++fail) {
    test_memory memory;
    xoshiro256 random(fail);
    string_table<std::uint64_t> table(memory);
    std::unordered_map<std::string, std::uint64_t> reference;
    memory.fail_at(fail);
    bool failed = false;
    for (std::size_t i = 0; i < 3000; ++i) {
      const std::string key = text_of(bounded(random, 1200));
      if (bounded(random, 3) == 0) {
        ASSERT_EQ(table.erase(table.hash(key), key), reference.erase(key) == 1);
        continue;
      }
      try {
        const bool inserted = table.insert(table.hash(key), key, i).second;
        ASSERT_EQ(inserted, reference.try_emplace(key, i).second);
      } catch (const std::bad_alloc&) {
        failed = true;
        ASSERT_EQ(table.find(table.hash(key), key), nullptr);
        if (fail % 2 == 0) memory.allow();
      }
    }
    ASSERT_EQ(table.bytes(), memory.bytes());
    expect_same(table, reference);
    if (!failed) break;
    ++failures;
  }
  EXPECT_GT(failures, 10U);
}

}  // namespace
