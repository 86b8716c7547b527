#pragma once
// Checks groups by a serial method of its own: records by a reader that looks at one character after the other.

#include "gossamer/base/check.hpp"
#include "gossamer/tables/group_by.hpp"

namespace gossamer::cli {

/// Groups the files again by one thread, and compares. In the form that
/// the query gives; integers must be equal, others to 12 digits.
check check_groups(const group_query& query, const grouped_rows& groups);

}  // namespace gossamer::cli
