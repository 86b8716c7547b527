#include "micro/benches.hpp"

#include <array>

#include "gossamer/base/units.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::bench {
namespace {

constexpr std::array k_benches{
    micro{"yield", "switching among 2 to 1,000,000 fibers of a core", yield},
    micro{"create", "a fiber's life on a reused stack; its memory", create},
    micro{"wake", "waking a fiber on the same core and on another", wake},
    micro{"barrier", "barriers of all cores, by algorithm", barriers, true, true},
    micro{"pool", "packets out of a pool and back", pool},
    micro{"pool-cold", "the same in 1,000 runs, with caches emptied before each", cold_pools},
    micro{"matching", "senders and receivers meeting in the matching table", matching},
    micro{"matching-cold", "the same in 1,000 runs, with caches emptied before each", cold_matchings},
    micro{"exchange", "messages there and back through one shared matching table, by library of fibers",
          exchanges},
    micro{"exchange-processes", "the same between two processes, each with a table of its own",
          process_exchanges},
    micro{"pingpong", "messages there and back between fibers of two cores", pingpong, true},
    micro{"stream", "small messages from one core to another", stream, true},
    micro{"gups", "random updates of a table, shipped to its owners", gups},
    micro{"gather", "random reads of a table with an answer each", gather},
    micro{"transfers", "puts and gets of 16 KiB to 1 MiB, beside memcpy", transfers, true},
    micro{"call", "blocking calls from many fibers", call},
    micro{"structures", "stack, queue, set and map of the job, asked by 2,048 fibers on every core",
          structures},
    micro{"bandwidth", "payloads of 8 bytes to 64 KiB, aggregated and not; messages of 1 MiB", bandwidth,
          true},
    micro{"delimited", "two of five columns out of CSV, TSV and text between blanks", delimited},
    micro{"sort", "arrays of 4 and 8 million integers, sorted by regular sampling", sorts},
    micro{"mapreduce", "four MapReduce jobs by both engines, with their stages, beside serial loops",
          map_reduces, false, true},
    micro{"ordering",
          "words in order: the sort stage of MapReduce, beside a merge by one core and by messages",
          orderings, false, true},
    micro{"containers", "what map functions emit into: open addressing beside chaining and a tree",
          containers},
    micro{"runtime", "empty calls of a host program, cores awake and asleep", host_calls},
};

}  // namespace

std::span<const micro> micro_benches() { return k_benches; }

bool report::room_for(std::uint64_t bytes, std::string_view bench, std::string_view name) const {
  const std::uint64_t left = machine::available_memory();
  if (bytes <= left) return true;
  skip(bench, name, fmt::format("needs {}, {} available", format_bytes(bytes), format_bytes(left)));
  return false;
}

}  // namespace gossamer::bench
