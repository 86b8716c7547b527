#include "gossamer/graph/formats/internal/json_object.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace gossamer::graph {
namespace {

/// Receives the values of the keys of the outermost object from the parser. The parser keeps no integer
/// beyond 64 bits, but passes its text.
class values_by_key final : public nlohmann::json_sax<nlohmann::json> {
 public:
  values_by_key(const std::array<std::string, 3>& keys, const std::array<std::string*, 3>& values)
      : keys_(keys), values_(values) {}

  bool is_object() const { return is_object_; }
  bool has_other_kind() const { return other_kind_[0] || other_kind_[1] || other_kind_[2]; }

  bool null() override { return take({}); }
  bool boolean(bool) override { return refuse(); }
  bool number_integer(number_integer_t n) override { return take(std::to_string(n)); }
  bool number_unsigned(number_unsigned_t n) override { return take(std::to_string(n)); }
  bool number_float(number_float_t x, const string_t& written) override {
    constexpr double k_exact = 9007199254740992;  // integers up to this one are exact
    if (written.find_first_of(".eE") == std::string::npos) return take(written);
    if (std::abs(x) <= k_exact && x == std::trunc(x))
      return take(std::to_string(static_cast<std::int64_t>(x)));
    return take(nlohmann::json(x).dump());
  }
  bool string(string_t& text) override { return take(std::move(text)); }
  bool binary(binary_t&) override { return refuse(); }
  bool start_object(std::size_t) override {
    is_object_ = is_object_ || depth_ == 0;
    return begin();
  }
  bool key(string_t& name) override {
    if (depth_ == 1) key_ = std::move(name);
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool begin() {
    if (depth_ == 1) refuse();
    ++depth_;
    return true;
  }
  bool end() {
    --depth_;
    return true;
  }
  bool take(std::string text) {
    if (depth_ == 1) set(text, false);
    return true;
  }
  bool refuse() {
    if (depth_ == 1) set({}, true);
    return true;
  }
  void set(const std::string& text, bool other_kind) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].empty() || keys_[i] != key_) continue;
      *values_[i] = text;
      other_kind_[i] = other_kind;
    }
  }

  const std::array<std::string, 3>& keys_;
  const std::array<std::string*, 3>& values_;
  std::string key_;
  std::array<bool, 3> other_kind_{};
  unsigned depth_ = 0;
  bool is_object_ = false;
};

}  // namespace

problem read_object(std::string_view text, const std::array<std::string, 3>& keys,
                    const std::array<std::string*, 3>& values) {
  for (std::string* const value : values) value->clear();
  values_by_key found(keys, values);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &found) || !found.is_object())
    return problem::json;
  return found.has_other_kind() ? problem::columns : problem::none;
}

}  // namespace gossamer::graph
