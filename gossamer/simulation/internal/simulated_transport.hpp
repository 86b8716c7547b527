#pragma once
// A simulated network, and each process's end of it (fabric::transport). A message leaves when the sender's
// adapter and the link are free. It travels for the latency plus the time of its bytes, perhaps longer (by
// the seed). The receiver's adapter takes one message after another. Messages between two processes keep
// their order; others are ordered by time. Bytes are copied when sent. A bulk move leaves once both sides
// have begun it and the sender polls. Its bytes are copied only then, so data that change too early are
// detected. One thread: the simulation's. Numbers and units: network.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "gossamer/fabric/transport.hpp"
#include "gossamer/simulation/internal/engine_interface.hpp"
#include "gossamer/simulation/network.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::simulation {

/// Notified of every message, for a trace.
class message_listener {
 public:
  virtual ~message_listener() = default;
  virtual void sent(unsigned from, unsigned to, std::size_t bytes, std::uint64_t leaves,
                    std::uint64_t arrives) = 0;
};

/// The network of all processes: messages in flight, and until when adapters and links are busy. Memory:
/// messages in flight, and 16 bytes for each pair of processes that has communicated.
class fabric_model {
 public:
  /// `listener` may be null.
  fabric_model(const network& n, unsigned processes, std::optional<options::loss> lose,
               message_listener* listener);
  ~fabric_model();
  fabric_model(const fabric_model&) = delete;
  fabric_model& operator=(const fabric_model&) = delete;

  /// Returns the end of one process; this object must outlive it.
  std::unique_ptr<fabric::transport> connect(unsigned process, engine_interface& engine);

  /// Returns the minimum time from the beginning of a send until another process can receive the message.
  std::uint64_t least_ns() const { return net_.send_ns + net_.latency_ns; }

 private:
  friend class simulated_transport;

  struct message {
    std::uint64_t arrives;  // at the receiver's adapter, which may be busy
    std::uint64_t number;  // global number: orders messages with equal times
    unsigned from;
    std::uint64_t size;
    std::vector<std::byte> bytes;
    bool is_move = false;  // a bulk move, which has its bytes itself: this only passes the adapter
    unsigned tag = 0;      // of the move
  };
  struct way {  // from one process to another
    std::uint64_t free = 0, last_arrival = 0;
  };
  struct adapter {
    std::uint64_t out_free = 0, in_free = 0;
    std::vector<message> coming;  // a heap, the earliest first
    std::deque<message> come;  // received by the adapter, in order; `arrives`: when that was done
    std::vector<way> ways;  // by receiver, from the first message on
  };

  /// The state of a bulk move.
  struct move {
    std::span<const std::byte> data;
    std::span<std::byte> into;
    unsigned begun = 0;  // number of sides that have begun
    std::uint64_t latest = 0;  // the later beginning
    std::uint64_t left = 0;  // when the adapter is done with it; set once both sides have begun
    std::uint64_t arrives = k_never;  // set once the receiver's adapter knows when it is through
    bool is_announced = false;  // to the receiver, which looks then
    std::vector<std::byte> bytes;  // set once it has left
  };
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};
  using move_name = std::tuple<unsigned, unsigned, unsigned>;  // from, to, tag

  static bool later(const message& a, const message& b);
  struct sending {
    std::uint64_t free, found;
  };

  /// Sends a message at `t`; `delay` is added to its time. Returns when the sender's buffer is free again and
  /// when the receiver may get the message, which is later if the receiver's adapter is busy.
  sending send(unsigned from, unsigned to, std::span<const std::byte> data, std::uint64_t t,
               std::uint64_t delay);
  void put(unsigned from, unsigned to, std::span<const std::byte> data, std::uint64_t arrives);
  void add(unsigned to, message m);
  /// Returns when a move that both sides have begun will have left.
  void schedule(const move_name& name, move& m);
  /// Makes a move leave at `t`. Returns when it reaches the receiver's adapter; k_never where it is lost.
  std::uint64_t depart(const move_name& name, move& m, std::uint64_t t, std::uint64_t delay);
  /// Returns when so many bytes that are asked for at `t` have begun to leave: `waits` later, or once adapter and link are free. The
  /// adapter is busy with them for as long as they take, but not while they wait.
  std::uint64_t leaves_at(unsigned from, unsigned to, std::uint64_t bytes, std::uint64_t t,
                          std::uint64_t waits);
  /// Has the adapter of a process receive what has come until `t`, one after the other.
  void admit(unsigned process, std::uint64_t t);
  /// Takes the next message that the adapter has received at `t`. If there is none, sets `again` to the time
  /// to poll again if the adapter is receiving one, else 0.
  std::optional<message> take(unsigned process, std::uint64_t t, std::uint64_t& again);
  std::uint64_t adapter_time(std::uint64_t bytes) const;
  std::uint64_t rendezvous_time() const;
  void recycle(std::vector<std::byte>&& buffer);
  bool lost(unsigned process, std::uint64_t t) const;

  network net_;
  unsigned processes_;
  std::optional<options::loss> lose_;
  message_listener* listener_;
  std::uint64_t sent_ = 0;
  std::vector<adapter> adapters_;
  std::map<move_name, move> moves_;
  std::array<std::vector<std::byte>, 2>
      gatherings_;  // two: a fast process may begin the next while a slow one still reads
  std::vector<std::vector<std::byte>> buffers_;  // of received messages
};

}  // namespace gossamer::simulation
