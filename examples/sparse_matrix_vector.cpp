// Sparse matrix times vector: solves A x = b by Jacobi's method. Rows belong to cores; the vector is frozen for each product, so
// that every core reads any element of it in place.
//   sparse_matrix_vector [ROWS]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <gossamer/gossamer.hpp>
#include <utility>
#include <vector>

namespace gs = gossamer;

constexpr std::uint64_t k_entries = 8;  // of a row beside the diagonal: -1 each

struct row {
  std::uint64_t columns[k_entries];
};

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  return gs::run(argc, argv, [n] {
    const gs::scoped_array<row> a(n);
    gs::forall(a.handle(), [n](std::uint64_t i, row& r) {
      for (std::uint64_t k = 0; k < k_entries; ++k) r.columns[k] = gs::hash64(i, k) % n;
    });
    // The diagonal is one more than the other entries of its row come to, and b is 1: so is each element of x.
    gs::scoped_array<double> x(n), next(n);
    int steps = 0;
    for (double change = 1; change > 1e-9; ++steps) {
      gs::forall(a.handle(), next.handle(), [old = x.freeze()](const row& r, double& value) {
        double sum = 1;
        for (const std::uint64_t column : r.columns) sum += old[column];
        value = sum / (k_entries + 1);
      });
      x.thaw();
      change = gs::forall(
          x.handle(), next.handle(), [](double before, double after) { return std::abs(after - before); },
          0.0, [](double p, double q) { return std::max(p, q); });
      std::swap(x, next);
    }
    const double worst = gs::forall(
        x.handle(), [](double value) { return std::abs(value - 1); }, 0.0,
        [](double p, double q) { return std::max(p, q); });
    gs::print("{} steps; no element is off by more than {}\n", steps, worst < 1e-7 ? "1e-7" : "it should");
  });
}
