#include "gossamer/files/same_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/io/checksum.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::files {
namespace {

/// The properties of a file that processes compare.
struct file_facts {
  std::uint64_t bytes = 0, sample = 0;
  bool operator==(const file_facts&) const = default;
};

/// The files of a process.
struct seen_files {
  std::string names;  // each followed by a zero byte
  std::vector<file_facts> facts;
};

/// Hashes some pages, including the first and the last: no process reads all of a file.
file_facts facts_of(const std::string& path) {
  constexpr std::size_t k_samples = 8, k_sample_bytes = 4096;
  const machine::mapped_file file(path);
  const auto all = file.bytes();
  const std::size_t last = all.size() - std::min(all.size(), k_sample_bytes);
  std::uint64_t sample = 0;
  for (std::size_t i = 0; i < k_samples; ++i) {
    const std::size_t at = last / (k_samples - 1) * i;
    sample = hash64(sample, io::checksum(all.subspan(at, std::min(k_sample_bytes, all.size() - at))));
  }
  sample = hash64(sample, io::checksum(all.subspan(last)));
  return {all.size(), sample};
}

void read_facts(seen_files& mine) {
  for (std::size_t at = 0; at < mine.names.size();) {
    const std::string path = mine.names.substr(at, mine.names.find('\0', at) - at);
    at += path.size() + 1;
    mine.facts.push_back(facts_of(path));
  }
}

/// Checks the files in a process other than the first, which could read them.
void check_in_process(seen_files& mine) {
  try {
    read_facts(mine);
  } catch (const error& why) {
    throw error(fmt::format("{}: {}", fabric::process_name(process()), why.what()));
  }
}

[[noreturn]] void refuse(const std::string& path, const file_facts& first, const file_facts& other,
                         unsigned p) {
  const std::string expected = fmt::format("{}: expected the same file in every process", path);
  const std::string there = fabric::process_name(p), here = fabric::process_name(0);
  if (other.bytes == first.bytes)
    throw error(fmt::format("{}, found other bytes in {} than in {}", expected, there, here));
  throw error(
      fmt::format("{}, found {} bytes in {} and {} in {}", expected, first.bytes, here, other.bytes, there));
}

/// Compares the files of all processes. Collective over the processes, inside on_all_processes().
void compare(const seen_files& mine) {
  file_facts sum;
  for (const file_facts& one : mine.facts)
    sum = {sum.bytes + one.bytes, hash64(sum.sample, hash64(one.bytes, one.sample))};
  const auto sums = all_gather_processes(sum);
  if (std::ranges::all_of(sums, [&](const file_facts& other) { return other == sums[0]; })) return;
  for (std::size_t i = 0, at = 0; i < mine.facts.size(); ++i) {
    const std::string path = mine.names.substr(at, mine.names.find('\0', at) - at);
    at += path.size() + 1;
    const auto all = all_gather_processes(mine.facts[i]);
    for (unsigned p = 1; p < all.size(); ++p)
      if (all[p] != all[0]) refuse(path, all[0], all[p], p);
  }
}

}  // namespace

void require_same_files(const std::vector<std::string>& paths) {
  if (processes() == 1) return;
  const scoped_per_process<seen_files> owner;
  const auto all = owner.handle();
  for (const std::string& path : paths)
    if (path != "-") all.here().names.append(path).push_back('\0');
  read_facts(all.here());
  share_text(all, &seen_files::names);
  on_all_processes([all] {
    if (process() != 0) check_in_process(all.here());
  });
  on_all_processes([all] { compare(all.here()); });
}

}  // namespace gossamer::files
