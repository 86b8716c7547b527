#pragma once
// Checks groups by an independent serial method, which reads records character by character.

#include "gossamer/base/check.hpp"
#include "gossamer/tables/group_by.hpp"

namespace gossamer::cli {

/// Groups the files again by one thread, and compares. Integers and texts must be equal; other numbers must
/// agree to 12 digits.
check check_groups(const group_query& query, const grouped_rows& groups);

}  // namespace gossamer::cli
