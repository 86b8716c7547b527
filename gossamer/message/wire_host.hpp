#pragma once
// The interface by which the wire notifies the cores of this process.

#include <functional>
#include <span>

#include "gossamer/fabric/wire.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::message {

struct wire_host final : fabric::wire::host {
  explicit wire_host(process_context& shared) : shared_(shared) {}

  void arrived(unsigned core) override {
    // seq_cst: before this process next reports whether it is quiet (world.hpp)
    shared_.sleepers.wake_epoch.fetch_add(1, std::memory_order_seq_cst);
    shared_.endpoints[core]->notify();
  }
  void left(fabric::packet& p) override {
    endpoint& owner = *shared_.endpoints[p.owner];
    fabric::packet_batch one;
    one.push(p);
    owner.out_.wire_pool(p.kind).put_batch(one);
    // seq_cst: the owner may continue, and is no sleeper then
    shared_.sleepers.wake_epoch.fetch_add(1, std::memory_order_seq_cst);
    owner.notify();
  }
  void note(unsigned from, std::span<const std::byte> text) override { on_note(from, text); }

  void bulk_over(unsigned core) override { arrived(core); }

  std::function<void(unsigned, std::span<const std::byte>)> on_note;  // while polling

 private:
  process_context& shared_;
};

}  // namespace gossamer::message
