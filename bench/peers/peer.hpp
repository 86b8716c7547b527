#pragma once
// What the peers' programs share: their arguments (BENCH [--repeats N] [--cores N] [--table BYTES] [--quick]
// [--threads], and those of structures, as `gossamer bench` gives them) and their output, one JSON object a
// line: bench, case, peer, value, unit, spread, curve, x, checked. Cases and sizes are those of
// micro/cases.hpp. A wrong result ends the program with 1; a bench that the peer knows nothing of prints
// nothing.

#include <cstdlib>
#include <cstring>

#include "micro/cases.hpp"
#include "micro/measure.hpp"

namespace gossamer::bench {

struct peer_arguments {
  std::string bench;
  settings asked;
  bool with_threads = false;  // MPI: several threads a process
};

/// Reads an option of `gossamer bench structures`, with structures and modes by their numbers. Returns false
/// where it is no such option.
inline bool parse_request(std::string_view word, const char* value, requests& r) {
  const std::uint64_t n = std::strtoull(value, nullptr, 10);
  if (word == "--structure")
    r.structure = static_cast<unsigned>(n);
  else if (word == "--combining")
    r.where = static_cast<unsigned>(n);
  else if (word == "--puts")
    r.puts = static_cast<unsigned>(n);
  else if (word == "--erases")
    r.erases = static_cast<unsigned>(n);
  else if (word == "--keys")
    r.keys = n;
  else if (word == "--cells")
    r.cells = n;
  else if (word == "--fibers")
    r.fibers = n;
  else if (word == "--operations")
    r.operations = n;
  else if (word == "--payload")
    r.payload = n;
  else if (word == "--bulk")
    r.bulk = true;
  else
    return false;
  return true;
}

inline peer_arguments parse_peer(int argc, char** argv) {
  peer_arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0; };
    if (word == "--repeats")
      a.asked.repeats = std::max(1U, static_cast<unsigned>(number()));
    else if (word == "--cores")
      a.asked.cores = static_cast<unsigned>(number());
    else if (word == "--table")
      a.asked.table_bytes = number();
    else if (word == "--quick")
      a.asked.quick = true;
    else if (word == "--threads")
      a.with_threads = true;
    else if (!parse_request(word, i + 1 < argc ? argv[i + 1] : "", a.asked.asked))
      a.bench = word;
    else
      ++i;
  }
  return a;
}

inline void print_peer(std::string_view peer, const row& r) {
  if (!r.checked) {
    fmt::print(stderr, "{}: {}: a wrong result\n", r.bench, r.name);
    std::exit(1);
  }
  fmt::print(
      "{{\"bench\": \"{}\", \"case\": \"{}\", \"peer\": \"{}\", \"value\": {}, \"unit\": \"{}\", "
      "\"spread\": [{}, {}], \"curve\": {}, \"x\": {}, \"quartiles\": {}, \"checked\": true}}\n",
      r.bench, r.name, peer, json_number(r.value), r.unit, json_number(r.low), json_number(r.high),
      json_text(r.curve), json_number(r.x), json_quartiles(r));
  std::fflush(stdout);
}

}  // namespace gossamer::bench
