#pragma once
// What a job has when it runs over several processes: the agreement at the start, the wire, the orderly end,
// and the search for a stall.
//
//   start:  all tell which job they begin, or that they have ended, and that they are alike
//   end:    process 0 --stop, what has failed--> all; each stops its cores, then all meet in the transport's
//           barrier
//   stall:  while all cores of process 0 sleep, it asks the others in waves whether theirs do, and how many
//           packets they have sent and received. Two waves in a row with the same numbers, all processes quiet
//           and as many packets sent as received: no core will ever be woken (Mattern, "Algorithms for
//           distributed termination detection", 1987, four counters). Waves are twice as far apart each time,
//           so that a process which waits for others that compute asks rarely.
//   watch:  a thread of its own sends a sign of life to the next process, and expects one from the process
//           before. Of several processes that are lost, at least one comes before one that is not.

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

/// What the processes of a job have agreed on.
struct agreement {
  unsigned cores = 1;  // of each process
  unsigned cores_per_processor = 1;  // rounded up, where they are most crowded
  std::uint32_t job = 0;  // which one
  bool lanes = false;  // between the processes of a node (fabric/node_lanes.hpp)

  /// Returns whether cores outnumber the processors somewhere: a core that waits gives its processor away at once.
  bool is_crowded() const { return cores_per_processor > 1; }
};

/// Agrees with all processes on the number of cores and on the job. Collective. options.cores is what was
/// asked for; 0: as many as every process can have. Throws gossamer::error, in all processes the same, where
/// they do not run the same program with the same options. Throws it also where one lacks the memory.
agreement agree(fabric::transport& t, const job_options& options, unsigned usable, unsigned local_processes);

class world {
 public:
  struct callbacks {
    std::function<void(std::string)> stop;  // this process's cores; what has failed, or nothing
    std::function<bool()> quiet;  // whether all of them sleep, and have since the last wave
    std::function<std::string()> describe_stall;  // of this process; all cores asleep
    std::function<void(std::string)> stalled;  // process 0: the whole report; all cores asleep
    std::function<void(unsigned)> silent;  // that process has given no sign of life
    std::function<void(const char*)> failed;  // the transport has, and no fiber runs on a core
  };

  world(fabric::transport& t, message::process_context& shared, const job_options& options,
        const agreement& agreed);

  void set_callbacks(callbacks c) { calls_ = std::move(c); }
  fabric::wire& wire() { return wire_; }
  /// Returns the lanes to the cores of neighbours on the node; null where there are none.
  fabric::node_lanes* node_lanes() { return node_lanes_.get(); }
  /// Begins the watch: each process tells the next one that it is there, computing or not. Gives up a process
  /// that was silent for `timeout_s`. Only while there are cores, since the watch takes what comes for them.
  void begin_watch(std::uint32_t timeout_s);
  void end_watch() { heartbeat_.reset(); }
  bool leads() const { return transport_.rank() == 0; }

  /// Process 0: the others' cores are to stop; what has failed, or nothing (its first 4 KiB are told).
  void stop_others(std::string_view failure);
  /// Looks for a stall while all cores of this process sleep. The last one to fall asleep calls it, again and
  /// again.
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
  wave_answer look(std::uint64_t wave);
  void begin_wave(std::unique_lock<std::mutex> hold);
  void take_answer(const wave_answer& a);

  fabric::transport& transport_;
  message::wire_host host_;
  fabric::wire wire_;
  const std::unique_ptr<fabric::node_lanes> node_lanes_;
  callbacks calls_;

  // Process 0; by the last core to fall asleep, and by the poller: the lock is for them. No thread holds it while it
  // calls out: in a simulation the others may go on there.
  std::mutex lock_;
  std::uint64_t wave_ = 0;
  unsigned answers_due_ = 0;
  std::uint64_t sent_ = 0, received_ = 0, sent_before_ = ~std::uint64_t{0};
  bool all_quiet_ = false;
  unsigned pause_ = 1, paused_ = 0;  // all_asleep() calls between two waves
  std::vector<std::string> reports_;
  unsigned reports_due_ = 0;
  std::atomic<bool> to_describe_{false};  // relaxed: looked at again and again
  std::optional<machine::ticker> heartbeat_;
};

}  // namespace gossamer::parallel
