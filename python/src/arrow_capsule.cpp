#include "arrow_capsule.hpp"

#include <memory>
#include <utility>

#include "gil.hpp"

namespace gossamer::python {

namespace nb = nanobind;
namespace {

constexpr const char* k_name = "arrow_array_stream";

}  // namespace

arrow_table* read_capsule(const nb::object& capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), k_name) == 0)
    throw nb::type_error("expected a capsule with an Arrow stream from __arrow_c_stream__");
  auto* const stream = static_cast<arrow_array_stream*>(PyCapsule_GetPointer(capsule.ptr(), k_name));
  if (stream->release == nullptr) throw nb::value_error("the Arrow stream has been read already");
  const gil_release others;
  return new arrow_table(*stream);
}

nb::object capsule_of(std::vector<result_column> columns) {
  auto stream = std::make_unique<arrow_array_stream>(stream_of(std::move(columns)));
  return nb::capsule(stream.release(), k_name, [](void* p) noexcept {
    const std::unique_ptr<arrow_array_stream> last(static_cast<arrow_array_stream*>(p));
    if (last->release != nullptr) last->release(last.get());
  });
}

}  // namespace gossamer::python
