// Lines, records and elements of global arrays as inputs: each is mapped once, unchanged; errors name the
// problem of a file.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <map>
#include <string>

#include "gossamer/files/line_input.hpp"
#include "gossamer/files/record_input.hpp"
#include "gossamer/files/scanned_input.hpp"
#include "gossamer/mapreduce/array_input.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/compressed.hpp"
#include "support/map_reduce_results.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

template <class Job>
void on_topologies(Job job) {
  for (const unsigned cores : {1U, 2U, 5U}) run(job_options{.cores = cores}, job);
  for (const char* cluster :
       {"processes=2 cores=2 seed=1", "processes=3 cores=1 network=qdr faults=all seed=2"}) {
    job_options o;
    o.simulate = simulation::options::parse(cluster);
    run(o, job);
  }
}

/// Returns lines of all lengths, some empty, some with CR LF, and the counts of an oracle.
std::string random_lines(std::uint64_t seed, unsigned lines,
                         std::map<std::string, std::uint64_t, std::less<>>& counts) {
  xoshiro256 draw(seed);
  std::string text;
  for (unsigned i = 0; i < lines; ++i) {
    const std::string line(draw() % 3 == 0 ? 0 : draw() % 50, static_cast<char>('a' + draw() % 3));
    ++counts[line];
    text += line + (draw() % 4 == 0 ? "\r\n" : "\n");
  }
  return text;
}

/// Counts lines; "bad" is an error.
auto count_lines(std::vector<std::string> paths) {
  return map_reduce<std::string_view, std::uint64_t>(line_input(std::move(paths)),
                                                     [](const text_line& line, auto& out) {
                                                       if (line.text == "bad") fail_at(line, "expected good");
                                                       out.emit(line, 1);
                                                     });
}

TEST(LineInput, GivesEveryLineOnce) {
  const test::temporary_folder folder;
  const std::uint64_t seed = test::any_map_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::map<std::string, std::uint64_t, std::less<>> expected;
  folder.plant("plain", random_lines(seed, 20'000, expected) + "an open end");
  folder.plant("packed.gz", test::gzipped(random_lines(seed + 1, 5'000, expected)));
  folder.plant("empty", "");
  ++expected["an open end"];
  on_topologies([&] {
    test::expect_result(count_lines({folder / "plain", folder / "empty", folder / "packed.gz"}), expected);
  });
}

TEST(LineInput, CompressedStandardInputBelongsToProcessZero) {
  const test::temporary_folder folder;
  std::map<std::string, std::uint64_t, std::less<>> expected{{"a", 1}, {"b", 1}, {"c", 1}, {"input", 1}};
  for (const char* name : {"a", "b", "c"}) folder.plant(name, test::gzipped(std::string(name) + "\n"));
  folder.plant("input", test::gzipped("input\n"));
  ASSERT_NE(std::freopen((folder / "input").c_str(), "r", stdin), nullptr);
  on_topologies(
      [&] { test::expect_result(count_lines({folder / "a", "-", folder / "b", folder / "c"}), expected); });
}

TEST(LineInput, AProblemIsNamedByFileAndLine) {
  const test::temporary_folder folder;
  std::string text;
  for (unsigned i = 1; i <= 30'000; ++i) text += i == 20'001 ? "bad\n" : "good\n";
  folder.plant("lines", text);
  run(job_options{.cores = 2}, [&] {
    try {
      (void)count_lines({folder / "lines"});
      ADD_FAILURE() << "no error";
    } catch (const error& e) {
      EXPECT_EQ(std::string(e.what()), folder / "lines" + ":20001: expected good");
    }
  });
}

struct measurement {
  std::uint32_t station;
  std::int32_t value;
  char unit[4];
};

std::string bytes_of(const std::vector<measurement>& all) {
  return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(measurement)};
}

auto sums_of(const record_input<measurement>& input) {
  return map_reduce<std::uint32_t, std::int64_t>(input, [](const measurement& m, auto& out) {
    out.emit(m.station, m.unit[2] == 'K' ? m.value : 1 << 20);
  });
}

TEST(RecordInput, GivesEveryRecordOnce) {
  const test::temporary_folder folder;
  const std::uint64_t seed = test::any_map_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::map<std::uint32_t, std::int64_t> expected;
  std::vector<measurement> all;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t draw = hash64(i ^ seed);
    all.push_back({static_cast<std::uint32_t>(draw % 100), static_cast<std::int32_t>(draw >> 33), "mmK"});
    expected[all.back().station] += all.back().value;
  }
  const auto middle = all.begin() + 70'001;
  folder.plant("one", bytes_of({all.begin(), middle}));
  folder.plant("two", bytes_of({middle, all.end()}));
  folder.plant("none", "");
  on_topologies([&] {
    test::expect_result(sums_of(record_input<measurement>({folder / "one", folder / "none", folder / "two"})),
                        expected);
  });
}

TEST(RecordInput, AFileWithAnIncompleteRecordIsNamed) {
  const test::temporary_folder folder;
  folder.plant("whole", std::string(24, 'x'));
  folder.plant("cut", std::string(25, 'x'));
  const auto error_of = [&](const std::string& path) {
    std::string found = "none";
    run(job_options{.cores = 2}, [&] {
      try {
        (void)sums_of(record_input<measurement>({folder / "whole", path}));
      } catch (const error& e) {
        found = e.what();
      }
    });
    return found;
  };
  EXPECT_EQ(error_of(folder / "cut"),
            folder / "cut" + ": expected whole records of 12 bytes, found 25 bytes: 2 and 1 more");
  EXPECT_EQ(error_of("/nowhere"), "cannot read /nowhere: No such file or directory");
  EXPECT_EQ(error_of(""), "expected the name of a file, found an empty one");
}

/// Returns the length of a record, which begins with it: two bytes, and as many bytes after them as they say.
struct counted_bytes {
  std::uint64_t operator()(std::string_view rest) const {
    if (rest.size() < 2) return 2;
    return 2 + static_cast<unsigned char>(rest[0]) + 256 * static_cast<unsigned char>(rest[1]);
  }
};

/// Returns records of all lengths, a few of them longer than a chunk, whose bytes resemble heads of other
/// records.
std::string counted_records(std::uint64_t seed, unsigned records,
                            std::map<std::string, std::uint64_t, std::less<>>& counts) {
  xoshiro256 draw(seed);
  std::string bytes;
  for (unsigned i = 0; i < records; ++i) {
    const std::size_t n = draw() % 900 == 0 ? 20'000 + draw() % 40'000 : draw() % 60;
    const std::string body(n, static_cast<char>(draw() % 4));
    ++counts[body];
    bytes += {static_cast<char>(n % 256), static_cast<char>(n / 256)};
    bytes += body;
  }
  return bytes;
}

auto count_records(std::vector<std::string> paths) {
  return map_reduce<std::string_view, std::uint64_t>(
      scanned_input(std::move(paths), counted_bytes()), [](const scanned_record& record, auto& out) {
        const std::string_view text = record.from->text();
        const bool in_place = text.substr(record.begin, record.bytes.size()).data() == record.bytes.data();
        out.emit(record.bytes.substr(2), in_place ? 1 : 1 << 20);
      });
}

TEST(ScannedInput, GivesEveryRecordOnce) {
  const test::temporary_folder folder;
  const std::uint64_t seed = test::any_map_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::map<std::string, std::uint64_t, std::less<>> expected;
  folder.plant("one", counted_records(seed, 20'000, expected));
  folder.plant("two", counted_records(seed + 1, 3, expected));
  folder.plant("none", "");
  on_topologies([&] {
    test::expect_result(count_records({folder / "one", folder / "none", folder / "two"}), expected);
    test::expect_result(count_records({folder / "none"}), std::map<std::string, std::uint64_t>());
  });
}

TEST(ScannedInput, ACutRecordIsNamed) {
  const test::temporary_folder folder;
  std::map<std::string, std::uint64_t, std::less<>> counts;
  const std::string whole = counted_records(1, 4'000, counts);
  folder.plant("whole", whole);
  folder.plant("cut", whole + std::string("\7\0abc", 5));
  folder.plant("half a head", whole + "x");
  const auto error_of = [&](const std::string& path) {
    std::string found = "none";
    run(job_options{.cores = 2}, [&] {
      try {
        (void)count_records({folder / "whole", path});
      } catch (const error& e) {
        found = e.what();
      }
    });
    return found;
  };
  EXPECT_EQ(error_of(folder / "cut"),
            fmt::format("{}: expected a whole record at byte {}, found one of 9 bytes, with 5 left",
                        folder / "cut", whole.size()));
  EXPECT_EQ(error_of(folder / "half a head"),
            fmt::format("{}: expected a whole record at byte {}, found one of 2 bytes, with 1 left",
                        folder / "half a head", whole.size()));
  EXPECT_EQ(error_of("/nowhere"), "cannot read /nowhere: No such file or directory");
}

TEST(ArrayInput, GivesEachElementToItsOwner) {
  on_topologies([] {
    constexpr std::uint64_t k_n = 50'003;
    std::map<std::uint64_t, std::uint64_t> expected;
    for (std::uint64_t i = 0; i < k_n; ++i) expected[hash64(i) % 1000] += i;
    for (const distribution& d : {block, block_cyclic(64), hashed()})
      for (const engine by : test::k_engines) {
        const scoped_array<std::uint64_t> owned(k_n, d);
        const array<std::uint64_t> a = owned.handle();
        forall(a, [](std::uint64_t i, std::uint64_t& e) { e = hash64(i); });
        const scoped_per_core<std::uint64_t> strangers;
        const auto found = map_reduce<std::uint64_t, std::uint64_t>(
            array_input(a),
            [a, strangers = strangers.handle()](const array_element<std::uint64_t>& e, auto& out) {
              if (a.owner(e.index) != here()) ++strangers.here();
              out.emit(e.value % 1000, e.index);
            },
            std::plus<>{}, {.progress = {}, .engine = by});
        test::expect_result(found, expected);
        EXPECT_EQ(strangers.fold(std::uint64_t{0}, std::plus<>()), 0U);
      }
  });
}

}  // namespace
}  // namespace gossamer
