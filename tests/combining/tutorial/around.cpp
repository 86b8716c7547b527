// What docs/combining.md builds step by step, used as a reader would.
#include "gossamer/gossamer.hpp"

namespace tutorial {
using namespace gossamer;

// <the blocks of docs/combining.md>

}  // namespace tutorial

int main(int argc, char** argv) {
  using gossamer::combine;
  return gossamer::run(argc, argv, [] {
    for (const combine where :
         {combine::off, combine::home, combine::local, combine::both, combine::automatic}) {
      tutorial::scoped_counter numbers(where);
      gossamer::forall(0, 1000, [n = numbers.handle()](std::uint64_t) { n.fetch_add(1); });
      if (numbers.fetch_add(0) != 1000) return 1;
    }
    return 0;
  });
}
