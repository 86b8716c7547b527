#pragma once
// The events of a simulation: the last of them in a ring, and a digest of all. Two runs are equal exactly if
// their digests are. The ring can be written as a timeline for trace viewers (Chrome's JSON: ui.perfetto.dev,
// chrome://tracing), with one track per core and arrows for messages, or as a few lines of text around a
// failure.

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gossamer/simulation/internal/model.hpp"
#include "gossamer/simulation/internal/simulated_transport.hpp"

namespace gossamer::simulation {

class trace final : public message_listener {
 public:
  using trace_event = model::trace_event;

  struct record {
    enum class kind : std::uint8_t { trace_event, message, choice };
    kind is;
    trace_event what;  // of a trace_event
    std::uint32_t process = 0;  // a message's sender
    std::uint32_t core = 0;  // a message's receiver
    std::uint64_t from = 0, to = 0;
    std::uint64_t argument = 0;  // bytes of a message; answer of a choice
    const char* name = nullptr;  // of a choice
    bool operator==(const record&) const = default;
  };

  /// Keeps the last `most` records, 64 bytes each; none if they are not needed. Consecutive steps of a core
  /// without a pause are one record.
  explicit trace(std::size_t most);

  void note(trace_event what, unsigned process, unsigned core, std::uint64_t from, std::uint64_t to,
            std::uint64_t argument);
  void sent(unsigned from, unsigned to, std::size_t bytes, std::uint64_t leaves,
            std::uint64_t arrives) override;
  void chosen(const char* what, unsigned answer);

  /// Returns the digest of all records so far, kept or not.
  std::uint64_t digest() const { return digest_; }
  std::uint64_t total() const { return total_; }

  /// Returns the kept records, the oldest first.
  std::vector<record> kept() const;

  /// Returns the timeline, as JSON.
  std::string json() const;
  /// Returns the last records, one line each: "  12.345 us  process 3 core 1: idle until 13.000 us".
  std::string text(std::size_t most = 60) const;

 private:
  void add(const record& r);
  void mix(const record& r);
  bool continues(const record& r);

  std::size_t most_;
  std::vector<record> ring_;
  std::unordered_map<std::uint64_t, std::uint64_t> last_run_;  // by core: number of its last record
  std::uint64_t recorded_ = 0;  // records begun; total_ counts the events in them
  std::uint64_t total_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325;
};

}  // namespace gossamer::simulation
