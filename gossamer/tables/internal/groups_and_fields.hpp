#pragma once
// The input of the job that counts different fields where groups lie in scratch files: the rows of all groups, and one row
// for each different field of a group. Each core maps what it has.

#include <cstdint>
#include <string_view>

#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/tables/internal/distinct_hash.hpp"

namespace gossamer::tables {

/// Groups and Fields are parts of results (key_values::part).
template <class Groups, class Fields, class Row>
class groups_and_fields {
 public:
  /// The key of a group and a row of it. Both stay while the map function runs.
  struct element {
    std::string_view key;
    const Row* words;
  };

  class share {
   public:
    /// Counts the tasks: one for each core.
    std::uint64_t tasks() const { return cores_per_process(); }
    std::uint64_t core_begin(unsigned c) const { return c; }
    template <class F>
    void run(std::uint64_t, F f) const {
      it_.groups_.here().for_each_slot([&](const auto& s) { f(element{s.key.text(), &s.value}); });
      it_.fields_.here().for_each_slot(
          [&](const auto& s) { f(element{distinct_hash::group_of(s.key.text()), &it_.one_}); });
    }

   private:
    friend class groups_and_fields;
    groups_and_fields it_;
  };

  groups_and_fields() = default;
  groups_and_fields(per_core<Groups> groups, per_core<Fields> fields, const Row& one)
      : groups_(groups), fields_(fields), one_(one) {}

  void open(per_process<share> shares) const {
    on_all_processes([shares, it = *this] { shares.here().it_ = it; });
  }

 private:
  per_core<Groups> groups_;
  per_core<Fields> fields_;
  Row one_{};
};

}  // namespace gossamer::tables
