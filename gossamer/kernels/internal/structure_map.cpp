// gossamer structures: requests to a map.

#include "gossamer/combining/hash_map.hpp"
#include "gossamer/kernels/internal/structure_keys.hpp"

namespace gossamer::kernels {
namespace {

template <class Value>
struct map_ends {
  using handle = hash_map<std::uint64_t, Value>;
  static bool put(const handle& at, std::uint64_t key) { return at.insert(key, Value::of(~key)); }
  struct prepared {
    std::vector<std::uint64_t> keys;
    std::vector<Value> values;

    void complete() {
      values.reserve(keys.size());
      for (const std::uint64_t key : keys) values.push_back(Value::of(~key));
    }
    void put_into(handle at) const { at.insert_all(keys, values); }
  };
  static void stage(const handle& at, std::uint64_t key) { at.stage(key, Value::of(~key)); }
  static bool read(const frozen_hash_map<std::uint64_t, Value>& at, std::uint64_t key) {
    const auto found = at.lookup(key);
    return !found || right(key, *found);
  }
  static void put_all(handle at, const std::vector<std::uint64_t>& keys) {
    prepared all{keys, {}};
    all.complete();
    all.put_into(at);
  }
  static void erase_all(handle at, const std::vector<std::uint64_t>& keys) { at.erase_all(keys); }
  static bool erase(const handle& at, std::uint64_t key) { return at.erase(key); }
  static bool get(const handle& at, std::uint64_t key) {
    const auto found = at.lookup(key);
    return !found || right(key, *found);
  }
  static bool right(std::uint64_t key, const Value& v) { return v.first() == ~key && v.whole(); }
};

}  // namespace

structure_result ask_map(const structure_work& w) {
  return with_payload(w, [&]<std::uint64_t Bytes>() {
    using value = payload<Bytes>;
    return ask_keys<scoped_hash_map<std::uint64_t, value>, map_ends<value>>(w);
  });
}

}  // namespace gossamer::kernels
