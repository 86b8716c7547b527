#include "gossamer/parallel/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

#include "gossamer/base/units.hpp"

namespace gossamer {
namespace {

constexpr double k_worth_saying = 0.05;  // of the core time

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Returns a share for people, without digits that the next run would not reproduce.
std::string share_text(double share) {
  const double percent = 100 * share;
  return percent > 0 && percent < 1 ? "less than 1 %" : fmt::format("{:.0f} %", percent);
}

void add(core_record& to, const core_record& more) {
  to.ns += more.ns;
  to.cpu_ns += more.cpu_ns;
  const std::uint64_t fibers = std::max(to.count.fibers_peak, more.count.fibers_peak);  // no sum
  for (const counter_field& field : k_counter_fields) to.count.*field.member += more.count.*field.member;
  to.count.fibers_peak = fibers;
}

/// What a phase is about, by the first word of its name: advice differs.
enum class kind : std::uint8_t { reading, verifying, writing, between_calls, computing };

kind kind_of(std::string_view name) {
  constexpr std::string_view k_reading[] = {"reading", "opening", "loading", "dealing"};
  const std::string_view first = name.substr(0, name.find(' '));
  if (std::ranges::find(k_reading, first) != std::end(k_reading)) return kind::reading;
  if (name == "between calls") return kind::between_calls;
  if (first == "verifying") return kind::verifying;
  if (first == "writing" || first == "storing") return kind::writing;
  return kind::computing;
}

const char* advice_on_reading(const run_record& run) {
  return run.parses_graph
             ? "keep the graph in the native format (gossamer convert G FILE.gsg), which is opened, not read"
             : "a compressed file is read by one core: unpack or split it";
}

std::uint64_t idle_ns(const core_record& c) { return std::min(c.count.idle_ns, c.ns); }
std::uint64_t busy_ns(const core_record& c) { return c.ns - idle_ns(c); }

/// The parts of a core time in nanoseconds.
struct parts {
  double working = 0, no_processor = 0, for_the_busiest = 0, without_work = 0;

  double sum() const { return working + no_processor + for_the_busiest + without_work; }
  parts& operator+=(const parts& other) {
    working += other.working;
    no_processor += other.no_processor;
    for_the_busiest += other.for_the_busiest;
    without_work += other.without_work;
    return *this;
  }
  time_shares shares() const {
    return {ratio(working, sum()), ratio(no_processor, sum()), ratio(for_the_busiest, sum()),
            ratio(without_work, sum())};
  }
};

/// The core that has worked longest in a phase, or its process if all its cores have.
struct busiest {
  std::size_t first = 0, cores = 1;  // their numbers
  bool is_process = false;
  double works = 0, others_work = 0;  // shares of the time of the phase; averages
};

/// A phase, with values that are computed once.
class phase_time {
 public:
  phase_time(const phase_record& p, const run_record& run) : record(p), run_(run) {
    for (const core_record& c : p.cores) {
      most_busy_ = std::max(most_busy_, busy_ns(c));
      longest_ = std::max(longest_, c.ns);
    }
    for (const core_record& c : p.cores) {
      const std::uint64_t busy = busy_ns(c);
      const std::uint64_t elsewhere = run.has_cpu_time && c.cpu_ns < busy ? busy - c.cpu_ns : 0;
      const std::uint64_t behind = std::min(idle_ns(c), most_busy_ - busy);
      of += {.working = static_cast<double>(busy - elsewhere),
             .no_processor = static_cast<double>(elsewhere),
             .for_the_busiest = static_cast<double>(behind),
             .without_work = static_cast<double>(idle_ns(c) - behind)};
    }
  }

  double seconds() const { return static_cast<double>(longest_) * 1e-9; }
  kind about() const { return kind_of(record.name); }

  /// Returns the sum of a counter over some cores.
  double sum(std::uint64_t counters::* what, std::size_t first, std::size_t n) const {
    double all = 0;
    for (std::size_t c = first; c < first + n; ++c) all += static_cast<double>(record.cores[c].count.*what);
    return all;
  }
  double sum(std::uint64_t counters::* what) const { return sum(what, 0, record.cores.size()); }

  busiest find_busiest() const;

  const phase_record& record;
  parts of;

 private:
  double mean_busy(std::size_t first, std::size_t n) const {
    double all = 0;
    for (std::size_t c = first; c < first + n; ++c) all += static_cast<double>(busy_ns(record.cores[c]));
    return all / static_cast<double>(n);
  }

  const run_record& run_;
  std::uint64_t most_busy_ = 0, longest_ = 0;
};

busiest phase_time::find_busiest() const {
  constexpr double k_as_busy =
      0.7;  // all cores of a process that is named are at least as busy, relative to its busiest
  const auto& cores = record.cores;
  const auto at = std::ranges::max_element(cores, {}, busy_ns) - cores.begin();
  busiest b{.first = static_cast<std::size_t>(at)};
  const std::size_t of_process = std::max(1U, run_.cores_of_process);
  if (cores.size() > of_process && cores.size() % of_process == 0) {
    const std::size_t first = b.first / of_process * of_process;
    const auto alike = [&](const core_record& c) {
      return static_cast<double>(busy_ns(c)) >= k_as_busy * static_cast<double>(most_busy_);
    };
    if (std::all_of(cores.begin() + static_cast<std::ptrdiff_t>(first),
                    cores.begin() + static_cast<std::ptrdiff_t>(first + of_process), alike))
      b = {.first = first, .cores = of_process, .is_process = true};
  }
  const double mine = mean_busy(b.first, b.cores);
  const auto all = static_cast<double>(cores.size()), few = static_cast<double>(b.cores);
  const double others = all > few ? (mean_busy(0, cores.size()) * all - mine * few) / (all - few) : 0;
  b.works = ratio(mine, static_cast<double>(longest_));
  b.others_work = ratio(others, static_cast<double>(longest_));
  return b;
}

class explaining {
 public:
  explicit explaining(const run_record& run);
  explanation explain();

 private:
  void busiest_of(const phase_time& p);
  void no_processor_of(const phase_time& p);
  void without_work_of(const phase_time& p);
  void whole_phase(const phase_time& p);
  void packets();
  void stealing();
  void full_pools();
  void memory();
  void balance();

  std::string in_phase(const phase_time& p) const {
    return phases_.size() > 1 ? fmt::format(" in \"{}\"", p.record.name) : std::string();
  }
  std::string phase_name(const phase_time& p) const {
    return phases_.size() > 1 ? p.record.name : std::string();
  }
  double sum(std::uint64_t counters::* what) const {
    double all = 0;
    for (const phase_time& p : phases_) all += p.sum(what);
    return all;
  }
  double idle_share() const { return shares_.for_the_busiest + shares_.without_work; }
  double share_of_all(double ns) const { return ratio(ns, all_.sum()); }

  const run_record& run_;
  std::vector<phase_record> merged_;  // phases of the same name are one
  std::vector<phase_time> phases_;
  parts all_;
  time_shares shares_;
  double seconds_ = 0;
  double most_without_work_ = 0;  // of a finding that says so: findings that may explain it follow it
  explanation answer_;
};

explaining::explaining(const run_record& run) : run_(run) {
  for (const phase_record& p : run.phases) {
    if (!p.cores.empty()) add_phase(merged_, p);
  }
  for (const phase_record& p : merged_) {
    phases_.emplace_back(p, run_);
    all_ += phases_.back().of;
    seconds_ += phases_.back().seconds();
  }
  shares_ = all_.shares();
}

/// Finds a counter that distinguishes the busiest core of a phase: it has more of it than the others.
struct distinction {
  const char* verb;
  const char* things;
  std::uint64_t counters::* what;
  const char* advice;
};
constexpr distinction k_distinctions[] = {
    {"handles", "messages", &counters::handled,
     "spread what many ask for over more cores, or let requests for it merge before they travel "
     "(GOSSAMER_COMBINING=both for structures)"},
    {"runs", "tasks", &counters::tasks,
     "deal the work in smaller tasks (GOSSAMER_LOOP_GRAIN, spawn_stealable()), so that idle cores get some"},
    {"sends", "messages", &counters::messages,
     "let all cores issue operations, each for a part of the data (on_all_cores(), forall())"},
};

void explaining::busiest_of(const phase_time& p) {
  const double share = share_of_all(p.of.for_the_busiest);
  if (share < k_worth_saying || p.about() == kind::between_calls || p.record.cores.size() < 2) return;
  constexpr double k_alone = 0.15, k_much_more = 2, k_few = 1000;
  const busiest b = p.find_busiest();
  const auto cores = static_cast<double>(p.record.cores.size());
  const std::size_t process = b.first / std::max(1U, run_.cores_of_process);
  const bool several = p.record.cores.size() > run_.cores_of_process;
  const std::string name = b.is_process ? fmt::format("process {}", process)
                           : several    ? fmt::format("core {} of process {}", b.first, process)
                                        : fmt::format("core {}", b.first);
  finding f{.key = "for_the_busiest",
            .phase = phase_name(p),
            .share = share,
            .share_of = "core time",
            .core_time = share};
  f.numbers = {{b.is_process ? "process" : "core", static_cast<double>(b.is_process ? process : b.first)},
               {"works", b.works},
               {"others_work", b.others_work}};
  f.text = fmt::format("{} of core time waits for {}{}", share_text(share), name, in_phase(p));
  const auto known = std::ranges::find_if(run_.known, [&](const known_of_process& each) {
    return each.process == process && p.about() == kind::computing;
  });
  if (known != run_.known.end()) {
    f.text += fmt::format(", which {}", known->what);
    f.advice = known->advice;
  }
  f.text += fmt::format(": it works {} of the time there, the others {} on average", share_text(b.works),
                        share_text(b.others_work));
  if (b.others_work > 0 && b.works >= 1.5 * b.others_work)
    f.text += fmt::format(", {:.1f} times as long", b.works / b.others_work);
  for (const distinction& d : k_distinctions) {
    const double all = p.sum(d.what), mine = p.sum(d.what, b.first, b.cores);
    if (all < k_few || mine / all < k_much_more * static_cast<double>(b.cores) / cores) continue;
    f.text += fmt::format("; it {} {} of all {}", d.verb, share_text(mine / all), d.things);
    f.numbers.emplace_back(fmt::format("{}_share", d.what == &counters::handled ? "handled"
                                                   : d.what == &counters::tasks ? "tasks"
                                                                                : "messages"),
                           mine / all);
    if (f.advice.empty()) f.advice = d.advice;
    break;
  }
  if (f.advice.empty() && p.about() == kind::verifying)
    f.advice = "a check is serial: leave out --verify where the answer is not in doubt";
  if (f.advice.empty() && p.about() == kind::reading) f.advice = advice_on_reading(run_);
  if (f.advice.empty() && b.first == 0 && b.others_work < k_alone)
    f.advice =
        "the main fiber computes alone there: fewer cores take no longer, a loop over all cores would help";
  if (f.advice.empty())
    f.advice =
        "divide the work by its weight, not by its number of parts, or let idle cores take chunks "
        "(forall_chunks())";
  answer_.findings.push_back(std::move(f));
}

void explaining::no_processor_of(const phase_time& p) {
  const double share = share_of_all(p.of.no_processor);
  if (share < k_worth_saying) return;
  finding f{.key = "no_processor",
            .phase = phase_name(p),
            .share = share,
            .share_of = "core time",
            .core_time = share};
  const bool files = p.about() == kind::reading || p.about() == kind::writing;
  f.text =
      fmt::format("cores had work but did not run for {} of core time{}: {}", share_text(share), in_phase(p),
                  files ? "they waited for files" : "other programs had the processors, or the system did");
  f.advice =
      files ? "a faster disk, a compressed file, or a second run, which finds the file in memory"
            : "stop other programs, or give the job as many cores as there are free processors (--cores)";
  answer_.findings.push_back(std::move(f));
}

void explaining::without_work_of(const phase_time& p) {
  const double share = share_of_all(p.of.without_work);
  if (share < k_worth_saying || p.about() == kind::between_calls) return;
  constexpr double k_few_fibers = 16;
  double fibers = 0;
  for (const core_record& c : p.record.cores)
    fibers = std::max(fibers, static_cast<double>(c.count.fibers_peak));
  const double messages = p.sum(&counters::messages);
  finding f{.key = "without_work",
            .phase = phase_name(p),
            .share = share,
            .share_of = "core time",
            .core_time = share};
  f.numbers = {{"most_fibers", fibers}, {"messages", messages}};
  f.text = fmt::format("cores had no work for {} of core time{}: {}", share_text(share), in_phase(p),
                       p.record.cores.size() == 1 ? "the core waited for the system"
                       : messages > 0 ? "messages were under way, or cores met at the end of a step"
                                      : "fibers waited, and no message was under way");
  if (fibers < k_few_fibers) {
    f.text += fmt::format("; a core never had more than {} at once",
                          plural(static_cast<std::uint64_t>(fibers), "fiber", "fibers"));
    f.advice =
        "start more operations before waiting for one, so that the waits overlap; for a small input, fewer "
        "cores";
  } else {
    f.advice =
        "a larger input or fewer cores and processes: what is done between two steps is too little for so "
        "many";
  }
  most_without_work_ = std::max(most_without_work_, share);
  answer_.findings.push_back(std::move(f));
}

/// Finds phases beside the computation itself that take much of the time.
void explaining::whole_phase(const phase_time& p) {
  constexpr double k_much = 0.2;
  if (phases_.size() < 2) return;
  const double share = ratio(p.seconds(), seconds_);
  const kind about = p.about();
  if (about == kind::computing || share < k_much) return;
  const time_shares in = p.of.shares();
  finding f{.key = about == kind::reading     ? "reading"
                   : about == kind::verifying ? "verifying"
                   : about == kind::writing   ? "writing"
                                              : "between_calls",
            .phase = p.record.name,
            .share = share,
            .share_of = "time",
            .core_time = share_of_all(p.of.sum())};
  f.numbers = {{"seconds", p.seconds()}, {"working", in.working}};
  f.text = fmt::format("\"{}\" took {} of the time ({}); cores worked for {} of it", p.record.name,
                       share_text(share), format_duration(p.seconds()), share_text(in.working));
  f.advice = about == kind::reading     ? advice_on_reading(run_)
             : about == kind::verifying ? "leave out --verify where the answer is not in doubt"
             : about == kind::writing
                 ? "write a compressed file, or to another disk"
                 : "the program that calls (Python) computes there: fewer calls, with more to do in each";
  answer_.findings.push_back(std::move(f));
}

void explaining::packets() {
  constexpr double k_half = 0.5, k_few = 100;
  const bool wire = sum(&counters::wire_packets) >= k_few;
  const double packets = sum(&counters::packets);
  const double room = wire ? sum(&counters::wire_room) : sum(&counters::packet_room);
  const double fill = ratio(wire ? sum(&counters::wire_bytes) : sum(&counters::bytes), room);
  if (packets < k_few || room == 0 || fill >= k_half || idle_share() < k_worth_saying) return;
  struct reason {
    const char* key;
    const char* why;
    const char* advice;
    double packets;
  };
  const reason reasons[] = {
      {"idle", "their core had nothing else to do",
       "cores run out of work before packets fill: start more operations at once, or use fewer cores",
       sum(&counters::flush_idle)},
      {"age", "of the flush delay: their oldest message had waited for it",
       "let messages wait longer (GOSSAMER_FLUSH_DELAY_US; gossamer sweep --set flush_delay_us=50..20000:log "
       "finds how long)",
       sum(&counters::flush_age)},
      {"request", "a fiber asked for it, to wait for an answer",
       "wait for many operations at once (async_*, finish()) in place of one after the other (call, read)",
       sum(&counters::flush_request)}};
  const reason& most = *std::ranges::max_element(reasons, {}, &reason::packets);
  const double share = ratio(most.packets, packets);
  finding f{.key = "packets", .share = share, .share_of = "packets", .core_time = most_without_work_};
  f.numbers = {{"packets", packets}, {"fill", fill}, {fmt::format("flush_{}", most.key), most.packets}};
  f.text = fmt::format("packets{} leave {} full: {} of all packets left because {}",
                       wire ? " between processes" : "", share_text(fill), share_text(share), most.why);
  f.advice = most.advice;
  answer_.findings.push_back(std::move(f));
}

void explaining::stealing() {
  constexpr double k_tries = 1000, k_seldom = 0.2;
  double found = 0;
  for (const auto size :
       {&counters::steals_of_1, &counters::steals_of_2, &counters::steals_of_4, &counters::steals_of_8,
        &counters::steals_of_16, &counters::steals_of_32, &counters::steals_of_64, &counters::steals_of_128})
    found += sum(size);
  const double tries = sum(&counters::steal_attempts);
  // Cores without tasks to take also search; failed searches are no finding if no task was stolen.
  if (tries < k_tries || found == 0 || found > k_seldom * tries || idle_share() < k_worth_saying) return;
  finding f{.key = "stealing", .share = 1 - found / tries, .share_of = "tries", .core_time = idle_share()};
  f.numbers = {{"tries", tries}, {"found", found}, {"tasks", sum(&counters::steals)}};
  f.text = fmt::format("stealing found nothing in {} of {} tries", share_text(f.share),
                       format_count(static_cast<std::uint64_t>(tries)));
  f.advice =
      "cores look for work that is not there: split it finer (GOSSAMER_LOOP_GRAIN, smaller tasks), or take "
      "fewer cores";
  answer_.findings.push_back(std::move(f));
}

void explaining::full_pools() {
  constexpr double k_often = 0.001;
  const double waits = sum(&counters::pool_waits), messages = sum(&counters::messages);
  if (waits == 0 || waits < k_often * messages) return;
  finding f{.key = "pool_waits",
            .share = ratio(waits, messages),
            .share_of = "messages",
            .core_time = most_without_work_};
  f.numbers = {{"waits", waits}, {"messages", messages}};
  f.text = fmt::format("fibers waited {} for a packet or for room in a lane: their receivers do not keep up",
                       plural(static_cast<std::uint64_t>(waits), "time", "times"));
  f.advice =
      "receivers are the limit: spread what is sent to them; more packets (GOSSAMER_PACKETS) help with "
      "bursts only";
  answer_.findings.push_back(std::move(f));
}

void explaining::memory() {
  constexpr double k_mostly = 0.5;
  double working = 0;
  for (const phase_time& p : phases_)
    if (p.about() == kind::computing) working += p.of.working;
  const double share = share_of_all(working);
  if (run_.cache_bytes == 0 || run_.data_bytes <= run_.cache_bytes || share < k_mostly) return;
  finding f{.key = "memory", .share = share, .share_of = "core time", .core_time = share};
  f.numbers = {{"data_bytes", static_cast<double>(run_.data_bytes)},
               {"cache_bytes", static_cast<double>(run_.cache_bytes)}};
  f.text = fmt::format(
      "cores compute {} of core time on {} of data, {:.1f} times the last-level cache ({}): part of it is "
      "waits for "
      "memory, which no counter tells",
      share_text(share), format_bytes(run_.data_bytes),
      static_cast<double>(run_.data_bytes) / static_cast<double>(run_.cache_bytes),
      format_bytes(run_.cache_bytes));
  f.advice =
      "more cores or processes on more memory channels help, a faster clock does not; huge pages do "
      "(gossamer doctor)";
  answer_.findings.push_back(std::move(f));
}

/// Adds a finding if nothing else takes much.
void explaining::balance() {
  constexpr double k_good = 0.8;
  const auto is_contrary = [](const finding& f) { return f.key != "memory"; };
  if (shares_.working < k_good || std::ranges::any_of(answer_.findings, is_contrary)) return;
  finding f{.key = "balanced", .share = shares_.working, .share_of = "core time"};
  f.text = fmt::format("cores work {} of core time, and share the work evenly", share_text(shares_.working));
  f.advice = "more cores, or another method: waiting is not what takes the time";
  answer_.findings.push_back(std::move(f));
}

explanation explaining::explain() {
  answer_.seconds = seconds_;
  answer_.cores = phases_.empty() ? 0 : static_cast<unsigned>(phases_.front().record.cores.size());
  answer_.shares = shares_;
  for (const phase_time& p : phases_) {
    answer_.phases.push_back({p.record.name, p.seconds(), p.of.shares()});
    whole_phase(p);
    busiest_of(p);
    no_processor_of(p);
    without_work_of(p);
  }
  if (all_.sum() > 0) {
    packets();
    stealing();
    full_pools();
    memory();
    balance();
  }
  std::ranges::stable_sort(answer_.findings, std::ranges::greater(), &finding::core_time);
  return std::move(answer_);
}

}  // namespace

void add_phase(std::vector<phase_record>& all, const phase_record& more) {
  const auto same = std::ranges::find_if(all, [&more](const phase_record& p) {
    return p.name == more.name && p.cores.size() == more.cores.size();
  });
  if (same == all.end()) return all.push_back(more);
  for (std::size_t c = 0; c < more.cores.size(); ++c) add(same->cores[c], more.cores[c]);
}

explanation explain(const run_record& run) { return explaining(run).explain(); }

}  // namespace gossamer
