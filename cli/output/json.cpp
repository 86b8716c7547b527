#include "output/json.hpp"

#include <nlohmann/json.hpp>

namespace gossamer::cli {
namespace {

using json = nlohmann::ordered_json;

std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

json_object::json_object() : value_(std::make_unique<json>(json::object())) {}
json_object::~json_object() = default;
json_object::json_object(json_object&&) noexcept = default;
json_object& json_object::operator=(json_object&&) noexcept = default;

json& json_object::at(std::string_view path) {
  json* here = value_.get();
  for (std::size_t slash; (slash = path.find('/')) != path.npos; path.remove_prefix(slash + 1)) {
    here = &(*here)[std::string(path.substr(0, slash))];
  }
  return (*here)[std::string(path)];
}

void json_object::set(std::string_view path, std::uint64_t value) { at(path) = value; }
void json_object::set(std::string_view path, double value) { at(path) = value; }
void json_object::set(std::string_view path, bool value) { at(path) = value; }
void json_object::set(std::string_view path, std::string_view value) { at(path) = std::string(value); }
void json_object::set(std::string_view path, const std::vector<std::uint64_t>& values) { at(path) = values; }
void json_object::set_array(std::string_view path) { at(path) = json::array(); }

void json_object::set_label(std::string_view path, const label& value) {
  const auto* id = std::get_if<std::uint64_t>(&value);
  if (id && *id <= k_largest_json_integer) {
    set(path, *id);
  } else {
    set(path, std::string_view(label_text(value)));
  }
}

void json_object::set_key(std::string_view key,
                          const std::variant<std::monostate, std::int64_t, double, std::string>& value) {
  json& to = (*value_)[std::string(key)];
  std::visit(
      [&to](const auto& v) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::monostate>)
          to = nullptr;
        else
          to = v;
      },
      value);
}

void json_object::append(std::string_view path, json_object value) {
  at(path).push_back(std::move(*value.value_));
}

void json_object::append(std::string_view path, std::string_view text) {
  at(path).push_back(std::string(text));
}

void json_object::append(std::string_view path, double value) { at(path).push_back(value); }

void json_object::append_label(std::string_view path, const label& value) {
  const auto* id = std::get_if<std::uint64_t>(&value);
  if (id && *id <= k_largest_json_integer)
    at(path).push_back(*id);
  else
    append(path, std::string_view(label_text(value)));
}

std::optional<json_object> json_object::parse(std::string_view text) {
  json value = json::parse(text, nullptr, false);
  if (!value.is_object()) return {};
  json_object o;
  *o.value_ = std::move(value);
  return o;
}

std::optional<double> json_object::number(std::string_view path) const {
  const json* here = value_.get();
  for (bool more = true; more;) {
    const std::size_t slash = path.find('/');
    more = slash != path.npos;
    if (!here->is_object()) return {};
    const auto found = here->find(std::string(path.substr(0, slash)));
    if (found == here->end()) return {};
    here = &*found;
    if (more) path.remove_prefix(slash + 1);
  }
  return here->is_number() ? std::optional(here->get<double>()) : std::nullopt;
}

void json_object::set(std::string_view path, const json_object& value) { at(path) = *value.value_; }
void json_object::set_null(std::string_view path) { at(path) = nullptr; }

std::string json_object::text() const { return dump(*value_); }

std::string json_quoted(std::string_view raw) { return dump(json(std::string(raw))); }

}  // namespace gossamer::cli
