#pragma once
// Joins containers with batched look-ups, whose slots are prefetched.

#include <array>
#include <cstdint>
#include <utility>

namespace gossamer::mapreduce {

/// Calls f(slot, hash) for each pair of a container or list. Prefetches the slots of 32 keys in `table`, in
/// which f looks the key up.
template <class Pairs, class Table, class F>
void for_each_fetched(const Pairs& from, const Table& table, F f) {
  constexpr unsigned k_ahead = 32;
  std::array<std::pair<const typename Pairs::slot*, std::uint64_t>, k_ahead> pending;
  unsigned waiting = 0;
  const auto flush = [&] {
    for (unsigned i = 0; i < waiting; ++i) f(*pending[i].first, pending[i].second);
    waiting = 0;
  };
  const auto fetch = [&](const typename Pairs::slot& s) {
    const std::uint64_t hash = table.hash_of(s.key);
    table.prefetch(hash);
    pending[waiting] = {&s, hash};
    if (++waiting == k_ahead) flush();
  };
  if constexpr (requires { from.for_each_slot_spread(fetch); })
    from.for_each_slot_spread(fetch);
  else
    from.for_each_slot(fetch);
  flush();
}

/// Joins the pairs of one container into another.
template <class Container, class Combine>
void join(const Container& from, Container& into, Combine& combine) {
  into.reserve(from.size());
  for_each_fetched(from, into, [&](const typename Container::slot& s, std::uint64_t hash) {
    into.add(s.key, hash, s.value, combine);
  });
}

}  // namespace gossamer::mapreduce
