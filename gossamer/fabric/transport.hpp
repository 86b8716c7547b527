#pragma once
// The transport between the processes of a job: whole messages, in order between two processes. Any thread,
// one at a time. Implementations: none if there is one process; a plugin over MPI
// (fabric/plugin_transport.hpp); tests have their own.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gossamer::fabric {

class transport {
 public:
  struct arrival {
    unsigned from;
    std::size_t bytes;
  };

  static constexpr unsigned k_receive_slots = 64, k_send_slots = 256;

  transport() = default;
  virtual ~transport() = default;
  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;

  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  /// Describes the implementation: "Open MPI 4.1.4 (MPI 3.1)".
  virtual std::string description() const = 0;

  // Errors throw gossamer::error; nothing here blocks. A slot is a buffer in flight; the caller chooses its
  // number.
  virtual void receive(unsigned slot, std::span<std::byte> buffer) = 0;
  /// Returns source and size of the message in a slot once it has arrived. Messages use slots in the order in
  /// which receive() was called. Those of one process use slots in the order in which they were sent. A large
  /// message may fill its slot later than another fills the next slot.
  virtual std::optional<arrival> received(unsigned slot) = 0;
  virtual void send(unsigned slot, unsigned to, std::span<const std::byte> data) = 0;
  virtual bool sent(unsigned slot) = 0;
  virtual void cancel_receives() = 0;

  // Bulk moves: the transport moves bytes from memory to memory, without packets. Both sides start a move,
  // and are matched by their processes and a tag. From one process to another, a tag belongs to one receive
  // at a time; the next send of that tag may start when that receive is over. The caller numbers the slots of
  // moves separately, from 0. A move may wait for its other side, and for no other move.

  /// Returns how many tags there are; 0: this transport has no bulk moves.
  virtual unsigned bulk_tags() const { return 0; }
  /// Starts to send. The data must stay unchanged until bulk_over(), which may wait for the other side's
  /// bulk_receive().
  virtual void bulk_send(unsigned slot, unsigned to, unsigned tag, std::span<const std::byte> data);
  /// Starts to receive exactly as many bytes as are sent.
  virtual void bulk_receive(unsigned slot, unsigned from, unsigned tag, std::span<std::byte> into);
  /// Returns whether a move is over; then its slot is free. A move may progress only while it is polled.
  virtual bool bulk_over(unsigned slot);
  /// Cancels a move whose other side has not begun, and never will.
  virtual void bulk_cancel(unsigned slot, bool sends);

  // Collective, blocking: before a job starts and after it has ended.
  virtual void barrier() = 0;
  virtual void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;

  /// Measures the seconds of a plain stream of messages, for comparisons (transport_plugin.h).
  virtual double plain_stream(unsigned from, unsigned to, std::size_t bytes, unsigned count) = 0;

  /// Declares whether this process is to survive the loss of another one. Returns whether its launcher allows
  /// that.
  virtual bool outlive(bool /*wanted*/) { return false; }

  /// Ends every process of the job at once. Any thread.
  [[noreturn]] virtual void abort(int code) = 0;

  /// Returns the number of the next job, from 1. Collective: with the others' begin_job(), or with their
  /// end_jobs(). Throws gossamer::error where a process ends its jobs, or begins a job of another number. The
  /// error is the same in every process that begins a job.
  std::uint32_t begin_job();
  /// Waits until no process runs a job any more; this one runs none from now on. Collective: with the others'
  /// begin_job() or end_jobs().
  void end_jobs();

 private:
  std::vector<std::uint32_t> tell_next_job(std::uint32_t mine);

  std::uint32_t jobs_ = 0;
};

}  // namespace gossamer::fabric
