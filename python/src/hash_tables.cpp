// The classes _core.HashSet and _core.HashMap: keys of 64 bits, and values as words, spread over the cores of all processes. Arrays of
// keys lie in process 0, whose cores ask for them in chunks.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "numbers.hpp"
#include "runtime_owned.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

using key = std::int64_t;

/// What Python holds. Tasks copy the pointer, so that the table outlives them.
template <class Table>
struct table_object {
  std::shared_ptr<const kept_by_runtime<Table>> all;

  /// Returns the handle. On the main fiber. Throws no_job where the table has gone with its job.
  auto handle() const { return all->get().handle(); }
};
using set_object = table_object<scoped_hash_set<key>>;
using map_object = table_object<scoped_hash_map<key, word>>;

template <class Table>
table_object<Table> make(const char* name) {
  return call([name](const graph::progress_hook&, runtime& in) {
    return table_object<Table>{
        std::make_shared<const kept_by_runtime<Table>>(name, in, [] { return Table(); })};
  });
}

/// Calls f(handle, begin, end) for chunks of [0, n), on the cores of process 0.
template <class Table, class F>
void in_chunks(const table_object<Table>& table, std::size_t n, F f) {
  constexpr std::uint64_t k_keys_at_once = 1 << 14;
  compute([table, n, f] {
    for_chunks(n, k_keys_at_once,
               [to = table.handle(), f](std::uint64_t begin, std::uint64_t end) { f(to, begin, end); });
  });
}

template <class Table>
std::uint64_t size(const table_object<Table>& table) {
  std::uint64_t n = 0;
  compute([table, &n] { n = table.handle().size(); });
  return n;
}

template <class Table>
void erase(const table_object<Table>& table, const integers& keys, const flag_places& was_there) {
  check_lengths("keys", keys.size(), "places", was_there.size());
  in_chunks(table, keys.size(),
            [from = span_of(keys), to = span_of(was_there)](auto all, auto begin, auto end) {
              all.erase_all(from.subspan(begin, end - begin), to.subspan(begin, end - begin));
            });
}

/// Returns of_entry(key, value) for all entries, copied to process 0.
template <class Entry, class Handle, class F>
std::vector<Entry> entries(Handle table, F of_entry) {
  machine::require_memory(2 * table.size() * sizeof(Entry), "a copy of all keys in process 0");
  const scoped_per_core<std::vector<Entry>> parts;
  table.for_each(
      [to = parts.handle(), of_entry](key k, auto& value) { to.here().push_back(of_entry(k, value)); });
  const auto found = collect_spans<Entry>(
      parts.handle(), [](const std::vector<Entry>& part) { return std::span<const Entry>(part); });
  std::vector<Entry> all;
  all.reserve(table.size());
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// --- sets ---------------------------------------------------------------------------------------

void insert(const set_object& set, const integers& keys, const flag_places& was_new) {
  check_lengths("keys", keys.size(), "places", was_new.size());
  in_chunks(set, keys.size(), [from = span_of(keys), to = span_of(was_new)](auto all, auto begin, auto end) {
    all.insert_all(from.subspan(begin, end - begin), to.subspan(begin, end - begin));
  });
}

void contains(const set_object& set, const integers& keys, const flag_places& there) {
  check_lengths("keys", keys.size(), "places", there.size());
  in_chunks(set, keys.size(), [from = span_of(keys), to = span_of(there)](auto all, auto begin, auto end) {
    all.contains_all(from.subspan(begin, end - begin), to.subspan(begin, end - begin));
  });
}

nb::object keys_of(const set_object& set) {
  std::vector<key> all;
  compute([set, &all] { all = entries<key>(set.handle(), [](key k, const auto&) { return k; }); });
  return array_of<key>(std::move(all));
}

// --- maps ---------------------------------------------------------------------------------------

void assign(const map_object& map, const integers& keys, const word_values& values) {
  check_lengths("keys", keys.size(), "values", values.size());
  in_chunks(map, keys.size(), [from = span_of(keys), what = span_of(values)](auto all, auto begin, auto end) {
    all.insert_or_assign_all(from.subspan(begin, end - begin), what.subspan(begin, end - begin));
  });
}

/// Adds words that are numbers of type T.
template <class T>
struct addition {
  word operator()(word a, word b) const {
    return std::bit_cast<word>(static_cast<T>(std::bit_cast<T>(a) + std::bit_cast<T>(b)));
  }
};

template <class T>
void add_as(const map_object& map, const integers& keys, const word_values& values) {
  in_chunks(map, keys.size(), [from = span_of(keys), what = span_of(values)](auto all, auto begin, auto end) {
    all.insert_or_reduce_all(from.subspan(begin, end - begin), what.subspan(begin, end - begin),
                             addition<T>());
  });
}

void add(const map_object& map, const integers& keys, const word_values& values, bool reals) {
  check_lengths("keys", keys.size(), "values", values.size());
  reals ? add_as<double>(map, keys, values)
        : add_as<word>(map, keys, values);  // of signed sums the same bits
}

/// Writes the values of those keys that are there, and which they are.
void lookup(const map_object& map, const integers& keys, const word_places& values,
            const flag_places& there) {
  check_lengths("keys", keys.size(), "places", values.size());
  check_lengths("keys", keys.size(), "places", there.size());
  in_chunks(
      map, keys.size(),
      [from = span_of(keys), to = span_of(values), found = span_of(there)](auto all, auto begin, auto end) {
        std::vector<std::optional<word>> some(end - begin);
        all.lookup_all(from.subspan(begin, end - begin), some);
        for (std::size_t k = 0; k < some.size(); ++k) {
          found[begin + k] = some[k].has_value();
          if (some[k]) to[begin + k] = *some[k];
        }
      });
}

nb::tuple items_of(const map_object& map) {
  struct entry {
    key k;
    word value;
  };
  std::vector<key> keys;
  std::vector<word> values;
  compute([map, &keys, &values] {
    const auto all = entries<entry>(map.handle(), [](key k, word value) { return entry{k, value}; });
    keys.reserve(all.size());
    values.reserve(all.size());
    for (const entry& e : all) {
      keys.push_back(e.k);
      values.push_back(e.value);
    }
  });
  return nb::make_tuple(array_of<key>(std::move(keys)), array_of<word>(std::move(values)));
}

}  // namespace

void bind_hash_tables(nb::module_& m) {
  const auto places = nb::arg("into").noconvert();
  const auto flags = nb::arg("flags").noconvert();
  nb::class_<set_object>(m, "HashSet", "A set of 64-bit keys.")
      .def_static(
          "make", [] { return make<scoped_hash_set<key>>("set"); }, "Make an empty set.")
      .def("size", &size<scoped_hash_set<key>>, "Return how many keys there are.")
      .def("insert", &insert, "keys"_a, flags, "Insert keys, and say which were new.")
      .def("contains", &contains, "keys"_a, flags, "Say which keys are there.")
      .def("erase", &erase<scoped_hash_set<key>>, "keys"_a, flags, "Erase keys, and say which were there.")
      .def("keys", &keys_of, "Return all keys, in no order.");
  nb::class_<map_object>(m, "HashMap", "A map of 64-bit keys to 64-bit values.")
      .def_static(
          "make", [] { return make<scoped_hash_map<key, word>>("map"); }, "Make an empty map.")
      .def("size", &size<scoped_hash_map<key, word>>, "Return how many keys there are.")
      .def("assign", &assign, "keys"_a, "values"_a, "Assign values to keys.")
      .def("add", &add, "keys"_a, "values"_a, "reals"_a,
           "Add to the values of keys; those that are not there have 0.")
      .def("lookup", &lookup, "keys"_a, places, flags, "Copy the values of keys, and say which are there.")
      .def("erase", &erase<scoped_hash_map<key, word>>, "keys"_a, flags,
           "Erase keys, and say which were there.")
      .def("items", &items_of, "Return all keys and their values, in no order.");
}

}  // namespace gossamer::python
