// A mistake that is found in every build: the sum is captured by reference.
#include <cstdint>
#include <gossamer/gossamer.hpp>

int main(int argc, char** argv) {
  return gossamer::run(argc, argv, [] {
    std::uint64_t sum = 0;
    gossamer::forall(0, 1000, [&sum](std::uint64_t i) { sum += i; });
  });
}
