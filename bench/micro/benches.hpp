#pragma once
// The micro-benchmarks of `gossamer bench`. Each is one function in a file of its own, which runs the jobs
// it needs (so: not from inside a job) and reports rows as it gets them. What a machine is too small
// for is skipped, with the reason.

#include <span>
#include <string>
#include <string_view>

#include "gossamer/base/function_ref.hpp"
#include "micro/measure.hpp"

namespace gossamer::bench {

class report {
 public:
  report(function_ref<void(row)> add, function_ref<void(std::string)> say) : add_(add), say_(say) {}

  void add(row r) const { add_(std::move(r)); }
  void skip(std::string_view bench, std::string_view name, std::string_view why) const {
    say_(fmt::format("{}: {}: left out: {}", bench, name, why));
  }
  /// Returns whether `bytes` of memory are available. Otherwise reports that the case is skipped.
  bool room_for(std::uint64_t bytes, std::string_view bench, std::string_view name) const;

 private:
  function_ref<void(row)> add_;
  function_ref<void(std::string)> say_;
};

struct micro {
  std::string_view name, summary;
  void (*run)(const settings&, const report&);
  bool several = false;    // also over the processes of a launcher
  bool simulated = false;  // also on virtual time
};

/// Returns the micro-benchmarks in the order in which they run.
std::span<const micro> micro_benches();

void yield(const settings&, const report&);
void create(const settings&, const report&);
void wake(const settings&, const report&);
void barriers(const settings&, const report&);
void pool(const settings&, const report&);
void cold_pools(const settings&, const report&);
void matching(const settings&, const report&);
void cold_matchings(const settings&, const report&);
void exchanges(const settings&, const report&);
void process_exchanges(const settings&, const report&);
void pingpong(const settings&, const report&);
void stream(const settings&, const report&);
void gups(const settings&, const report&);
void gather(const settings&, const report&);
void transfers(const settings&, const report&);
void call(const settings&, const report&);
void structures(const settings&, const report&);
void bandwidth(const settings&, const report&);
void delimited(const settings&, const report&);
void sorts(const settings&, const report&);
void map_reduces(const settings&, const report&);
void orderings(const settings&, const report&);
void containers(const settings&, const report&);
void host_calls(const settings&, const report&);

}  // namespace gossamer::bench
