#pragma once
// Joins groups with fields found in further passes, on the core that has both: a merge join (Blasgen and
// Eswaran, 1977) by the bytes of the group. Reads each side from its containers, or from sorted runs in
// scratch files.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gossamer/mapreduce/ordered_reader.hpp"
#include "gossamer/tables/internal/distinct_hash.hpp"
#include "gossamer/tables/internal/group_key.hpp"

namespace gossamer::tables {

/// Orders groups by their bytes, ignoring appended texts.
struct by_group {
  std::size_t texts = 0;

  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    return without_texts(a.key.text(), texts) < without_texts(b.key.text(), texts);
  }
};
/// Orders pairs of a group and a field by the bytes of both.
struct by_group_and_field {
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    const std::string_view x = a.key.text(), y = b.key.text();
    const int c = distinct_hash::group_of(x).compare(distinct_hash::group_of(y));
    return c != 0 ? c < 0 : distinct_hash::field_of(x) < distinct_hash::field_of(y);
  }
};

/// The fields of one group, in the order of their bytes.
template <class Fields>
class fields_of_group {
 public:
  using reader = mapreduce::ordered_reader<Fields, by_group_and_field>;

  /// Advances to the first field of a group. Groups must be passed in order.
  fields_of_group(reader& from, std::string_view group) : from_(from), group_(group) {
    while (!from_.ended() && distinct_hash::group_of(from_.pair().key.text()) < group_) from_.next();
  }
  bool ended() const { return from_.ended() || distinct_hash::group_of(from_.pair().key.text()) != group_; }
  /// Returns the field, which stays valid until next().
  std::string_view field() const { return distinct_hash::field_of(from_.pair().key.text()); }
  /// Returns the number of rows that have it.
  std::uint64_t rows() const { return from_.pair().value; }
  void next() { from_.next(); }

 private:
  reader& from_;
  std::string_view group_;
};

/// Calls change(words, fields, key) for each group of this core: it changes the row, and if it `appends`, the
/// key, which is a std::string. `texts` is the number of texts already appended to the keys. Groups with
/// longer keys are listed. They go to a scratch file if the fields are in one.
template <class Groups, class Fields, class Change>
void join_fields(Groups& groups, Fields& fields, std::size_t texts, bool appends, Change change) {
  using slot = typename Groups::slot;
  using stored_groups = typename decltype(Groups::stored)::element_type;
  std::unique_ptr<stored_groups> joined;
  Groups longer;
  if (groups.stored)
    joined = std::make_unique<stored_groups>(groups.stored->bound());
  else if (appends && fields.stored)
    joined = std::make_unique<stored_groups>(fields.stored->bound());
  {
    mapreduce::ordered_reader<Groups, by_group> from(groups, by_group{texts});
    typename fields_of_group<Fields>::reader found(fields);
    std::string key;
    for (; !from.ended(); from.next()) {
      slot s = from.pair();
      fields_of_group<Fields> fields_here(found, without_texts(s.key.text(), texts));
      key.assign(s.key.text());
      change(s.value.words.data(), fields_here, key);
      if (appends) s.key = mapreduce::text_key::of(key);
      if (joined)
        joined->add(s);
      else if (appends)
        longer.list(s.key, s.value);
      else
        from.in_place().value = s.value;
    }
  }
  if (joined) joined->finish();
  if (joined || appends) groups = std::move(longer);
  groups.stored = std::move(joined);
}

}  // namespace gossamer::tables
