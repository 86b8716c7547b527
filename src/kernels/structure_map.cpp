#include "gossamer/combining/hash_map.hpp"
#include "structure_keys.hpp"

namespace gossamer::kernels {
namespace {

template <class Value>
struct ends {
  using handle = hash_map<std::uint64_t, Value>;
  static bool put(handle at, std::uint64_t key) { return at.insert(key, Value::of(~key)); }
  static bool erase(handle at, std::uint64_t key) { return at.erase(key); }
  static bool get(handle at, std::uint64_t key) {
    const auto found = at.lookup(key);
    return !found || right(key, *found);
  }
  static bool right(std::uint64_t key, const Value& v) { return v.first() == ~key && v.whole(); }
};

}  // namespace

structure_result ask_map(const structure_work& w) {
  return with_payload<k_most_map_payload>(w, [&]<std::uint64_t Bytes>() {
    using value = payload<Bytes>;
    return ask_keys<scoped_hash_map<std::uint64_t, value>, ends<value>>(w);
  });
}

}  // namespace gossamer::kernels
