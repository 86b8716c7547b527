// boost::lockfree's stack and queue as packet pools, of fixed size, so that they never allocate.

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <memory>

#include "peers/pool.hpp"
#include "peers/structures.hpp"

namespace gossamer::bench {
namespace {

template <class Container>
struct pool {
  explicit pool(std::size_t) {}
  struct handle {
    Container& packets;
    explicit handle(pool& p) : packets(p.packets) {}
    bool get(packet*& p) { return packets.pop(p); }
    void put(packet* p) { packets.bounded_push(p); }
  };
  Container packets;
};

using capacity = boost::lockfree::capacity<k_pool_packets>;
using stack = pool<boost::lockfree::stack<packet*, capacity>>;
using queue = pool<boost::lockfree::queue<packet*, capacity>>;

/// Grows as it needs to.
class shared_stack {
 public:
  void put(std::uint64_t value) { stack_.push(value); }
  bool take(std::uint64_t& value) { return stack_.pop(value); }

 private:
  boost::lockfree::stack<std::uint64_t> stack_{1024};
};

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  if (a.bench == "structures") run_sequence<shared_stack>("Boost.Lockfree stack", structure::stack, a.asked);
  run_pools<stack>("Boost.Lockfree stack", a);
  run_pools<queue>("Boost.Lockfree queue", a);
}
