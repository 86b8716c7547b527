#include "gossamer/base/short_name.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer {
namespace {

TEST(ShortName, KeepsFunctionsAndTheLambdaThatWasGiven) {
  const auto short_of = [](const char* name) { return std::string(shortened(name).view()); };
  EXPECT_EQ(
      short_of("forall<std::vector<int>, main()::<lambda(int)> >(std::vector<int>&, main()::<lambda(int)>)"
               "::<lambda()>"),
      "forall(main::lambda)");
  EXPECT_EQ(short_of("void gossamer::finish<main::{lambda()#2}>(main::{lambda()#2})"),
            "gossamer::finish(main::lambda)");
  EXPECT_EQ(short_of("(anonymous namespace)::count(int) const"), "count");
  EXPECT_EQ(short_of("{anonymous}::table<int, 3>::insert(unsigned long)"), "table::insert");
  EXPECT_EQ(short_of("std::pair<int, int> graph::row<3>(int)::<lambda(auto:1)> [with auto:1 = int]"),
            "graph::row::lambda");
  EXPECT_EQ(short_of("(lambda at /home/me/a.cpp:10:7)"), "lambda at a.cpp:10");
  EXPECT_EQ(short_of("bool operator()(int)"), "operator()");
}

TEST(ShortName, HasAnEnd) {
  const std::string name = std::string(500, 'a');
  const short_name cut = shortened(name);
  EXPECT_EQ(cut.size, short_name::k_most);
  EXPECT_EQ(cut.view().substr(cut.size - 4), "a...");
  EXPECT_EQ(shortened("f<<<((([[[{{{").view(), "f");
}

struct plain {};

TEST(ShortName, OfATypeIsMadeByTheCompiler) {
  const auto mine = [](int) {};
  EXPECT_EQ(shown(name_of<plain>()).view(), "gossamer::plain");
  const std::string lambda(shown(name_of<decltype(mine)>()).view());
  EXPECT_NE(lambda.find("lambda"), std::string::npos);
  EXPECT_EQ(lambda.find('<'), std::string::npos);
  EXPECT_EQ(shown("combining: the home core").view(), "combining: the home core");
  EXPECT_EQ(shown(nullptr).view(), "unnamed");
}

}  // namespace
}  // namespace gossamer
