#pragma once
// Random one-sided transfers between two arrays and plain memory, by random cores, beside a plain serial copy
// of both arrays.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/memory/transfer.hpp"
#include "support/drawn_distribution.hpp"

namespace gossamer::test {

/// An element that is no power of two long.
struct triple {
  std::array<std::uint32_t, 3> words;
  friend bool operator==(const triple&, const triple&) = default;
};

template <class T>
T element_of(std::uint64_t number) {
  T t;
  std::array<std::uint64_t, (sizeof(T) + 7) / 8> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = hash64(number, i);
  std::memcpy(&t, words.data(), sizeof t);
  return t;
}

class transfer_draws {
 public:
  explicit transfer_draws(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t next() { return hash64(seed_, number_++); }
  std::uint64_t below(std::uint64_t n) { return next() % n; }

 private:
  std::uint64_t seed_, number_ = 0;
};

/// Draws blocks of `elements` elements in all that fit n elements, and where they begin.
struct drawn_place {
  std::uint64_t index;
  strided shape;

  drawn_place(transfer_draws& d, std::uint64_t n, std::uint64_t elements) {
    std::uint64_t count = 1;
    if (d.below(3) != 0)
      for (std::uint64_t c = 1 + d.below(elements); c >= 1; --c)
        if (elements % c == 0) {
          count = c;
          break;
        }
    const std::uint64_t block_elements = elements / count;
    const std::uint64_t most = count > 1 ? (n - block_elements) / (count - 1) : block_elements;
    const std::uint64_t stride = d.below(2) == 0 ? most : block_elements + d.below(most - block_elements + 1);
    shape = {count, block_elements, stride};
    const std::uint64_t extent = (count - 1) * stride + block_elements;
    index = d.below(n - extent + 1);
  }
  /// Returns the index of the k-th element.
  std::uint64_t at(std::uint64_t k) const { return index + k / shape.block * shape.stride + k % shape.block; }
};

template <class T>
std::vector<T> numbered(std::uint64_t seed, std::uint64_t n) {
  std::vector<T> all(n);
  for (std::uint64_t k = 0; k < n; ++k) all[k] = element_of<T>(seed + k);
  return all;
}

/// Makes `rounds` transfers, then compares both arrays with the serial copies. By the main fiber.
template <class T>
void random_transfers(std::uint64_t seed, unsigned rounds, std::uint64_t most_elements) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", elements of " + std::to_string(sizeof(T)) + " bytes on " +
               std::to_string(cores()) + " cores of " + std::to_string(processes()) + " processes");
  transfer_draws d(seed);
  const std::uint64_t n = 1 + d.below(most_elements);
  const scoped_array<T> a_owner(n, drawn_distribution(d, n)), b_owner(n, drawn_distribution(d, n));
  const array<T> a = a_owner.handle(), b = b_owner.handle();
  const T zero = a.read(0);
  std::vector<T> va(n, zero), vb(n, zero);
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t elements = 1 + d.below(d.below(2) == 0 ? n : std::min<std::uint64_t>(n, 20));
    const drawn_place to(d, n, elements), from(d, n, elements);
    const auto by = static_cast<core_id>(d.below(cores()));
    const std::uint64_t values = d.next();
    const auto kind = d.below(8);
    SCOPED_TRACE("round " + std::to_string(round) + ", kind " + std::to_string(kind));
    if (kind < 4) {  // memory to a
      const std::vector<T> data = numbered<T>(values, elements);
      on_core(by, [=] {
        const std::vector<T> mine = numbered<T>(values, elements);
        const section<T> place(a, to.index, to.shape);
        if (kind == 0) put(place, mine);
        if (kind == 1) finish([&] { async_put(place, mine); });
        if (kind == 2)  // column of memory to a place
          finish([&] {
            std::vector<T> wide(3 * elements);
            for (std::uint64_t k = 0; k < elements; ++k) wide[3 * k] = mine[k];
            async_put(place, section<T>(global_ptr<T>(here(), wide.data()), {elements, 1, 3}));
          });
        if (kind == 3) {
          async_put(place, mine);
          for (core_id c = 0; c < cores(); ++c) fence(c);
        }
      });
      for (std::uint64_t k = 0; k < elements; ++k) va[to.at(k)] = data[k];
    } else if (kind < 6) {  // a to memory
      const std::vector<T> got = on_core(by, [=] {
        std::vector<T> into(elements);
        const section<T> place(a, from.index, from.shape);
        if (kind == 4)
          get(place, into);
        else
          finish([&] { async_get(place, into); });
        return into;
      });
      for (std::uint64_t k = 0; k < elements; ++k) ASSERT_EQ(got[k], va[from.at(k)]) << k;
    } else {  // a to b, b to a
      const bool there = kind == 6;
      on_core(by, [=] {
        const section<T> target(there ? b : a, to.index, to.shape),
            origin(there ? a : b, from.index, from.shape);
        if (values % 2 == 0)
          put(target, origin);
        else
          finish([&] { async_put(target, origin); });
      });
      for (std::uint64_t k = 0; k < elements; ++k)
        (there ? vb : va)[to.at(k)] = (there ? va : vb)[from.at(k)];
    }
  }
  std::vector<T> got(n);
  get(a, 0, got);
  for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(got[i], va[i]) << "a, element " << i;
  get(b, 0, got);
  for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(got[i], vb[i]) << "b, element " << i;
}

/// Mailboxes of a ring of cores: words and what says that they have come.
struct ring_mailbox {
  std::array<std::uint64_t, 40> words[2];
  notification come;
};

/// Lets each core put numbered words into the mailbox of the next one, round after round, and check what it
/// gets. Returns how many words were wrong.
inline std::uint64_t ring_of_notifications(unsigned rounds) {
  const scoped_per_core<ring_mailbox> owner;
  const scoped_per_core<std::uint64_t> wrong;
  on_all_cores([mail = owner.handle(), wrong = wrong.handle(), rounds] {
    const core_id me = here(), to = (me + 1) % cores(), from = (me + cores() - 1) % cores();
    std::array<std::uint64_t, 40> mine;
    for (unsigned r = 0; r < rounds; ++r) {
      for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = hash64(r * 1000 + me, k);
      put_notify(section<std::uint64_t>({to, mail.address(to)->words[r % 2].data()}, mine.size()), mine,
                 mail.pointer(to, &ring_mailbox::come));
      wait(mail.here().come);
      for (std::size_t k = 0; k < mine.size(); ++k)
        wrong.here() += mail.here().words[r % 2][k] != hash64(r * 1000 + from, k);
      if (r % 2 == 1) barrier();  // two mailboxes, so a core may be one round ahead
    }
  });
  return wrong.fold(std::uint64_t{0}, [](std::uint64_t x, std::uint64_t y) { return x + y; });
}

}  // namespace gossamer::test
