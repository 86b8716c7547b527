#pragma once
// What the kernel benchmarks share: their arguments (GRAPH CORES REPEATS), loading, and the one JSON line
// that each prints: kernel, graph, implementation, cores, unit, value, median, min, max, count, checked.
// `value` is what is compared: the median, or the harmonic mean of rates. A wrong answer ends the
// program with code 1 and no line.

#include <fmt/format.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::bench {

struct arguments {
  std::string graph = "kron:20";
  unsigned cores = 0;  // 0: as the runtime decides
  unsigned repeats = 5;
};

inline arguments parse(int argc, char** argv) {
  arguments a;
  if (argc > 1) a.graph = argv[1];
  if (argc > 2) a.cores = static_cast<unsigned>(std::atoi(argv[2]));
  if (argc > 3) a.repeats = std::max(1, std::atoi(argv[3]));
  return a;
}

struct outcome {
  const char* kernel;
  const char* implementation;
  const char* unit;            // "ms" or "MTEPS"
  std::vector<double> values;  // one per repetition
  double value = 0;            // 0: the median
};

inline void require(const check& c) {
  if (c.ok) return;
  fmt::print(stderr, "wrong answer: {}\n", c.reason);
  std::exit(1);
}

inline void print(const arguments& a, unsigned cores, outcome o) {
  std::ranges::sort(o.values);
  const std::size_t n = o.values.size();
  const double median = (o.values[n / 2] + o.values[(n - 1) / 2]) / 2;
  fmt::print(
      "{{\"kernel\": \"{}\", \"graph\": \"{}\", \"implementation\": \"{}\", \"cores\": {}, \"unit\": \"{}\", "
      "\"value\": {:.4g}, \"median\": {:.4g}, \"min\": {:.4g}, \"max\": {:.4g}, \"count\": {}, \"checked\": "
      "true}}\n",
      o.kernel, a.graph, o.implementation, cores, o.unit, o.value > 0 ? o.value : median, median,
      o.values.front(), o.values.back(), n);
}

/// Loads the graph, then measure(graph_view) in the main fiber of the same job; prints what it returns.
template <class Measure>
int run_gossamer(int argc, char** argv, Measure measure) {
  const arguments a = parse(argc, argv);
  try {
    job_options options = job_options::from_environment();
    if (a.cores > 0) options.cores = a.cores;
    run(options, [&] {
      const graph::graph g = graph::load(a.graph);
      print(a, cores(), measure(g.view(), a.repeats));
    });
  } catch (const error& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  }
  return 0;
}

#ifdef _OPENMP
/// Loads the graph in a job that ends before measure(graph_view) runs with OpenMP's threads.
template <class Measure>
int run_openmp(int argc, char** argv, Measure measure) {
  const arguments a = parse(argc, argv);
  try {
    graph::graph g;
    run(job_options{}, [&] { g = graph::load(a.graph); });
    if (a.cores > 0) omp_set_num_threads(static_cast<int>(a.cores));
    print(a, static_cast<unsigned>(omp_get_max_threads()), measure(g.view(), a.repeats));
  } catch (const error& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  }
  return 0;
}
#endif

}  // namespace gossamer::bench
