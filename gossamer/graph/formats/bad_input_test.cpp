// Errors for invalid files: one line with file, line number, what was expected and what was found.
#include <gtest/gtest.h>

#include <filesystem>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/native.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

using graph::label_mode;

// The message without the folder.
std::string message_for(std::string_view text, graph::load_options options = {}, unsigned cores = 2) {
  const temporary_folder folder;
  std::string message = load_error(folder.plant("g.txt", text), options, cores);
  for (std::size_t at; (at = message.find(folder.path() + "/")) != std::string::npos;)
    message.erase(at, folder.path().size() + 1);
  return message;
}

constexpr const char* k_id = "expected a vertex id from 0 to 18446744073709551615, found ";

TEST(BadText, OneToken) {
  EXPECT_EQ(message_for("1 2\n3\n"), "g.txt:2: expected two vertex ids and perhaps a weight, found \"3\"");
  EXPECT_EQ(message_for("3\n"), "g.txt:1: expected two vertex ids and perhaps a weight, found \"3\"");
}
TEST(BadText, FourTokens) {
  EXPECT_EQ(message_for("# c\n1 2\n\n1 2 3 4\n"),
            "g.txt:4: expected two vertex ids and perhaps a weight, found \"1 2 3 4\": "
            "--columns 1,2 takes the first two");
}
TEST(BadText, LinesOfTwoAndOfThreeFields) {
  const std::string advice =
      ": lines of two and of three are no edges with weights; --columns 1,2 takes the first two";
  EXPECT_EQ(message_for("1 2\n2 3 4\n"),
            "g.txt:2: expected two vertex ids and perhaps a weight, found \"2 3 4\"" + advice);
  EXPECT_EQ(message_for("0 1 2\n1 2\n2 0 1\n"),
            "g.txt:2: expected two vertex ids and perhaps a weight, found \"1 2\"" + advice);
  std::string many = "0 1\n";
  for (int i = 0; i < 100; ++i) many += "1 2\n";  // enough for the fast scan
  EXPECT_EQ(message_for(many + "1 2 3\n" + many),
            "g.txt:102: expected two vertex ids and perhaps a weight, found \"1 2 3\"" + advice);
  graph::load_options o;
  o.table.columns = {"1", "2"};
  EXPECT_EQ(message_for("0 1 2\n1 2\n2 0 1\n", o), "");
}
TEST(BadText, WeightThatIsNoNumber) {
  for (const std::string weight : {"x", "1.2.3", "--1", "1e", ".", "0x10", "nan"})
    EXPECT_EQ(message_for("1 2 3\n1 2 " + weight + "\n"),
              "g.txt:2: expected a number as weight, found \"" + weight +
                  "\": --columns S,T chooses columns, --header takes line 1 for their names");
}
TEST(BadText, NegativeId) {
  EXPECT_EQ(message_for("1 2\n-3 5\n"), std::string("g.txt:2: ") + k_id + "\"-3\": --labels reads names");
  EXPECT_EQ(message_for("-3 5\n"), std::string("g.txt:1: ") + k_id + "\"-3\": --labels reads names");
  EXPECT_EQ(message_for("1 +5\n"), std::string("g.txt:1: ") + k_id + "\"+5\"");
}
TEST(BadText, IdOver64Bits) {
  EXPECT_EQ(message_for("1 2\n18446744073709551616 5\n"),
            std::string("g.txt:2: ") + k_id + "\"18446744073709551616\"");
  EXPECT_EQ(message_for("1 99999999999999999999999\n"),
            std::string("g.txt:1: ") + k_id + "\"99999999999999999999999\"");
}
TEST(BadText, IdOver64BitsAmongNames) {
  const std::string large = "18446744073709551616";
  EXPECT_EQ(message_for("a b\n" + large + " 5\n"), std::string("g.txt:2: ") + k_id + "\"" + large + "\"");
  EXPECT_EQ(message_for("a b\n18446744073709551615 5\n"), "");
  graph::load_options o;
  o.vertices = label_mode::names;
  EXPECT_EQ(message_for("a b\n" + large + " 5\n", o), "");
}
TEST(BadText, AFractionAmongIntegers) {
  EXPECT_EQ(message_for("1 2\n1.5 3\n"), std::string("g.txt:2: ") + k_id + "\"1.5\"");
  EXPECT_EQ(message_for("python 3.11\n"), "");
}
TEST(BadText, OtherFormatsAreRefusedByName) {
  for (const auto& [text, name] :
       {std::pair("[{\"src\": 1, \"dst\": 2}]\n", "JSON"),
        std::pair("\n<?xml version=\"1.0\"?>\n", "XML (GraphML, GEXF)"),
        std::pair("digraph g {\n a -> b;\n}\n", "DOT"), std::pair("PAR1\x15\x04", "Parquet"),
        std::pair("nodedef>name VARCHAR\nann\nedgedef>node1 VARCHAR,node2 VARCHAR\n", "GDF"),
        std::pair("1 January\n2 March\n3\n#\n1 2\n2 3\n", "the Trivial Graph Format (TGF)")})
    EXPECT_TRUE(message_for(text).starts_with(std::string("g.txt: ") + name + " is not read: ")) << name;
}
TEST(BadText, EdgeListsThatResembleOtherFormatsAreRead) {
  for (const char* text : {"1 2\n2 3\n3 1\n#\n1 2\n", "1 a\n1 b\n#\n1 1\n", "1 a\n2 b\n#\n1 c\n"})
    EXPECT_EQ(message_for(text), "") << text;
}
TEST(BadText, ABlankInQuotesIsNoSeparator) {
  graph::load_options o;
  o.table.columns = {"s", "t"};
  EXPECT_EQ(message_for("{\"s\":7,\"t\":\"8 9\"}\n", o), std::string("g.txt:1: ") + k_id + "\"8 9\"");
  EXPECT_EQ(message_for("1,2\n\"7\",\"8 9\"\n"), std::string("g.txt:2: ") + k_id + "\"8 9\"");
}
TEST(BadText, LinesOfTwoAndOfThreeFieldsBehindANull) {
  graph::load_options o;
  o.table.nulls = {"NA"};
  EXPECT_TRUE(message_for("NA 1\n1 2 3\n2 3\n", o).starts_with("g.txt:2: expected two vertex ids"));
}
TEST(BadFile, CompressedFilesOfBytesAreRefused) {
  const temporary_folder folder;
  graph::load_options packed;
  packed.packed_edges = true;
  const std::string edges = folder.plant("p.bin.gz", gzipped(std::string(1200, '\1')));
  EXPECT_EQ(load_error(edges, packed), edges + ": a compressed file of packed edges; decompress it first");
  const std::string rows = folder.plant("g.wsg.bz2", bzipped(std::string(100, '\0')));
  EXPECT_EQ(load_error(rows), rows + ": a compressed file of GAP; decompress it first");
}
TEST(BadText, NameWhereIntegersWereAsked) {
  graph::load_options o;
  o.vertices = label_mode::integers;
  EXPECT_EQ(message_for("1 2\n1 x9\n", o), std::string("g.txt:2: ") + k_id + "\"x9\"");
}
TEST(BadText, MixedSeparators) {
  EXPECT_EQ(message_for("1 2\n1,2\n"), "g.txt:2: expected columns separated by blanks only, found \"1,2\"");
  EXPECT_EQ(message_for("1,2\n3\t4\n"), "g.txt:2: expected columns separated by ',' only, found \"3\\t4\"");
  EXPECT_EQ(message_for("1,2\n3,4 5\n"), "g.txt:2: expected columns separated by ',' only, found \"3,4 5\"");
  EXPECT_EQ(message_for("a b\nc,d e\n"),
            "g.txt:2: expected columns separated by blanks only, found \"c,d e\"");
}
TEST(BadText, NulAndControlBytes) {
  EXPECT_EQ(message_for(std::string_view("1 2\n1\0 2\n", 9)), "g.txt:2: expected text, found byte 0x00");
  EXPECT_EQ(message_for("\x7f"
                        "ELF\x02\x01\x01\n"),
            "g.txt:1: expected text, found byte 0x7f");
  EXPECT_EQ(message_for("a b\na \x1b[31mb\n"), "g.txt:2: expected text, found byte 0x1b");
}
TEST(BadText, InvalidUtf8) {
  EXPECT_EQ(message_for("a b\nZ\xfcrich b\n"),
            "g.txt:2: expected text, found invalid UTF-8 in \"Z\\xfcrich\": of Windows? iconv -f "
            "WINDOWS-1252 -t UTF-8");
}
TEST(BadText, Empty) {
  EXPECT_EQ(message_for(""), "g.txt is empty: expected an edge list");
  EXPECT_EQ(message_for("# only\n% comments\n\n"), "g.txt is empty: expected an edge list");
}
TEST(BadText, EmptyColumn) {
  EXPECT_EQ(message_for("1,2\n,2\n"), "g.txt:2: expected two vertex ids and perhaps a weight, found \",2\"");
}
TEST(BadText, TheFirstBadLineIsNamedOnAnyNumberOfCores) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    xoshiro256 random(seed);
    std::string text;
    const std::uint64_t bad = 1 + bounded(random, 150000);
    for (std::uint64_t line = 1; line <= 150000; ++line) {
      if (line % 97 == 0 && line != bad) {
        text += "# comment\n";
        continue;
      }
      const bool wrong = line == bad || (line > bad && bounded(random, 1000) == 0);
      text += std::to_string(line) + (wrong ? "\n" : "\t" + std::to_string(line * 31) + "\n");
    }
    const std::string expected = "g.txt:" + std::to_string(bad) +
                                 ": expected two vertex ids and perhaps a weight, found \"" +
                                 std::to_string(bad) + "\"";
    for (unsigned cores : {1U, 2U, 3U, 8U}) EXPECT_EQ(message_for(text, {}, cores), expected);
  }
}

TEST(BadFile, MissingDirectoryUnreadable) {
  const temporary_folder folder;
  EXPECT_NE(load_error(folder / "none").find("No such file or directory"), std::string::npos);
  const std::string directory = load_error(folder.path());
  EXPECT_NE(directory.find("irectory"), std::string::npos) << directory;
  EXPECT_EQ(directory.find('\n'), std::string::npos);
}

TEST(BadMatrix, Banner) {
  EXPECT_EQ(message_for("%%MatrixMarket matrix array real general\n2 2\n"),
            "g.txt:1: expected the format \"coordinate\", found \"array\"");
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n"),
            "g.txt:1: expected the field pattern, real, integer, unsigned-integer or complex, found "
            "\"quaternion\"");
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate real\n"),
            "g.txt:1: expected the symmetry general, symmetric, skew-symmetric or hermitian, found \"\"");
}
TEST(BadMatrix, Sizes) {
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate real general\n% c\n2 2\n"),
            "g.txt:3: expected rows, columns and entries, found \"2 2\"");
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n"),
            "g.txt:2: expected a square matrix, as it is symmetric, found 2 x 3");
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate real general\n"),
            "g.txt:1: expected rows, columns and entries, found the end of the file");
}
TEST(BadMatrix, Entries) {
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n";
  EXPECT_EQ(message_for(pattern + "1 2\n"), "g.txt: expected 2 entries, as its size line says, found 1");
  EXPECT_EQ(message_for(pattern + "1 2\n0 2\n"), "g.txt:4: expected a vertex id from 1 to 3, found \"0\"");
  EXPECT_EQ(message_for(pattern + "1 2\n2 4\n"), "g.txt:4: expected a vertex id from 1 to 3, found \"4\"");
  EXPECT_EQ(message_for(pattern + "1 2 5\n2 1\n"), "g.txt:3: expected two vertex ids, found \"1 2 5\"");
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n"),
            "g.txt:3: expected two vertex ids and a value, found \"1 2\"");
}
TEST(BadMatrix, BannerThatIsMisspeltOrNotFirst) {
  const std::string expected =
      ": expected the first line of a Matrix Market file, "
      "\"%%MatrixMarket matrix coordinate ...\", found ";
  EXPECT_EQ(message_for("% of a mesh\n%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n"),
            "g.txt:2" + expected + "\"%%MatrixMarket matrix coordinate pattern general\"");
  EXPECT_EQ(message_for("%%MatrixMarkt matrix coordinate pattern general\n3 3 1\n1 2\n"),
            "g.txt:1" + expected + "\"%%MatrixMarkt matrix coordinate pattern general\"");
  EXPECT_EQ(message_for("%MatrixMarket\n3 3 1\n1 2\n"), "g.txt:1" + expected + "\"%MatrixMarket\"");
  EXPECT_EQ(message_for(std::string(300'000, '%') + "\n%MatrixMarket\n3 3 1\n1 2\n"),
            "g.txt:2" + expected + "\"%MatrixMarket\"");
  EXPECT_EQ(message_for("% the adjacency matrix, in coordinate form\n1 2\n"), "");
  const temporary_folder folder;
  const std::string path = folder.plant("g.mtx", "3 3 1\n1 2\n");
  EXPECT_EQ(load_error(path), path + ":1" + expected + "\"3 3 1\"");
  const std::string packed = folder.plant("g.mtx.xz", xzipped("3 3 1\n1 2\n"));
  EXPECT_EQ(load_error(packed), packed + ":1" + expected + "\"3 3 1\"");
}
TEST(BadMatrix, EntriesOutsideARectangularMatrix) {
  const std::string wide = "%%MatrixMarket matrix coordinate pattern general\n2 4 2\n";
  const std::string tall = "%%MatrixMarket matrix coordinate integer general\n4 2 2\n";
  EXPECT_EQ(message_for(wide + "2 4\n3 1\n"),
            "g.txt:4: expected an entry of a matrix of 2 x 4, found \"3 1\"");
  EXPECT_EQ(message_for(tall + "4 2 7\n1 3 7\n"),
            "g.txt:4: expected an entry of a matrix of 4 x 2, found \"1 3 7\"");
  std::string many = "%%MatrixMarket matrix coordinate pattern general\n20 40 200\n";
  for (int i = 0; i < 100; ++i) many += "20 40\n";  // enough for the fast scan
  EXPECT_EQ(message_for(many + "21 1\n"),
            "g.txt:103: expected an entry of a matrix of 20 x 40, found \"21 1\"");
}
TEST(BadMatrix, EntriesOfAMatrixWithoutRows) {
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate pattern general\n0 5 1\n1 3\n"),
            "g.txt:2: expected no entries in a matrix of 0 x 5, found 1");
}
TEST(BadMatrix, MoreRowsThanMemory) {
  const std::string message =
      message_for("%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 2\n");
  EXPECT_NE(message.find("g.txt needs "), std::string::npos) << message;
}

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + " " + std::to_string(hash64(i) % 10000) + "\n";
  return text;
}

TEST(BadCompressed, TruncatedAnywhere) {
  for (const std::string& whole :
       {gzipped(many_lines()), zstandard(many_lines()), bzipped(many_lines()), xzipped(many_lines())}) {
    for (const std::size_t keep : {std::size_t{5}, std::size_t{11}, whole.size() / 2, whole.size() - 1}) {
      const std::string message = message_for(whole.substr(0, keep));
      EXPECT_NE(message.find("g.txt: truncated: the "), std::string::npos) << keep << ": " << message;
    }
  }
}
TEST(BadCompressed, TrailingGarbage) {
  const std::string gz = message_for(gzipped(many_lines()) + "garbage");
  EXPECT_NE(gz.find("g.txt: expected the end of the gzip data at byte "), std::string::npos) << gz;
  EXPECT_NE(gz.find("found 7 more bytes"), std::string::npos) << gz;
  const std::string zst = message_for(zstandard(many_lines()) + "garbage");
  EXPECT_NE(zst.find("g.txt: damaged zstd data near byte "), std::string::npos) << zst;
}
TEST(BadCompressed, DamagedInTheMiddle) {
  for (std::string bytes : {gzipped(many_lines()), bzipped(many_lines()), xzipped(many_lines())}) {
    for (std::size_t i = 0; i < 40; ++i)
      bytes[bytes.size() / 2 + i] = static_cast<char>(~bytes[bytes.size() / 2 + i]);
    const std::string message = message_for(bytes);
    EXPECT_NE(message.find("g.txt"), std::string::npos);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}
TEST(BadCompressed, BadLinesInsideAreNamed) {
  std::string text = many_lines();
  text += "1 2 3 4\n" + many_lines();
  EXPECT_EQ(message_for(gzipped(text)),
            "g.txt:5001: expected two vertex ids and perhaps a weight, found \"1 2 3 4\": "
            "--columns 1,2 takes the first two");
}
TEST(BadCompressed, LinesAndPreamblesAreBounded) {
  const std::string long_comment = "#" + std::string(1 << 20, 'x') + "\n";
  std::string comments, line;
  for (int i = 0; i < 80; ++i) comments += long_comment;
  EXPECT_EQ(message_for(zstandard(comments + "1 2\n")),
            "g.txt: expected an edge in the first 32 MiB of text, found none");
  const std::string message = message_for(zstandard("1 2\n" + std::string(140 << 20, '7')));
  EXPECT_NE(message.find("g.txt: expected lines of at most 64 MiB, found a longer one near byte "),
            std::string::npos)
      << message;
}
TEST(BadCompressed, EmptyInside) {
  EXPECT_EQ(message_for(gzipped("")), "g.txt is empty: expected an edge list");
}

TEST(BadSerialized, LengthAndIds) {
  const temporary_folder folder;
  const std::string path =
      folder.plant("g.sg", std::string(1, '\0') + std::string("\x02\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(load_error(path), path + ": expected 49 bytes for 2 vertices and 2 arcs, found 17: truncated");
  std::string bytes = content_of(path);
  const std::uint64_t offsets[] = {0, 1, 2};
  const std::uint32_t ids[] = {1, 7};
  bytes.append(reinterpret_cast<const char*>(offsets), 24).append(reinterpret_cast<const char*>(ids), 8);
  EXPECT_EQ(load_error(folder.plant("g.sg", bytes)), path + ": damaged: expected vertices below 2");
  bytes[17 + 8] = 9;  // offsets 0 9 2
  EXPECT_EQ(load_error(folder.plant("g.sg", bytes)),
            path + ": damaged: expected ascending row offsets from 0 to the number of arcs");
  EXPECT_EQ(load_error(folder.plant("g.sg", "no graph at all, surely")),
            path + ": expected a serialized graph of the GAP benchmark suite, found other bytes");
}

TEST(BadGenerator, ScaleAndFactor) {
  EXPECT_EQ(load_error("kron:x"), "kron:x: expected a scale from 0 to 31, found \"x\"");
  EXPECT_EQ(load_error("kron:99"), "kron:99: expected a scale from 0 to 31, found \"99\"");
  EXPECT_EQ(load_error("uniform:5:-1"),
            "uniform:5:-1: expected an edge factor from 0 to 1048576, found \"-1\"");
  const std::string memory = load_error("kron:31:1000");
  EXPECT_NE(memory.find("kron:31:1000 needs "), std::string::npos) << memory;
  EXPECT_NE(memory.find(" available"), std::string::npos) << memory;
}

}  // namespace
}  // namespace gossamer::test
