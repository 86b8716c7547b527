#include "gossamer/machine/program_digest.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/temporary_folder.hpp"

namespace gossamer::machine {
namespace {

TEST(ProgramDigest, IsTheSameTwice) { EXPECT_EQ(digest_of_self("1"), digest_of_self("1")); }

TEST(ProgramDigest, KnowsTheVersion) {
  EXPECT_NE(digest_of_self("1").program, digest_of_self("2").program);
  EXPECT_EQ(digest_of_self("1").arguments, digest_of_self("2").arguments);
}

TEST(ProgramDigest, KnowsTheSettingsButThoseOfOneProcess) {
  const auto before = digest_of_self("1");
  ::setenv("GOSSAMER_PIN", "off", 1);
  EXPECT_EQ(digest_of_self("1").settings, before.settings);
  ::setenv("GOSSAMER_FIBERS", "77", 1);
  EXPECT_NE(digest_of_self("1").settings, before.settings);
  ::unsetenv("GOSSAMER_FIBERS");
  ::unsetenv("GOSSAMER_PIN");
  EXPECT_EQ(digest_of_self("1"), before);
}

constexpr const char* k_print = "DIGEST_TEST_PRINT";
[[gnu::used]] const char k_marker[] = "a text that one of the copies of this program spells in another way";

/// What the copy of this program says of itself.
std::string digest_of_copy(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  ::setenv(k_print, "1", 1);
  const std::string command = path + " --gtest_filter=ProgramDigest.OfABuildWithoutIdIsOfItsContent";
  std::string said(10'000, '\0');
  std::FILE* const output = ::popen(command.c_str(), "r");
  said.resize(std::fread(said.data(), 1, said.size(), output));
  ::pclose(output);
  ::unsetenv(k_print);
  const auto at = said.find("digest ");
  return at == std::string::npos ? "nothing: " + said : said.substr(at, said.find('\n', at) - at);
}

TEST(ProgramDigest, OfABuildWithoutIdIsOfItsContent) {
  if (std::getenv(k_print) != nullptr) {
    std::printf("digest %016llx %zu\n", static_cast<unsigned long long>(digest_of_self("1").program),
                sizeof k_marker);
    return;
  }
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(file)), {});
  const std::string_view id("\4\0\0\0\24\0\0\0\3\0\0\0GNU", 16);  // the note's lengths, its kind, its name
  if (const auto at = content.find(id); at != std::string::npos) content[at + 8] = 'x';
  const test::temporary_folder folder;
  const std::string same = digest_of_copy(folder / "a", content);
  EXPECT_TRUE(same.starts_with("digest ")) << same;
  EXPECT_EQ(digest_of_copy(folder / "b", content), same);
  const std::string marker(k_marker, sizeof k_marker);
  ASSERT_NE(content.find(marker), std::string::npos);
  for (auto at = content.find(marker); at != std::string::npos; at = content.find(marker, at + 1))
    content[at] = 'A';
  EXPECT_NE(digest_of_copy(folder / "c", content), same);
}

}  // namespace
}  // namespace gossamer::machine
