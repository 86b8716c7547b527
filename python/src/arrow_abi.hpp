#pragma once
// The structs of the Arrow C data interface and its stream, as its specification lays them out: tables of pandas, Polars, DuckDB and
// PyArrow come as these. No dependency: the layout is the interface.

#include <cstdint>

namespace gossamer::python {

/// The type of a column, or of a table: its children are the columns.
struct arrow_schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  arrow_schema** children;
  arrow_schema* dictionary;
  void (*release)(arrow_schema*);
  void* private_data;
};

/// Values of a column, or some rows of a table.
struct arrow_array {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  arrow_array** children;
  arrow_array* dictionary;
  void (*release)(arrow_array*);
  void* private_data;
};

/// Rows that come one array after another.
struct arrow_array_stream {
  int (*get_schema)(arrow_array_stream*, arrow_schema* out);
  int (*get_next)(arrow_array_stream*, arrow_array* out);
  const char* (*get_last_error)(arrow_array_stream*);
  void (*release)(arrow_array_stream*);
  void* private_data;
};

}  // namespace gossamer::python
