// moodycamel::ConcurrentQueue as a packet pool, with a producer's and a consumer's token for each thread, as
// its documentation advises.

#include <concurrentqueue/concurrentqueue.h>

#include <memory>

#include "peers/pool.hpp"

namespace gossamer::bench {
namespace {

struct pool {
  using queue = moodycamel::ConcurrentQueue<packet*>;
  explicit pool(std::size_t capacity) : packets(capacity) {}
  struct handle {
    queue& packets;
    moodycamel::ProducerToken put_here;
    moodycamel::ConsumerToken get_here;
    explicit handle(pool& p) : packets(p.packets), put_here(p.packets), get_here(p.packets) {}
    bool get(packet*& p) { return packets.try_dequeue(get_here, p); }
    void put(packet* p) { packets.enqueue(put_here, p); }
  };
  queue packets;
};

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  run_pools<pool>("moodycamel queue", a);
}
