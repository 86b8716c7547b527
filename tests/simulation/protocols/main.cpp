// protocols PROTOCOL... [SEED | FIRST..LAST] [--until K] [--trace FILE] [--plain] [--find]
//
// Runs protocols ("all") under seeds: those of GOSSAMER_SEEDS, else 1..1000, after the known ones. Ends with
// 1 at the first failure. --find is for variants that are broken on purpose: ends with 1 where no seed fails,
// or where most plain runs do.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "known_seeds.hpp"
#include "sweep.hpp"
#include "workloads.hpp"

namespace gossamer::test {

std::span<const protocol> protocols() {
  static const protocol all[] = {completion,   stealing,  flow_control, matching,     collective, frozen_view,
                                 stall_report, fork_join, transfers,    mpi_messages, progress};
  return all;
}

namespace {

struct asked {
  std::vector<const protocol*> what;
  std::uint64_t first = 1, last = 1000;
  manner how;
  bool find = false;
  bool one = false;  // a single seed
  std::string program;
};

std::uint64_t number(std::string_view text) {
  return *options([text](std::string_view) { return std::optional<std::string>(text); }).number("a seed");
}

void take_seeds(asked& a, std::string_view text) {
  const auto dots = text.find("..");
  a.first = number(text.substr(0, dots));
  a.last = dots == text.npos ? a.first : number(text.substr(dots + 2));
  a.one = dots == text.npos;
}

void take_protocol(asked& a, std::string_view name) {
  const std::size_t before = a.what.size();
  for (const protocol& p : protocols())
    if (name == p.name || name == "all") a.what.push_back(&p);
  if (a.what.size() != before) return;
  std::string known = "all";
  for (const protocol& p : protocols()) known += fmt::format(", {}", p.name);
  throw error(fmt::format("expected a protocol ({}) or seeds, found \"{}\"", known, name));
}

asked read(int argc, char** argv) {
  asked a;
  a.program = argv[0];
  if (const char* given = std::getenv("GOSSAMER_SEEDS")) take_seeds(a, given);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--until" && more)
      a.how.until = number(argv[++i]);
    else if (word == "--trace" && more)
      a.how.trace = argv[++i];
    else if (word == "--plain")
      a.how.plain = true;
    else if (word == "--find")
      a.find = true;
    else if (word.find_first_not_of("0123456789.") == word.npos)
      take_seeds(a, word);
    else
      take_protocol(a, word);
  }
  if (a.what.empty()) throw error("expected a protocol, or all");
  return a;
}

int failed(const asked& a, const protocol& p, const seed_failure& f) {
  if (a.one)
    std::printf("%s: seed %llu failed: %s\n%s", p.name, static_cast<unsigned long long>(f.seed),
                f.what.c_str(), f.errors.c_str());
  else
    std::printf("%s", report(p, f, a.program).c_str());
  return 1;
}

/// Runs the seeds. Prints a line now and then, so that a user sees where to go on.
int sweep(const asked& a, const protocol& p) {
  constexpr std::uint64_t k_at_once = 1000, k_seconds = 10;
  using clock = std::chrono::steady_clock;
  if (!a.one)
    for (const known_seed& k : known_seeds())
      if (std::string_view(k.protocol) == p.name)
        if (const auto f = first_failure(p, k.seed, k.seed, {.until = k.until})) return failed(a, p, *f);
  const auto start = clock::now();
  auto said = start;
  for (std::uint64_t first = a.first; first <= a.last; first += k_at_once) {
    const std::uint64_t last = std::min(a.last, first + k_at_once - 1);
    if (const auto f = first_failure(p, first, last, a.how)) return failed(a, p, *f);
    const auto now = clock::now();
    if (last != a.last && now - said < std::chrono::seconds(k_seconds)) continue;
    said = now;
    std::printf("%s: seeds %llu..%llu passed, %.1f s\n", p.name, static_cast<unsigned long long>(a.first),
                static_cast<unsigned long long>(last), std::chrono::duration<double>(now - start).count());
    std::fflush(stdout);
  }
  return 0;
}

int find(const asked& a, const protocol& p) {
  constexpr std::uint64_t k_plain = 20, k_may_fail = 10;
  std::uint64_t plainly = 0;
  for (std::uint64_t seed = 1; seed <= k_plain; ++seed)
    plainly += first_failure(p, seed, seed, {.plain = true}).has_value();
  std::printf("%s: %llu of %llu plain runs fail\n", p.name, static_cast<unsigned long long>(plainly),
              static_cast<unsigned long long>(k_plain));
  const auto f = first_failure(p, a.first, a.last, a.how);
  if (!f) {
    std::printf("%s: none of seeds %llu..%llu has found it\n", p.name,
                static_cast<unsigned long long>(a.first), static_cast<unsigned long long>(a.last));
    return 1;
  }
  std::printf("%s: found after %llu seeds: %s\n", p.name,
              static_cast<unsigned long long>(f->seed - a.first + 1), f->what.c_str());
  return plainly > k_may_fail ? 1 : 0;
}

int run(int argc, char** argv) {
  const asked a = read(argc, argv);
  for (const protocol* p : a.what)
    if (const int code = a.find ? find(a, *p) : sweep(a, *p)) return code;
  return 0;
}

}  // namespace
}  // namespace gossamer::test

int main(int argc, char** argv) {
  try {
    return gossamer::test::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
