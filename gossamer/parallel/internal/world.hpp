#pragma once
// The state of a job that runs over several processes: the agreement at the start, the wire, the orderly end,
// and stall detection.
//
//   start:  all processes exchange which job they begin, or that they have ended, and check that they are
//           alike
//   end:    process 0 --stop, with the error--> all; each stops its cores, then all meet in the transport's
//           barrier
//   stall:  while all cores of process 0 sleep, it queries the others in waves: whether their cores sleep,
//           and how many packets they have sent and received. If two waves in a row have the same numbers,
//           all processes are quiet and as many packets were sent as received, no core will ever be woken
//           (Mattern, "Algorithms for distributed termination detection", 1987, four counters). The interval
//           between waves doubles each time, so that a process which waits for others that compute sends few
//           queries.
//   watch:  a thread sends a heartbeat to the next process, and expects one from the previous one. If several
//           processes are lost, at least one of them precedes one that is not.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/fabric/node_lanes.hpp"
#include "gossamer/fabric/transport.hpp"
#include "gossamer/fabric/wire.hpp"
#include "gossamer/machine/ticker.hpp"
#include "gossamer/message/wire_host.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::parallel {

/// The results of the agreement between the processes of a job.
struct agreement {
  unsigned cores = 1;  // of each process
  unsigned cores_per_processor = 1;  // the highest ratio of all nodes, rounded up
  std::uint32_t job = 0;  // number of the job
  bool lanes = false;  // between the processes of a node (fabric/node_lanes.hpp)

  /// Returns whether some node has more cores than processors: a waiting core yields its processor at once.
  bool is_crowded() const { return cores_per_processor > 1; }
};

/// Agrees with all processes on the number of cores and on the job. Collective. options.cores is the
/// requested number; 0: as many as every process can have. Throws gossamer::error, the same in all processes,
/// if they do not run the same program with the same options, or if one lacks memory.
agreement agree(fabric::transport& t, const job_options& options, unsigned usable, unsigned local_processes);

class world {
 public:
  struct callbacks {
    std::function<void(std::string)> stop;  // stops this process's cores; with the error, or empty
    std::function<bool()> quiet;  // whether all of them sleep, and have slept since the last wave
    std::function<std::string()> describe_stall;  // of this process; all cores asleep
    std::function<void(std::string)> stalled;  // process 0: receives the whole report; all cores asleep
    std::function<void(unsigned)> silent;  // that process has sent no heartbeat
    std::function<void(const char*)> failed;  // the transport has failed, and no fiber runs on a core
  };

  world(fabric::transport& t, message::process_context& shared, const job_options& options,
        const agreement& agreed);

  void set_callbacks(callbacks c) { calls_ = std::move(c); }
  fabric::wire& wire() { return wire_; }
  /// Returns the lanes to the cores of other processes on the node; null if there are none.
  fabric::node_lanes* node_lanes() { return node_lanes_.get(); }
  /// Starts the watch: each process sends heartbeats to the next one, computing or not. Gives up a process
  /// that was silent for `timeout_s`. Only while there are cores, because the watch receives messages for
  /// them.
  void begin_watch(std::uint32_t timeout_s);
  void end_watch() { heartbeat_.reset(); }
  bool leads() const { return transport_.rank() == 0; }

  /// Stops the cores of the other processes, on process 0. `failure` is the error, or empty (its first 4 KiB
  /// are sent).
  void stop_others(std::string_view failure);
  /// Checks for a stall while all cores of this process sleep. The last one to fall asleep calls it
  /// repeatedly.
  void all_asleep();
  /// Closes the wire, after the cores have ended. Collective.
  void close();

 private:
  enum class message_kind : std::uint8_t { stop, ask, answer, describe, description };
  struct wave_answer {
    std::uint64_t wave, sent, received;
    bool quiet;
  };

  void take_note(unsigned from, std::span<const std::byte> text);
  void send_message(unsigned to, message_kind kind, std::span<const std::byte> what = {});
  wave_answer answer_to(std::uint64_t wave);
  void begin_wave(std::unique_lock<std::mutex> hold);
  void take_answer(const wave_answer& a);

  fabric::transport& transport_;
  message::wire_host host_;
  fabric::wire wire_;
  const std::unique_ptr<fabric::node_lanes> node_lanes_;
  callbacks calls_;

  // Process 0. The lock protects against concurrent calls by the last core to fall asleep and by the poller.
  // No thread holds it while it calls out: in a simulation other contexts may run there.
  std::mutex lock_;
  std::uint64_t wave_ = 0;
  unsigned answers_due_ = 0;
  std::uint64_t sent_ = 0, received_ = 0, sent_before_ = ~std::uint64_t{0};
  bool all_quiet_ = false;
  unsigned pause_ = 1, paused_ = 0;  // all_asleep() calls between two waves
  std::vector<std::string> reports_;
  unsigned reports_due_ = 0;
  std::atomic<bool> to_describe_{false};  // relaxed: polled repeatedly
  std::optional<machine::ticker> heartbeat_;
};

}  // namespace gossamer::parallel
