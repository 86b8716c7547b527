#include "gossamer/simulation/network_probe.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/fabric/simulated_process.hpp"
#include "gossamer/simulation/cluster.hpp"

namespace gossamer::simulation {
namespace {

network measured_on(const std::string& name, unsigned processes) {
  network found{};
  run(options::parse("network=" + name + " processes=" + std::to_string(processes)), [&](unsigned process) {
    const network n = measure_network(*fabric::current_simulated_process()->between(), find_network(name));
    if (process == 0) found = n;
  });
  return found;
}

/// Between so much less and so much more, in per cent; a few ns and ps are what looking takes.
void expect_near(const char* what, std::uint64_t found, std::uint64_t given, std::uint64_t per_cent,
                 std::uint64_t slack) {
  EXPECT_GE(found + slack, given - given * per_cent / 100) << what;
  EXPECT_LE(found, given + given * per_cent / 100 + slack) << what;
}

// What is measured on a simulated network are the numbers that it was given.
TEST(Measure, FindsTheNumbersOfASimulatedNetwork) {
  for (const std::string name : {"qdr", "hdr", "slingshot", "ethernet-25g", "loopback"}) {
    SCOPED_TRACE(name);
    const network given = find_network(name), found = measured_on(name, 2);
    const std::uint64_t look = given.poll_ns + given.look_ns;
    expect_near("send_ns", found.send_ns, given.send_ns, 10, look);
    expect_near("receive_ns", found.receive_ns, given.receive_ns, 10, look);
    expect_near("send_byte_ps", found.send_byte_ps, given.send_byte_ps, 10, 5);
    expect_near("receive_byte_ps", found.receive_byte_ps, given.receive_byte_ps, 10, 5);
    expect_near("latency_ns", found.latency_ns, given.latency_ns, 10, 2 * look);
    if (given.process_byte_ps > given.receive_byte_ps + given.send_byte_ps)
      expect_near("process_byte_ps", found.process_byte_ps, given.process_byte_ps, 20, 5);
  }
}

TEST(Measure, OfManyProcessesTheFirstTwoAreMeasured) {
  const network given = find_network("qdr"), found = measured_on("qdr", 5);
  expect_near("latency_ns", found.latency_ns, given.latency_ns, 10, 150);
}

}  // namespace
}  // namespace gossamer::simulation
