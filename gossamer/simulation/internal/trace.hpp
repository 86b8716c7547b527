#pragma once
// What happened in a simulation, bounded: the last of it in a ring, and a digest of all of it. Two runs are
// the same exactly if their digests are. The ring becomes a time line for the usual trace viewers (Chrome's
// JSON: ui.perfetto.dev, chrome://tracing), one track per core, arrows for messages; or a few lines of text
// around a failure.

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
    trace_event what;             // of a trace_event
    std::uint32_t process = 0;  // a message's sender
    std::uint32_t core = 0;     // a message's receiver
    std::uint64_t from = 0, to = 0;
    std::uint64_t argument = 0;  // bytes of a message; of a choice its answer
    const char* name = nullptr;  // of a choice
    bool operator==(const record&) const = default;
  };

  /// Keeps the last `most` records, 64 bytes each; none where there is no need for them. Steps of a core that
  /// follow each other without a pause are one record.
  explicit trace(std::size_t most);

  void note(trace_event what, unsigned process, unsigned core, std::uint64_t from, std::uint64_t to,
            std::uint64_t argument);
  void sent(unsigned from, unsigned to, std::size_t bytes, std::uint64_t leaves,
            std::uint64_t arrives) override;
  void chosen(const char* what, unsigned answer);

  /// Returns the digest of all records so far, kept or not.
  std::uint64_t digest() const { return digest_; }
  std::uint64_t total() const { return total_; }

  /// Returns the records kept, the oldest first.
  std::vector<record> kept() const;

  /// Returns the time line, as JSON.
  std::string json() const;
  /// Returns the last records, a line each: "  12.345 us  process 3 core 1: idle until 13.000 us".
  std::string text(std::size_t most = 60) const;

 private:
  void add(const record& r);
  void mix(const record& r);
  bool continues(const record& r);

  std::size_t most_;
  std::vector<record> ring_;
  std::unordered_map<std::uint64_t, std::uint64_t> last_run_;  // of a core: number of its record
  std::uint64_t recorded_ = 0;  // records begun; total_ counts what they stand for
  std::uint64_t total_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325;
};

}  // namespace gossamer::simulation
