#include "gossamer/combining/counter.hpp"

#include <utility>

namespace gossamer {

void combining::sum::commit(total_proxy at) { before = at.call(n, waiting() > 1); }

std::int64_t counter::fetch_add(std::int64_t n) const {
  auto mine = requests_.join();
  const std::int64_t offset = std::exchange(mine->n, mine->n + n);
  mine.wait();
  return mine->before + offset;
}

scoped_counter::scoped_counter(combine where) : total_(where), owned_(where, total_.handle()) {
  requests_ = owned_.handle();
}
scoped_counter::~scoped_counter() = default;

}  // namespace gossamer
