#include "gossamer/graph/formats/internal/native.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/native_layout.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "gossamer/io/checksum.hpp"
#include "support/edge_files.hpp"
#include "support/memory_limit.hpp"

namespace gossamer::test {
namespace {

std::string native_file(const temporary_folder& folder, const std::string& source,
                        graph::load_options options = {}) {
  const std::string path = folder / "g.gsg";
  on_cores(2, [&] { graph::write(graph::load(source, options), path); });
  return path;
}

// The message for these bytes, without the folder.
std::string message_for(const temporary_folder& folder, const std::string& bytes) {
  const std::string path = folder.plant("bad.gsg", bytes);
  const std::string message = load_error(path);
  return message.starts_with(path + ": ") ? message.substr(path.size() + 2) : message;
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void reseal(std::string& bytes) { graph::reseal_native(std::as_writable_bytes(std::span(bytes))); }

TEST(Native, RoundTripsEveryKindOfGraph) {
  const temporary_folder folder;
  for (const std::string text :
       {"0 1\n1 2\n", "10 5\n5 900\n7 7\n", "a b\nb c\na b\n", "12345678901234567 3\n"}) {
    for (const auto how : {graph::direction::directed, graph::direction::undirected}) {
      graph::load_options o;
      o.how = how;
      const std::string source = folder.plant("g.txt", text);
      const std::string path = native_file(folder, source, o);
      EXPECT_EQ(load_labelled(path, 2), load_labelled(source, 2, o)) << text;
    }
  }
  EXPECT_EQ(load_labelled(native_file(folder, "kron:12"), 3), load_labelled("kron:12", 3));
}

TEST(Native, IsReadAsAskedWhateverItHolds) {
  const temporary_folder folder;
  const std::string path = native_file(folder, folder.plant("g.txt", "1 2\n2 1\n2 3\n"));
  graph::load_options o;
  o.how = graph::direction::undirected;
  EXPECT_EQ(load_labelled(path, 2, o).arcs, naive({{"1", "2"}, {"2", "3"}}, false).arcs);
}

TEST(Native, StatesTruncationEverywhere) {
  const temporary_folder folder;
  const std::string bytes = content_of(native_file(folder, "kron:10"));
  EXPECT_EQ(message_for(folder, bytes.substr(0, 100)),
            "truncated: expected a header of 248 bytes, found 100");
  EXPECT_EQ(message_for(folder, bytes.substr(0, 250)),
            "truncated: expected a header of 280 bytes, found 250");
  for (const std::size_t keep : {std::size_t{280}, std::size_t{5000}, bytes.size() - 1})
    EXPECT_EQ(
        message_for(folder, bytes.substr(0, keep)),
        "truncated: expected " + std::to_string(bytes.size()) + " bytes, found " + std::to_string(keep));
  EXPECT_EQ(message_for(folder, bytes + "x"),
            "damaged: expected " + std::to_string(bytes.size()) + " bytes, found 1 more");
}

// Version 1 differs only in its header, which has no weights.
std::string as_version_1(std::string bytes) {
  graph::native::header now;
  std::memcpy(&now, bytes.data(), sizeof now);
  graph::native::header_1 old;
  old.version = 1;
  old.header_bytes = sizeof old;
  old.id_bytes = now.id_bytes;
  old.directed = now.directed;
  old.in_is_out = now.in_is_out;
  old.label_form = now.label_form;
  old.vertices = now.vertices;
  old.arcs = now.arcs;
  old.first_label = now.first_label;
  old.edges_read = now.edges_read;
  std::copy_n(now.section.begin(), old.section.size(), old.section.begin());
  old.block_bytes = now.block_bytes;
  old.checksums = now.checksums;
  old.file_bytes = now.file_bytes;
  std::memset(bytes.data(), 0, sizeof now);
  std::memcpy(bytes.data(), &old, sizeof old);
  reseal(bytes);
  return bytes;
}

TEST(Native, ReadsVersion1) {
  const temporary_folder folder;
  for (const std::string text : {"0 1\n1 2\n", "a b\nb c\n", "12345678901234567 3\n"}) {
    const std::string source = folder.plant("g.txt", text);
    std::string old = as_version_1(content_of(native_file(folder, source)));
    EXPECT_EQ(load_labelled(folder.plant("old.gsg", old), 2), load_labelled(source, 2)) << text;
    put<std::uint64_t>(old, offsetof(graph::native::header_1, weight_form), 1);
    reseal(old);
    EXPECT_EQ(message_for(folder, old), "damaged: the header contradicts itself");
  }
}

TEST(Native, StatesVersionAndByteOrder) {
  const temporary_folder folder;
  std::string bytes = content_of(native_file(folder, "kron:5"));
  put<std::uint32_t>(bytes, 8, 7);
  EXPECT_EQ(message_for(folder, bytes), "expected version 1 to 2 of the native form, found 7");
  put<std::uint32_t>(bytes, 12, 0x04030201);
  EXPECT_EQ(message_for(folder, bytes),
            "written on a computer of the other byte order; convert it there to an edge list");
}

TEST(Native, FindsAnyChangedBit) {
  const temporary_folder folder;
  const std::string good = content_of(native_file(folder, "kron:6"));
  xoshiro256 random(3);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t bit = bounded(random, good.size() * 8);
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(message_for(folder, bytes), "") << "bit " << bit;
  }
  std::string bytes = good;
  bytes[4096 + 100] ^= 1;
  EXPECT_EQ(message_for(folder, bytes), "damaged: wrong checksum of the 256.0 KiB at byte 4096");
  bytes = good;
  bytes[40] ^= 1;
  EXPECT_EQ(message_for(folder, bytes), "damaged: the checksum of the header is wrong");
}

// Contents must be checked even if checksums are corrected.
TEST(Native, ChecksContentsBehindRightChecksums) {
  const temporary_folder folder;
  const std::string good = content_of(native_file(folder, "kron:6"));
  std::uint64_t targets, offsets;
  std::memcpy(&offsets, good.data() + 80, 8);
  std::memcpy(&targets, good.data() + 96, 8);
  std::string bytes = good;
  put<std::uint32_t>(bytes, targets, 64);
  reseal(bytes);
  EXPECT_EQ(message_for(folder, bytes), "damaged: expected vertices below 64");
  bytes = good;
  put<std::uint64_t>(bytes, offsets + 8 * 20, std::uint64_t{1} << 60);
  reseal(bytes);
  EXPECT_EQ(message_for(folder, bytes), "damaged: row offsets are not ascending");
  bytes = good;
  put<std::uint64_t>(bytes, 32, 3);  // arcs
  reseal(bytes);
  EXPECT_EQ(message_for(folder, bytes), "damaged: the header contradicts itself");
  bytes = good;
  put<std::uint64_t>(bytes, 40, ~std::uint64_t{0} - 5);  // the first of 64 names
  reseal(bytes);
  EXPECT_EQ(message_for(folder, bytes), "damaged: the header contradicts itself");
}

// A native file whose header, rows and weights can be changed.
class changed_file {
 public:
  explicit changed_file(const std::string& text, graph::direction how = graph::direction::undirected)
      : good_(content_of(native_file(folder_, folder_.plant("g.txt", text),
                                     {.how = how, .weights = graph::weight_use::kept}))) {}

  // Returns the message for the file with these values of a section from place `at` on, read in both ways.
  template <class T>
  std::string with(graph::native::section s, std::size_t at, std::vector<T> values) {
    graph::native::header h;
    std::memcpy(&h, good_.data(), sizeof h);
    std::string bytes = good_;
    std::memcpy(bytes.data() + h.section[s].begin + at * sizeof(T), values.data(), values.size() * sizeof(T));
    return message(std::move(bytes));
  }
  std::string with_targets(std::size_t at, std::vector<graph::vertex_id> ids,
                           graph::native::section s = graph::native::out_targets) {
    return with(s, at, std::move(ids));
  }
  // Returns the first value of a section that begins in another block than those before.
  std::size_t first_of_block(graph::native::section s, std::size_t value_bytes) const {
    graph::native::header h;
    std::memcpy(&h, good_.data(), sizeof h);
    const std::uint64_t begin = h.section[s].begin - graph::native::k_data_begin;
    return divide_up(round_up(begin + 1, graph::native::k_block_bytes) - begin, value_bytes);
  }
  std::string with_header(void (*change)(graph::native::header&)) {
    graph::native::header h;
    std::memcpy(&h, good_.data(), sizeof h);
    change(h);
    std::string bytes = good_;
    std::memcpy(bytes.data(), &h, sizeof h);
    return message(std::move(bytes));
  }

 private:
  std::string message(std::string bytes) {
    reseal(bytes);
    std::string found = message_for(folder_, bytes);
    on_cores(2, [&] {
      try {
        (void)graph::load_shared(folder_ / "bad.gsg");
        EXPECT_EQ(found, "");
      } catch (const error& e) {
        EXPECT_TRUE(std::string(e.what()).ends_with(found)) << e.what();
      }
    });
    return found;
  }

  temporary_folder folder_;
  std::string good_;
};

constexpr const char* k_disorder = "damaged: expected ascending rows without duplicates and self-loops";
constexpr const char* k_one_row =
    "damaged: expected each edge of an undirected graph in both rows, found others";
constexpr const char* k_others = "damaged: expected the same arcs by source and by target, found others";

TEST(Native, ChecksRows) {
  changed_file star("0 1\n0 2\n0 3\n");
  EXPECT_EQ(star.with_targets(0, {1, 2, 3, 0, 0, 0}), "");
  EXPECT_EQ(star.with_targets(0, {2, 1, 3}), k_disorder);
  EXPECT_EQ(star.with_targets(0, {1, 1, 3}), k_disorder);
  EXPECT_EQ(star.with_targets(0, {0}), k_disorder);
  EXPECT_EQ(star.with_targets(3, {1}), k_disorder);
  EXPECT_EQ(star.with_targets(3, {2}), k_one_row);
  EXPECT_EQ(star.with<std::uint64_t>(graph::native::out_offsets, 0, {1}),
            "damaged: row offsets are not ascending");
}

TEST(Native, ChecksThatRowsAreThoseOfTheOtherDirection) {
  changed_file arcs("0 1\n0 2\n1 2\n", graph::direction::directed);
  EXPECT_EQ(arcs.with_targets(0, {1, 2, 2}), "");
  EXPECT_EQ(arcs.with_targets(0, {0}, graph::native::in_targets), "");
  EXPECT_EQ(arcs.with_targets(0, {2}, graph::native::in_targets), k_others);
  EXPECT_EQ(arcs.with_targets(1, {1, 0}, graph::native::in_targets), k_disorder);
  // one set of rows for both directions
  changed_file both("0 1\n1 0\n1 2\n2 1\n", graph::direction::directed);
  EXPECT_EQ(both.with_targets(0, {1, 0, 2, 1}), "");
  EXPECT_EQ(both.with_targets(0, {2}), k_others);
}

TEST(Native, ChecksRowsAcrossBlocks) {
  constexpr graph::vertex_id k_leaves = 100'000;
  for (const std::string weight : {"", " 1.5"}) {
    std::string text;
    for (graph::vertex_id v = 1; v <= k_leaves; ++v) text += "0 " + std::to_string(v) + weight + "\n";
    changed_file star(text);
    const std::size_t first = weight.empty()
                                  ? star.first_of_block(graph::native::out_targets, sizeof(graph::vertex_id))
                                  : star.first_of_block(graph::native::out_weights, sizeof(double));
    ASSERT_LT(first, k_leaves - 2);
    for (std::size_t at = first - 1; at <= first + 1; ++at) {
      const auto id = static_cast<graph::vertex_id>(at);
      EXPECT_EQ(star.with_targets(at, {id + 1}), "");
      EXPECT_EQ(star.with_targets(at, {id}), k_disorder) << at - first;
    }
    EXPECT_EQ(star.with_targets(2 * k_leaves - 1, {1}), k_one_row);
    if (!weight.empty()) {
      EXPECT_EQ(star.with<double>(graph::native::out_weights, first, {2.5}), k_one_row);
    }
  }
}

TEST(Native, ChecksWeights) {
  using graph::native::out_weights;
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  changed_file reals("0 1 0.5\n0 2 -0.5\n");
  EXPECT_EQ(reals.with<double>(out_weights, 0, {0.5, -0.5, 0.5, -0.5}), "");
  for (const double bad : {k_infinity, -k_infinity, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(reals.with<double>(out_weights, 0, {bad, -0.5, bad}), "damaged: expected finite weights");
  EXPECT_EQ(reals.with<double>(out_weights, 0, {-0.5}), k_one_row);  // one bit
  EXPECT_EQ(reals.with<double>(out_weights, 0, {0.75}), k_one_row);
  changed_file integers("0 1 5\n0 2 -6\n");
  EXPECT_EQ(integers.with<std::int32_t>(out_weights, 0, {5, -6, 5, -6}), "");
  EXPECT_EQ(integers.with<std::int32_t>(out_weights, 0, {5, -7}), k_one_row);
}

TEST(Native, ChecksTheHistory) {
  using graph::native::header;
  changed_file loops("0 1 5\n1 1 -3\n1 0 7\n");
  EXPECT_EQ(loops.with_header([](header&) {}), "");
  constexpr const char* k_contradiction = "damaged: the header contradicts itself";
  EXPECT_EQ(loops.with_header([](header& h) { h.negative_loops = 2; }), "");  // as earlier writers counted
  EXPECT_EQ(loops.with_header([](header& h) { h.self_loops = ~std::uint64_t{0}; }), k_contradiction);
  EXPECT_EQ(loops.with_header([](header& h) { h.edges_read = ~std::uint64_t{0}; }), k_contradiction);
  EXPECT_EQ(loops.with_header([](header& h) { h.duplicates = ~std::uint64_t{0}; }), k_contradiction);
}

// A symmetric matrix read as directed has its diagonal once, so its negative self-loops, too.
TEST(Native, IsReadBackAfterEveryHistory) {
  const temporary_folder folder;
  const std::string matrix = folder.plant(
      "m.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 -4\n2 1 5\n2 2 -1\n");
  graph::load_options o{.how = graph::direction::directed, .weights = graph::weight_use::kept};
  std::string path = native_file(folder, matrix, o);
  EXPECT_EQ(load_error(path), "");
  for (const auto how : {graph::direction::undirected, graph::direction::directed,
                         graph::direction::undirected, graph::direction::directed}) {
    o.how = how;
    path = native_file(folder, folder.plant("again.gsg", content_of(path)), o);
    EXPECT_EQ(load_error(path), "");
  }
}

TEST(Native, ChecksNames) {
  const temporary_folder folder;
  std::string bytes = content_of(native_file(folder, folder.plant("g.txt", "alpha beta\nbeta gamma\n")));
  std::uint64_t names;
  std::memcpy(&names, bytes.data() + 80 + 5 * 16, 8);
  ASSERT_EQ(bytes.substr(names, 5), "alpha");
  bytes[names] = '\n';
  reseal(bytes);
  EXPECT_EQ(message_for(folder, bytes), "damaged: the table of names is wrong");
}

TEST(Native, OtherBytesAreNoGraph) {
  const temporary_folder folder;
  std::string bytes = content_of(native_file(folder, "kron:5"));
  bytes[1] = 'X';
  EXPECT_NE(message_for(folder, bytes), "");
}

// Returns the file of an undirected graph of numbers with ids of 64 bits.
std::string with_wide_ids(const std::string& narrow) {
  graph::native::header h;
  std::memcpy(&h, narrow.data(), sizeof h);
  graph::native::extent& targets = h.section[graph::native::out_targets];
  std::string bytes = narrow.substr(0, targets.begin);
  for (std::uint64_t i = 0; i < h.arcs; ++i) {
    std::uint32_t id;
    std::memcpy(&id, narrow.data() + targets.begin + i * sizeof id, sizeof id);
    const std::uint64_t wide = id;
    bytes.append(reinterpret_cast<const char*>(&wide), sizeof wide);
  }
  targets.bytes = h.arcs * 8;
  bytes.resize(round_up(bytes.size(), graph::native::k_align));
  for (std::size_t s = graph::native::in_offsets; s < graph::native::sections; ++s)
    h.section[s] = {bytes.size(), 0};
  h.checksums = {bytes.size(),
                 divide_up(bytes.size() - graph::native::k_data_begin, graph::native::k_block_bytes) * 8};
  h.file_bytes = h.checksums.begin + h.checksums.bytes;
  h.id_bytes = 8;
  bytes.resize(h.file_bytes);
  std::memcpy(bytes.data(), &h, sizeof h);
  reseal(bytes);
  return bytes;
}

TEST(Native, IdsOfTheOtherWidthAreConverted) {
  if (sizeof(graph::vertex_id) != 4) GTEST_SKIP() << "written by hand for 32-bit builds";
  const temporary_folder folder;
  const std::string narrow = native_file(folder, "kron:10");
  const std::string wide = folder.plant("wide.gsg", with_wide_ids(content_of(narrow)));
  EXPECT_EQ(load_labelled(wide, 2).arcs, load_labelled(narrow, 2).arcs);
  std::string message;
  on_cores(2, [&] {
    const memory_limit little("1");
    try {
      (void)graph::load(wide);
    } catch (const error& e) {
      message = e.what();
    }
  });
  EXPECT_TRUE(message.starts_with("reading " + wide + " needs ")) << message;
}

TEST(Checksum, DiffersForEveryByteAndLength) {
  std::vector<std::byte> bytes(200, std::byte{0});
  std::set<std::uint64_t> sums;
  for (std::size_t n = 0; n <= bytes.size(); ++n) sums.insert(io::checksum(std::span(bytes).first(n)));
  for (auto& b : bytes) {
    b = std::byte{1};
    sums.insert(io::checksum(bytes));
  }
  EXPECT_EQ(sums.size(), 401U);
}

}  // namespace
}  // namespace gossamer::test
