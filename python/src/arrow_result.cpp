#include "arrow_result.hpp"

#include <cerrno>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

namespace gossamer::python {
namespace {

using columns = std::shared_ptr<const std::vector<result_column>>;
constexpr std::int64_t k_nullable =
    2;  // as most producers say, so that tables of several sources may be joined

/// What a schema or an array refers to: its memory, its children. Belongs to it until it is released. Releases the children, but
/// not those that the consumer has taken.
template <class Node>
struct kept {
  explicit kept(columns of) : all(std::move(of)) {}
  kept(kept&&) noexcept = default;
  ~kept() {
    for (Node& child : children)
      if (child.release != nullptr) child.release(&child);
  }

  columns all;
  std::vector<const void*> buffers;
  std::vector<Node> children;
  std::vector<Node*> pointers;
};

/// Gives a node what it refers to.
template <class Node>
Node with(Node node, kept<Node> what) {
  auto* const mine = new kept<Node>(std::move(what));
  for (Node& child : mine->children) mine->pointers.push_back(&child);
  node.n_children = static_cast<std::int64_t>(mine->children.size());
  node.children = mine->pointers.data();
  node.release = [](Node* released) {
    delete static_cast<kept<Node>*>(released->private_data);
    released->release = nullptr;
  };
  node.private_data = mine;
  return node;
}

arrow_array array_with(std::int64_t length, kept<arrow_array> what) {
  arrow_array a{};
  a.length = length;
  a.n_buffers = static_cast<std::int64_t>(what.buffers.size());
  a.buffers = what.buffers.data();  // stay there: vectors are moved
  return with(a, std::move(what));
}

arrow_schema schema_with(const char* format, const char* name, kept<arrow_schema> what) {
  arrow_schema s{};
  s.format = format;
  s.name = name;
  s.flags = k_nullable;
  return with(s, std::move(what));
}

arrow_schema schema_of(const columns& all) {
  constexpr const char* k_formats[] = {"l", "g", "U"};  // in the order of result_column::values
  kept<arrow_schema> fields(all);
  for (const result_column& c : *all)
    fields.children.push_back(schema_with(c.format.empty() ? k_formats[c.values.index()] : c.format.c_str(),
                                          c.name.c_str(), kept<arrow_schema>(all)));
  return schema_with("+s", "", std::move(fields));
}

arrow_array array_of_column(const columns& all, const result_column& c) {
  kept<arrow_array> memory(all);
  memory.buffers.push_back(c.valid.empty() ? nullptr : c.valid.data());
  if (const auto* const texts = std::get_if<result_texts>(&c.values)) {
    memory.buffers.push_back(texts->offsets.data());
    memory.buffers.push_back(texts->bytes.data());
  } else if (const auto* const integers = std::get_if<std::vector<std::int64_t>>(&c.values)) {
    memory.buffers.push_back(integers->data());
  } else {
    memory.buffers.push_back(std::get<std::vector<double>>(c.values).data());
  }
  arrow_array array = array_with(c.size(), std::move(memory));
  array.null_count = c.nulls;
  return array;
}

arrow_array array_of_rows(const columns& all) {
  kept<arrow_array> rows(all);
  rows.buffers.push_back(nullptr);
  for (const result_column& c : *all) rows.children.push_back(array_of_column(all, c));
  return array_with(all->empty() ? 0 : all->front().size(), std::move(rows));
}

/// What a stream refers to.
struct source {
  columns all;
  bool given = false;
};

source& source_of(arrow_array_stream* stream) { return *static_cast<source*>(stream->private_data); }

/// Calls f. Returns 0, or what the interface says of memory that is short.
template <class F>
int guarded(F f) {
  try {
    f();
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

}  // namespace

std::int64_t result_column::size() const {
  if (const auto* const texts = std::get_if<result_texts>(&values)) return std::ssize(texts->offsets) - 1;
  if (const auto* const integers = std::get_if<std::vector<std::int64_t>>(&values))
    return std::ssize(*integers);
  return std::ssize(std::get<std::vector<double>>(values));
}

void result_column::set_null(std::int64_t row) {
  if (valid.empty()) valid.assign(static_cast<std::size_t>((size() + 7) / 8), 0xff);
  std::uint8_t& bits = valid[static_cast<std::size_t>(row / 8)];
  const auto bit = static_cast<std::uint8_t>(1U << (row % 8));
  nulls += (bits & bit) != 0 ? 1 : 0;
  bits = static_cast<std::uint8_t>(bits & ~bit);
}

arrow_array_stream stream_of(std::vector<result_column> all) {
  arrow_array_stream s{};
  s.get_schema = [](arrow_array_stream* stream, arrow_schema* out) {
    return guarded([&] { *out = schema_of(source_of(stream).all); });
  };
  s.get_next = [](arrow_array_stream* stream, arrow_array* out) {
    *out = {};
    source& from = source_of(stream);
    if (from.given) return 0;
    const int result = guarded([&] { *out = array_of_rows(from.all); });
    from.given = result == 0;
    return result;
  };
  s.get_last_error = [](arrow_array_stream*) -> const char* { return "memory is short"; };
  s.release = [](arrow_array_stream* stream) {
    delete &source_of(stream);
    stream->release = nullptr;
  };
  s.private_data = new source{std::make_shared<const std::vector<result_column>>(std::move(all))};
  return s;
}

}  // namespace gossamer::python
