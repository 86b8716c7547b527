#pragma once
// Arrow streams in capsules, as __arrow_c_stream__ gives them (the Arrow PyCapsule interface).

#include <nanobind/nanobind.h>

#include <vector>

#include "arrow_result.hpp"
#include "arrow_table.hpp"

namespace gossamer::python {

/// Reads the stream of a capsule; the caller owns the table. Without the GIL meanwhile: producers in Python take it themselves, others
/// may compute in threads that want it. Throws nanobind's type_error for another object, value_error for a stream that was read.
arrow_table* read_capsule(const nanobind::object& capsule);

/// Returns a capsule with the columns, which have the same number of rows.
nanobind::object capsule_of(std::vector<result_column> columns);

}  // namespace gossamer::python
