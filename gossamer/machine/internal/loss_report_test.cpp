#include "gossamer/machine/internal/loss_report.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>

#include "gossamer/machine/internal/socket_name.hpp"
#include "gossamer/machine/internal/starting_group.hpp"
#include "support/child_process.hpp"

namespace gossamer::machine {
namespace {

std::unique_ptr<monitor_page> make_page() {
  auto page = std::make_unique<monitor_page>();
  page->pid_namespace = 0x10557;  // with the parent a name of this test's process alone
  page->parent = ::getpid();
  page->stopped_s = 20;
  page->processes = 4;
  page->launcher = 900;
  std::strcpy(page->launcher_name, "mpirun");
  std::strcpy(page->host, "n1");
  page->peers[0] = {800, 2, 1};
  return page;
}

/// Returns what a report prints to standard error in a process of its own.
template <class Body>
std::string printed(Body body, monitor_page* page = nullptr) {
  const auto own = make_page();
  monitor_page& used = page != nullptr ? *page : *own;
  test::child_process child([&](auto) {
    loss_report report(used);
    body(report);
  });
  child.finish();
  return child.errors();
}

TEST(LossReport, SaysWhatWasLostAndHow) {
  const watched_process which{801, 3, 1};
  const std::string begin = "error: process 3 (pid 801 on n1) was lost";
  EXPECT_EQ(printed([&](loss_report& r) { r.lost(which, SIGKILL); }), begin + " (killed by SIGKILL)\n");
  EXPECT_EQ(printed([&](loss_report& r) { r.lost(which, 5 << 8); }), begin + " (it exited with code 5)\n");
  EXPECT_EQ(printed([&](loss_report& r) { r.lost(which, -1); }), begin + "\n");
}

TEST(LossReport, SaysWhatDoesNotAnswer) {
  EXPECT_EQ(printed([](loss_report& r) { r.stopped(3, 801); }),
            "error: process 3 (pid 801 on n1) has not answered for 20 s: it is stopped\n");
  heartbeat_peer node;
  node.rank = 5;
  node.pid = 77;
  std::strcpy(node.host, "n2");
  EXPECT_EQ(printed([&](loss_report& r) { r.silent(node); }),
            "error: process 5 (pid 77 on n2) has not answered for 20 s\n");
  heartbeat_peer hearer;
  std::strcpy(hearer.host, "n3");
  EXPECT_EQ(printed([&](loss_report& r) { r.apart(node, hearer); }),
            "error: process 5 (pid 77 on n2) has not answered process 2 (pid 800 on n1) for 20 s, but "
            "answers process 0 "
            "(pid 0 on n3): does a firewall stop packets between n2 and n1?\n");
  EXPECT_EQ(printed([](loss_report& r) { r.launcher_lost(); }),
            "error: mpirun (pid 900 on n1), the parent of process 2, was lost\n");
}

TEST(LossReport, SaysWhichProcessesAreMissing) {
  starting_group group;
  group.begin_check();
  group.see(2, 800, 'S');
  (void)group.end_check(1, 1, 4);
  EXPECT_EQ(printed([&](loss_report& r) { r.waited(group); }),
            "error: process 2 (pid 800 on n1) has waited 20 s for the other processes of the job to start: 1 "
            "of 4 are "
            "on this node, and not 0-1, 3; GOSSAMER_PEER_TIMEOUT_S sets how long\n");
}

TEST(LossReport, IsPrintedOnceOnANode) {
  const auto page = make_page();
  test::child_process holder([&](auto ready) {
    if (!take_name("lost", page->pid_namespace, page->parent, page->parent_start)) ::_exit(97);
    ready();
    for (;;) ::pause();
  });
  ASSERT_TRUE(holder.wait_until_ready());
  EXPECT_EQ(printed([](loss_report& r) {
              r.lost(3, 801);
              if (r.was_printed()) ::_exit(97);
            }),
            "");
  holder.send(SIGKILL);
}

TEST(LossReport, IsPrintedByTheFirstThatEndsWhereItIsDeferred) {
  EXPECT_EQ(printed([](loss_report& r) {
              r.defer(true);
              r.lost(3, 801);
            }),
            "");
  EXPECT_NE(printed([](loss_report& r) {
              r.defer(true);
              r.find_first();
              r.lost(3, 801);
            }),
            "");
}

TEST(LossReport, IsGivenToTheProcessThatLivesOn) {
  const auto page = make_page();
  page->survivor = k_lives_on;
  loss_report report(*page);
  report.lost(3, 801);
  EXPECT_STREQ(page->loss, "process 3 (pid 801 on n1) was lost");
  EXPECT_EQ(page->survivor.load(), k_told);
  EXPECT_TRUE(report.owner_survives());
  EXPECT_FALSE(report.was_printed());
  EXPECT_FALSE(page->said.load());
}

TEST(LossReport, IsPrintedWhereTheProcessThatWouldLiveOnIsGone) {
  const auto page = make_page();
  page->survivor = k_lives_on;
  EXPECT_NE(printed(
                [](loss_report& r) {
                  r.owner_is_gone();
                  r.lost(3, 801);
                },
                page.get()),
            "");
}

TEST(LossReport, LetsHandlersKnowThatALineWasPrinted) {
  const auto page = make_page();
  loss_report report(*page);
  report.ended_in_order({801, 3, 1}, false);
  EXPECT_FALSE(page->said.load());
  report.ended_in_order({801, 3, 1}, true);
  EXPECT_TRUE(page->said.load());
}

}  // namespace
}  // namespace gossamer::machine
