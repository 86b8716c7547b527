#include "gossamer/simulation/network.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::simulation {
namespace {

std::string refusal(const std::string& text) {
  try {
    (void)parse_network(text, "my.net");
  } catch (const error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Network, PresetsAreThoseOfTheIssue) {
  EXPECT_EQ(network_presets(),
            (std::vector<std::string>{"qdr", "hdr", "slingshot", "ethernet-25g", "loopback"}));
}

TEST(Network, EveryNumberOfAPresetHasASource) {
  for (const std::string& name : network_presets()) {
    for (const network_field& f : network_fields()) {
      const std::string_view source = network_source(name, f.name);
      EXPECT_GT(source.size(), 10U) << name << " " << f.name;
      EXPECT_GE(find_network(name).*f.value, f.least) << name << " " << f.name;
    }
  }
  EXPECT_TRUE(network_source("qdr", "colour").empty());
}

TEST(Network, PresetsHaveTheirPublishedLatencyAndBandwidth) {
  const auto latency = [](const char* name) {
    const network n = find_network(name);
    return n.send_ns + n.latency_ns + n.receive_ns;
  };
  EXPECT_EQ(latency("qdr"), 1900U);
  EXPECT_EQ(latency("hdr"), 1000U);
  EXPECT_EQ(latency("slingshot"), 2000U);
  EXPECT_EQ(latency("ethernet-25g"), 15'300U);
  EXPECT_EQ(latency("loopback"), 180U);
  EXPECT_EQ(time_of(3'400'000'000, find_network("qdr").byte_ps()) / 1'000'000, 999U);  // ms
}

TEST(Network, IsReadAsItIsPrinted) {
  for (const std::string& name : network_presets()) {
    network n = find_network(name);
    n.gap_ns += 7;
    n.name = "my.net";
    EXPECT_EQ(parse_network(print(n), "my.net"), n);
  }
}

TEST(Network, OfAFileMayBeginFromAPreset) {
  const network n = parse_network("# ours\n\nlike = hdr\n  latency_ns =\t900 # longer cables\r\n", "my.net");
  network expected = find_network("hdr");
  expected.name = "my.net";
  expected.latency_ns = 900;
  EXPECT_EQ(n, expected);
}

TEST(Network, IsFoundInAFile) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("my.net", "like = qdr\npoll_ns = 70");
  EXPECT_EQ(find_network(path).poll_ns, 70U);
  EXPECT_THROW((void)find_network(path + "x"), error);
}

TEST(Network, ErrorsNameFileAndLine) {
  EXPECT_EQ(refusal("like = qdr\nlatency_ns 3"), "my.net:2: expected name = value, found \"latency_ns 3\"");
  EXPECT_EQ(refusal("\nlike = token ring"),
            "my.net:2: expected one of qdr, hdr, slingshot, ethernet-25g, loopback, found \"token ring\"");
  EXPECT_EQ(refusal("like = qdr\nlatency_ns = 0"),
            "my.net:2: expected a whole number from 1 to 1000000000000 for latency_ns, found \"0\"");
  EXPECT_EQ(refusal("like = qdr\ngap_ns = 1.5"),
            "my.net:2: expected a whole number from 0 to 1000000000000 for gap_ns, found \"1.5\"");
  EXPECT_EQ(refusal("like = qdr\ngap_ns = -1"),
            "my.net:2: expected a whole number from 0 to 1000000000000 for gap_ns, found \"-1\"");
  EXPECT_EQ(refusal("like = qdr\ngap_ns = 2000000000000"),
            "my.net:2: expected a whole number from 0 to 1000000000000 for gap_ns, found \"2000000000000\"");
  EXPECT_EQ(refusal("like = qdr\ngap_ns = 1\ngap_ns = 2"), "my.net:3: expected gap_ns once, found \"2\"");
  EXPECT_EQ(refusal("gap_ns = 1\nlike = qdr"),
            "my.net:2: expected \"like\" once and before all numbers, found \"qdr\"");
  EXPECT_TRUE(
      refusal("like = qdr\ncolour = 3").starts_with("my.net:2: expected like or one of latency_ns, "));
  EXPECT_EQ(refusal("# nothing"),
            "my.net: expected a line \"latency_ns = ...\" or, for what is not given, \"like = qdr\", found "
            "neither");
}

TEST(Network, ThatIsNotKnownIsRefusedWithThoseThatAre) {
  try {
    (void)find_network("token-ring");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "network: expected one of qdr, hdr, slingshot, ethernet-25g, loopback, or a file (with a dot or "
        "slash in its name), found \"token-ring\"");
  }
}

TEST(Network, TimesAreRoundedUp) {
  EXPECT_EQ(time_of(0, 294), 0U);
  EXPECT_EQ(time_of(1, 294), 1U);
  EXPECT_EQ(time_of(1000, 294), 294U);
  EXPECT_EQ(time_of(1001, 294), 295U);
}

}  // namespace
}  // namespace gossamer::simulation
