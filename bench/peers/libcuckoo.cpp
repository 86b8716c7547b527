// libcuckoo's map, sized so that it never grows.

#include <libcuckoo/cuckoohash_map.hh>

#include "peers/matching.hpp"

namespace gossamer::bench {
namespace {

struct hasher {
  std::size_t operator()(std::uint64_t key) const { return hash64(key); }
};

class map {
 public:
  bool insert(std::uint64_t key, void* value) { return map_.insert(key, value); }
  void* take(std::uint64_t key) {
    void* value = nullptr;
    map_.erase_fn(key, [&](void*& found) {
      value = found;
      return true;
    });
    return value;
  }

 private:
  libcuckoo::cuckoohash_map<std::uint64_t, void*, hasher> map_{k_matching_slots};
};

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  run_matchings<map>("libcuckoo", a);
}
