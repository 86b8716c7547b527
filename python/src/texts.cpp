#include "texts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer::python {

namespace nb = nanobind;
namespace {

PyObject* decoded(std::string_view bytes, const char* errors) {
  return PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), errors);
}

[[noreturn]] void refuse(nb::handle text, std::string_view column, std::size_t row) {
  throw nb::value_error(fmt::format("column {}, row {}: expected UTF-8, which Arrow's texts are, found {}",
                                    column, row, nb::repr(text).c_str())
                            .c_str());
}

}  // namespace

nb::object text_of(std::string_view bytes) {
  PyObject* const text = decoded(bytes, "surrogateescape");
  if (text == nullptr) throw nb::python_error();
  return nb::steal(text);
}

void check_utf8(std::string_view bytes, std::string_view column, std::size_t row) {
  if (std::ranges::all_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return;
  if (nb::steal(decoded(bytes, nullptr)).is_valid()) return;
  PyErr_Clear();
  refuse(text_of(bytes), column, row);
}

std::string_view utf8_of(nb::handle text, std::string_view column, std::size_t row) {
  Py_ssize_t size = 0;
  if (const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size))
    return {bytes, static_cast<std::size_t>(size)};
  if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw nb::python_error();
  PyErr_Clear();
  refuse(text, column, row);
}

}  // namespace gossamer::python
