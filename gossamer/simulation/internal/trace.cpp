#include "gossamer/simulation/internal/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "gossamer/base/random.hpp"

namespace gossamer::simulation {
namespace {

using record = trace::record;
using trace_event = model::trace_event;

constexpr unsigned k_network_track = 1'000'000;  // beside the cores of its process

struct shown {
  const char* name;
  bool lasts;
};

constexpr shown how(trace_event what) {
  switch (what) {
    case trace_event::run:
      return {"run", true};
    case trace_event::idle:
      return {"idle", true};
    case trace_event::timed_wait:
      return {"timed wait", true};
    case trace_event::meet:
      return {"meet", true};
    case trace_event::wake:
      return {"wake", false};
    case trace_event::arrival:
      return {"arrival", false};
    case trace_event::end:
      return {"end", false};
  }
  return {"?", false};
}

/// Prints microseconds, to the nanosecond.
std::string us(std::uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

/// Writes the events of a time line, one per line.
class json_lines {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    out_ += out_.empty() ? "\n" : ",\n";
    out_ += fmt::format(text, std::forward<Args>(args)...);
  }

  /// A track is named once.
  void track(unsigned process, unsigned core) {
    if (!tracks_.emplace(process, core).second) return;
    if (processes_.insert(process).second)
      add(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":"process {}"}}}})", process,
          process);
    const std::string name = core == k_network_track ? "network" : fmt::format("core {}", core);
    add(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})", process, core, name);
  }

  void happened(const record& r) {
    track(r.process, r.core);
    const shown s = how(r.what);
    if (s.lasts)
      add(R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"argument":{}}}}})", s.name,
          r.process, r.core, us(r.from), us(r.to - r.from), r.argument);
    else
      add(R"({{"ph":"i","s":"t","name":"{}","pid":{},"tid":{},"ts":{},"args":{{"argument":{}}}}})", s.name,
          r.process, r.core, us(r.from), r.argument);
  }

  /// A mark at both ends and an arrow between them.
  void message(const record& r) {
    track(r.process, k_network_track);
    track(r.core, k_network_track);
    const unsigned id = ++arrows_;
    end_of_message(r.process, "send", r.from, r.argument);
    add(R"({{"ph":"s","name":"message","cat":"message","id":{},"pid":{},"tid":{},"ts":{}}})", id, r.process,
        k_network_track, us(r.from));
    end_of_message(r.core, "receive", r.to, r.argument);
    add(R"({{"ph":"f","bp":"e","name":"message","cat":"message","id":{},"pid":{},"tid":{},"ts":{}}})", id,
        r.core, k_network_track, us(r.to));
  }

  std::string all() const { return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" + out_ + "\n]}\n"; }

 private:
  void end_of_message(unsigned process, const char* what, std::uint64_t at, std::uint64_t bytes) {
    add(R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":0.001,"args":{{"bytes":{}}}}})", what,
        process, k_network_track, us(at), bytes);
  }

  std::string out_;
  std::set<std::pair<unsigned, unsigned>> tracks_;
  std::set<unsigned> processes_;
  unsigned arrows_ = 0;
};

std::string text_of(const record& r) {
  switch (r.is) {
    case record::kind::choice:
      return fmt::format("{:>14}  choice {}: {}", "", r.name, r.argument);
    case record::kind::message:
      return fmt::format("{:>14}  process {} sends {} bytes to process {}, there at {}", us(r.from),
                         r.process, r.argument, r.core, us(r.to));
    case record::kind::trace_event:
      break;
  }
  const shown s = how(r.what);
  return fmt::format("{:>14}  process {} core {}: {}{}", us(r.from), r.process, r.core, s.name,
                     s.lasts ? " until " + us(r.to) : "");
}

}  // namespace

trace::trace(std::size_t most) : most_(most) {}

void trace::note(trace_event what, unsigned process, unsigned core, std::uint64_t from, std::uint64_t to,
                 std::uint64_t argument) {
  add({record::kind::trace_event, what, process, core, from, std::max(from, to), argument, nullptr});
}

void trace::sent(unsigned from, unsigned to, std::size_t bytes, std::uint64_t leaves, std::uint64_t arrives) {
  add({record::kind::message, trace_event::run, from, to, leaves, arrives, bytes, nullptr});
}

void trace::chosen(const char* what, unsigned answer) {
  record r{record::kind::choice, trace_event::run, 0, 0, 0, 0, answer, what};
  add(r);
}

void trace::mix(const record& r) {
  const std::uint64_t kinds = std::uint64_t(r.is) << 8 | std::uint64_t(r.what);
  for (const std::uint64_t v : {kinds, std::uint64_t{r.process} << 32 | r.core, r.from, r.to, r.argument})
    digest_ = hash64(digest_ ^ v);
  if (r.name != nullptr)
    for (const char c : std::string_view(r.name)) digest_ = hash64(digest_ ^ static_cast<unsigned char>(c));
}

void trace::add(const record& r) {
  mix(r);
  ++total_;
  if (most_ == 0 || continues(r)) return;
  if (ring_.size() < most_)
    ring_.push_back(r);
  else
    ring_[recorded_ % most_] = r;
  ++recorded_;
}

/// Returns whether `r` is the next step of a core that has not paused since its last one, which is still
/// kept. Where it is, extends that one.
bool trace::continues(const record& r) {
  if (r.is != record::kind::trace_event || r.what != trace_event::run) return false;
  const auto [at, first] = last_run_.try_emplace(std::uint64_t{r.process} << 32 | r.core, recorded_);
  if (!first && recorded_ - at->second <= most_) {
    record& last = ring_[at->second % most_];
    if (last.to == r.from) {
      last.to = r.to;
      return true;
    }
  }
  at->second = recorded_;
  return false;
}

std::vector<trace::record> trace::kept() const {
  std::vector<record> all(ring_);
  if (ring_.size() == most_ && most_ != 0)
    std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(recorded_ % most_), all.end());
  return all;
}

std::string trace::json() const {
  json_lines lines;
  for (const record& r : kept()) {
    if (r.is == record::kind::trace_event) lines.happened(r);
    if (r.is == record::kind::message) lines.message(r);
  }
  return lines.all();
}

std::string trace::text(std::size_t most) const {
  const auto all = kept();
  const std::size_t first = all.size() > most ? all.size() - most : 0;
  std::string out = fmt::format("the last {} of {} events, times in us:\n", all.size() - first, recorded_);
  for (std::size_t i = first; i < all.size(); ++i) out += text_of(all[i]) + "\n";
  return out;
}

}  // namespace gossamer::simulation
