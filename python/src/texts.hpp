#pragma once
// Texts between the library, where they are bytes, and Python.

#include <nanobind/nanobind.h>

#include <string_view>

namespace gossamer::python {

/// Returns bytes as a Python text; those that are no UTF-8 survive, as os.fsdecode has them.
nanobind::object text_of(std::string_view bytes);

/// Throws nanobind's value_error where bytes are no UTF-8. `column` and `row` say where they stand.
void check_utf8(std::string_view bytes, std::string_view column, std::size_t row);

/// Returns the UTF-8 of a Python text, which keeps it. Throws as check_utf8() does, and python_error for what is no text.
std::string_view utf8_of(nanobind::handle text, std::string_view column, std::size_t row);

}  // namespace gossamer::python
