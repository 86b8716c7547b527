#include "gossamer/machine/internal/node_monitor.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/internal/detached_process.hpp"
#include "gossamer/machine/internal/event_set.hpp"
#include "gossamer/machine/internal/loss_report.hpp"
#include "gossamer/machine/internal/node_heartbeat.hpp"
#include "gossamer/machine/internal/process_stat.hpp"
#include "gossamer/machine/internal/process_table.hpp"
#include "gossamer/machine/internal/shared_segments.hpp"
#include "gossamer/machine/internal/starting_group.hpp"
#include "gossamer/machine/internal/watch_links.hpp"
#include "gossamer/machine/internal/watched_launcher.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_ns_per_ms = 1'000'000;
constexpr std::uint64_t k_ask_ms = 1000;     // between SIGTERM and SIGKILL
constexpr std::uint64_t k_linger_ms = 1500;  // for which others of this job must not repeat the report
constexpr std::uint64_t k_launcher_ms =
    3000;  // for which a launcher may outlive processes that have ended the job
constexpr std::uint64_t k_interrupt_ms = 300;  // within which all end where one ends the whole job
constexpr std::uint64_t k_deferred_report_ms =
    100;  // for which a process killed at the start lets others report
constexpr std::uint64_t k_never = ~std::uint64_t{0};
constexpr unsigned k_checks = 16;  // in one time-out; a process stopped in more checks in a row is lost
constexpr unsigned k_end_checks = 2 * k_checks;  // at most so many while only launchers are left
constexpr unsigned k_start_ms = 20;  // more for each process of a job, within which launchers start all

/// The watch as a state machine: it takes events, passes them to its parts, and ends the job. The parts:
///
///   processes_  the processes of this node that have ended, and their order
///   links_      the reports of processes: that they leave, and, by closing, that they end
///   launcher_   whether the launcher lives; ends it if it hangs; top_launcher_ is its ancestor
///   starting_   missing or stopped processes, before the processes know each other
///   heartbeat_  heartbeats of the node before this one, after that
///   report_     the printed line
///
/// One thread runs all of it. It shares only the page with the process that has this watch.
class monitor {
 public:
  monitor(monitor_page& page, monitor_descriptors given) noexcept : page_(page), given_(given) {}
  [[noreturn]] void run() noexcept;

 private:
  enum class phase : std::uint8_t { starting, watching, closing, ending };
  // The number of an event: a process's number, k_links + a link's number, or one of these.
  static constexpr std::uint32_t k_control = ~0u - 1, k_listener = ~0u - 2, k_launcher = ~0u - 3,
                                 k_top_launcher = ~0u - 4, k_heartbeat = ~0u - 5, k_links = 1u << 16;

  int wait_ms() const noexcept;
  void handle(std::uint32_t what) noexcept;
  void hold_launchers() noexcept;
  void launcher_ended(std::uint32_t which) noexcept;
  void take_commands() noexcept;
  void handle_command(char command) noexcept;
  void watch_all() noexcept;
  void take_links() noexcept;
  void note(const watch_links::news& news) noexcept;
  void settle() noexcept;
  void classify(std::uint32_t i) noexcept;
  void check() noexcept;
  void check_start() noexcept;
  void check_end() noexcept;
  bool lost_another_at_start(std::uint32_t own) noexcept;
  void lost(std::uint32_t first) noexcept;
  void end_the_others() noexcept;
  void at_deadline() noexcept;
  void end_step() noexcept;
  bool waits_for_nodes() noexcept;
  bool waits_for_launchers() noexcept;
  bool leave_standard_error() noexcept;
  void hear_at_once() noexcept;
  void end() noexcept;
  loss_report& report() noexcept {
    if (processes_.is_gone(0)) report_.owner_is_gone();
    return report_;
  }
  sighting now() const noexcept { return {now_ns(), !draining_}; }
  void set_deadline(std::uint64_t ms) noexcept { deadline_ = now_ns() + ms * k_ns_per_ms; }
  std::uint64_t next_check() const noexcept {
    return page_.stopped_s == 0 ? k_never : last_check_ + page_.stopped_s * 1000 * k_ns_per_ms / k_checks;
  }
  bool is_first_node() const noexcept { return page_.own_node.number == 0; }
  bool launcher_stays() const noexcept {
    return processes_.all_gone() && (launcher_.stays() || top_launcher_.stays());
  }

  monitor_page& page_;
  monitor_descriptors given_;
  event_set events_;
  process_table processes_{page_.peers, events_};
  watch_links links_{events_, k_links};
  watched_launcher launcher_, top_launcher_;
  starting_group starting_;
  node_heartbeat heartbeat_;
  loss_report report_{page_};
  phase phase_ = phase::starting;
  std::uint64_t deadline_ = k_never;  // of the next step towards the end
  std::uint64_t last_check_ = 0;
  int most_descriptors_ = 1024;
  std::uint32_t suspect_ = 0;  // the process whose death has set the deadline
  bool began_ = false;  // a job: from then on the processes send each other heartbeats
  bool closes_ = false;  // the processes end in order
  bool draining_ = false;  // events that are read now may be old
  bool killed_ = false;  // all were sent SIGKILL, or are gone
  bool quiet_ = false;  // standard error is closed
  bool ends_ = false;  // the processes of all heard nodes have ended: only launchers are left
  unsigned end_checks_ = 0;  // since then
  bool hears_at_once_ = false;  // reads heartbeats at once, not only in checks
  bool patient_ = false;  // the launcher has its last seconds to end
};

void monitor::run() noexcept {
  int* const kept[] = {&given_.control, &given_.listener, &given_.own, &given_.heartbeat};
  most_descriptors_ =
      detach_process("gossamer-watch", kept);  // it needs up to three for each process of the node
  ::fcntl(given_.control, F_SETFL, O_NONBLOCK);
  if (!events_.open()) ::_exit(1);  // the process detects it at its next command
  last_check_ = now_ns();
  events_.add(given_.control, k_control);
  events_.add(given_.listener, k_listener);
  links_.listen(given_.listener, most_descriptors_);
  processes_.hold_first(given_.own);
  hold_launchers();
  while (true) {
    events_.wait(wait_ms(), [this](std::uint32_t what) { handle(what); });
    draining_ = false;
    settle();
    if (phase_ != phase::ending && processes_.poll_unheld(now())) settle();
    check();
    at_deadline();
    if (processes_.all_gone() && !processes_.one_dies() && phase_ != phase::ending && !report_.is_deferred())
      end();
  }
}

void monitor::handle(std::uint32_t what) noexcept {
  if (what == k_listener) return take_links();
  if (what == k_control) return take_commands();
  if (what == k_heartbeat) return heartbeat_.take();
  if (what == k_launcher || what == k_top_launcher) return launcher_ended(what);
  if (what < processes_.count()) return processes_.ended(what, now());
  if (what < k_links) return;
  if (const auto news = links_.read(what - k_links)) note(*news);
}

/// Holds the parent of the processes, and the launcher above it if there is one.
void monitor::hold_launchers() noexcept {
  launcher_.hold(page_.launcher, page_.launcher_start, page_.launcher_name, most_descriptors_, events_,
                 k_launcher, now_ns());
  if (page_.top_launcher != page_.launcher)
    top_launcher_.hold(page_.top_launcher, page_.top_launcher_start, page_.top_launcher_name,
                       most_descriptors_, events_, k_top_launcher, now_ns());
}

void monitor::launcher_ended(std::uint32_t which) noexcept {
  watched_launcher& ended = which == k_launcher ? launcher_ : top_launcher_;
  ended.ended(events_, now_ns());
  if (patient_ && !launcher_stays()) deadline_ = now_ns();
}

int monitor::wait_ms() const noexcept {
  std::uint64_t until = std::min(deadline_, processes_.forgets_at());
  if (phase_ <= phase::closing) until = std::min(until, next_check());
  if (phase_ != phase::ending) until = std::min(until, processes_.next_poll());
  if (phase_ != phase::ending && phase_ != phase::starting && launcher_.lost_since() != k_never)
    until = std::min(until, launcher_.lost_since() + k_interrupt_ms * k_ns_per_ms);
  if (until == k_never) return -1;
  const std::uint64_t at = now_ns();
  return until <= at ? 0 : static_cast<int>(std::min<std::uint64_t>((until - at) / k_ns_per_ms + 1, 60'000));
}

void monitor::take_commands() noexcept {
  char command = 0;
  ssize_t n = 0;
  while ((n = ::read(given_.control, &command, 1)) == 1) handle_command(command);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  events_.remove(given_.control);  // the process ends, or has closed unknown descriptors
  if (phase_ == phase::starting) report_.find_first();
}

void monitor::handle_command(char command) noexcept {
  if (command == k_dismiss && (phase_ == phase::starting || phase_ == phase::closing)) {
    heartbeat_.leave();
    ::_exit(0);
  }
  if (command == k_watch && phase_ == phase::starting) watch_all();
  if (command == k_began) began_ = true;
  if (command == k_closing) closes_ = true;
  if (command == k_closing && phase_ == phase::watching) phase_ = phase::closing;
  if (command == k_leaving) processes_.leaves(0);
}

/// Begins to watch all processes of this node, which now know each other.
void monitor::watch_all() noexcept {
  phase_ = phase::watching;
  last_check_ = now_ns();
  processes_.hold_all(page_.count, most_descriptors_, last_check_);
  hold_launchers();
  heartbeat_.begin(given_.heartbeat, page_.own_node, page_.next_node, page_.first_node,
                   {page_.heard, page_.heard_nodes});
  draining_ = true;
  for (std::uint32_t n = 0; n < links_.closed(); ++n) note(links_.told_by_closed(n));
  for (std::uint32_t l = 0; l < links_.count(); ++l)
    if (!links_.told(l).closed) note(links_.told(l));
  processes_.end_missing(now());
  draining_ = false;
}

/// Accepts new links, and reads their reports, which may be older than other ready events.
void monitor::take_links() noexcept {
  draining_ = true;
  const std::uint32_t known = links_.count();
  links_.take();
  for (std::uint32_t l = known; l < links_.count(); ++l)
    if (const auto news = links_.read(l)) note(*news);
}

void monitor::note(const watch_links::news& news) noexcept {
  const auto i = phase_ == phase::starting ? std::nullopt : processes_.find(news.rank, news.pid);
  if (!i) return;
  if (news.leaves) processes_.leaves(*i);
  if (news.closed) processes_.begins_to_die(*i, now());
}

/// Classifies deaths in the order of their first signs, each when it is complete. A report that a process
/// made before its death counts, however late this is.
void monitor::settle() noexcept {
  if (!processes_.one_dies()) return;
  draining_ = true;
  links_.take();
  for (std::uint32_t l = 0; l < links_.count(); ++l)
    if (const auto news = links_.read(l)) note(*news);
  draining_ = false;
  while (const auto i = processes_.next_death(now_ns())) classify(*i);
}

void monitor::classify(std::uint32_t i) noexcept {
  if (phase_ == phase::ending) return;
  const int status = processes_.status(i);
  const int signal_number = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const bool asked = signal_number == SIGTERM || signal_number == SIGHUP || signal_number == SIGQUIT ||
                     signal_number == SIGXCPU;
  if (processes_.one_leaves() ||
      signal_number == SIGINT) {  // one that leaves has reported why; Ctrl-C was typed
    report().ended_in_order(processes_.process(i), processes_.one_leaves());
    return end_the_others();
  }
  if (phase_ == phase::closing && (signal_number == 0 || asked))
    return;  // launchers end all processes because of the exit code of one
  report_.defer(phase_ == phase::starting && signal_number == SIGKILL && links_.closed() == 0);
  if (!asked && !report_.is_deferred())
    return lost(deadline_ != k_never ? suspect_ : i);  // also while it ends: it did not finish
  if (deadline_ != k_never) return;
  suspect_ = i;
  set_deadline(report_.is_deferred() ? k_deferred_report_ms : k_interrupt_ms);
}

/// Checks for stopped, missing or silent processes and nodes. Counts checks, not the time between them. A node
/// that was suspended as a whole finds its processes stopped once when it continues, not for as long as it
/// was suspended.
void monitor::check() noexcept {
  if (now_ns() < next_check() || phase_ == phase::ending) return;
  last_check_ = now_ns();
  if (phase_ == phase::starting) return check_start();
  heartbeat_.check();
  if (phase_ == phase::closing) return check_end();
  // Before the first job only this informs other nodes about the only process of this node.
  const bool is_alone = processes_.count() == 1 && page_.processes > 1 && !began_;
  if (const auto stopped = processes_.find_stopped(k_checks, is_alone)) {
    report().stopped(processes_.process(*stopped).rank, processes_.process(*stopped).pid);
    return end_the_others();
  }
  const heartbeat_peer* silent = heartbeat_.lost(k_checks);
  if (silent == nullptr && !began_) silent = heartbeat_.never_heard(k_checks);
  if (silent == nullptr || processes_.one_leaves()) return;
  if (const heartbeat_peer* const hearer = heartbeat_.hearer_of(*silent, k_checks))
    report().apart(*silent, *hearer);
  else
    report().silent(*silent);
  end_the_others();
}

/// Checks for a silent node after the processes here have ended in order, while the launcher waits for that
/// node.
void monitor::check_end() noexcept {
  end_checks_ += ends_ ? 1 : 0;
  const heartbeat_peer* const silent =
      ends_ ? heartbeat_.silent_to_the_end(k_checks) : heartbeat_.silent(k_checks);
  if (silent == nullptr || !processes_.all_gone()) return;
  closes_ = false;
  report().silent(*silent);
  end_the_others();
}

/// Checks for stopped and missing processes until the processes know each other. Process 0 waits for the
/// time-out, longer in jobs of many processes. The others wait some seconds more, each for a different time:
/// one line is enough, and the launcher, or its end if it hangs, ends the others.
void monitor::check_start() noexcept {
  if (page_.processes < 2 || processes_.is_gone(0)) return;
  const watched_process& own = processes_.process(0);
  starting_.begin_check();
  for_each_process([&](int pid) {
    const process_stat seen = stat_of(pid);
    if (pid != own.pid && seen.parent != page_.parent) return;
    const int rank =
        pid == own.pid ? static_cast<int>(own.rank) : environment_number(pid, page_.rank_variable);
    if (rank >= 0) starting_.see(static_cast<std::uint32_t>(rank), pid, seen.state);
  });
  const std::uint64_t others_ms =
      own.rank == 0 ? 0 : k_launcher_ms + 1000 + 1000 * own.rank / page_.processes;
  const std::uint64_t later_ms = others_ms + k_start_ms * page_.processes;
  const auto later =
      static_cast<unsigned>((later_ms * k_checks + 999 * page_.stopped_s) / (1000 * page_.stopped_s));
  const auto found = starting_.end_check(k_checks, k_checks + later, page_.processes);
  if (found == starting_group::finding::nothing) return;
  if (found == starting_group::finding::stopped)
    report().stopped(starting_.stopped_rank(), starting_.stopped_pid());
  else
    report().waited(starting_);
  end_the_others();
}

/// Reports the loss of another process and ends the job if a launcher's kill came first; returns whether it
/// did. That happens before the processes know each other. The cause is the first process to end with a link
/// to this watch.
bool monitor::lost_another_at_start(std::uint32_t own) noexcept {
  const int status = processes_.status(own);
  if (phase_ != phase::starting || links_.closed() == 0 || status < 0 || !WIFSIGNALED(status)) return false;
  const watch_links::news first = links_.told_by_closed(0);
  if (WTERMSIG(status) != SIGKILL || first.rank == watch_links::k_unknown) return false;
  report().lost(first.rank, first.pid);
  end_the_others();
  return true;
}

void monitor::lost(std::uint32_t first) noexcept {
  if (lost_another_at_start(first)) return;
  const std::uint32_t i = processes_.cause_of(first, now());
  report().lost(processes_.process(i), processes_.status(i));
  end_the_others();
}

void monitor::end_the_others() noexcept {
  phase_ = phase::ending;
  processes_.signal_all(SIGTERM, report_.owner_survives());
  set_deadline(k_ask_ms);
}

/// Does what is due. A launcher that has got SIGTERM ends the processes, too: gives them time for it.
void monitor::at_deadline() noexcept {
  const bool watches_launcher = phase_ == phase::watching || phase_ == phase::closing;
  if (watches_launcher && launcher_.lost_since() != k_never && !processes_.all_gone() &&
      now_ns() >= launcher_.lost_since() + k_interrupt_ms * k_ns_per_ms) {
    report().launcher_lost();
    end_the_others();
  }
  if (phase_ == phase::ending && processes_.all_gone() && !quiet_) {
    quiet_ = killed_ = true;
    ::close(STDERR_FILENO);  // the launcher waits for its end
    set_deadline(k_linger_ms);
  }
  if (deadline_ == k_never || now_ns() < deadline_) return;
  if (phase_ == phase::ending) return end_step();
  deadline_ = k_never;
  lost(suspect_);
}

/// Makes the next step towards the end: kills the processes, waits for the launcher, ends it, exits.
void monitor::end_step() noexcept {
  if (!killed_) {
    killed_ = true;
    processes_.signal_all(SIGKILL, report_.owner_survives());
    return set_deadline(k_linger_ms);
  }
  if (launcher_stays() && !patient_) {
    patient_ = true;
    return set_deadline(k_launcher_ms - k_linger_ms);
  }
  if (launcher_stays()) {
    top_launcher_.end();
    launcher_.end();
  }
  if (report_.was_printed()) remove_dead_segments(page_.since_s);
  ::_exit(0);
}

void monitor::hear_at_once() noexcept {
  if (!std::exchange(hears_at_once_, true)) events_.add(given_.heartbeat, k_heartbeat);
}

/// Returns whether the launcher here waits for nodes that have not announced that they leave.
bool monitor::waits_for_nodes() noexcept {
  heartbeat_.take();
  if (!is_first_node() || !heartbeat_.waits() || !launcher_stays()) return false;
  hear_at_once();
  return true;
}

/// Returns whether launchers are still to end: the one here, and on the first node those of the others. A
/// node that is lost now would block the first launcher for ever. Some launchers stay for other jobs: waits
/// for them at most two time-outs.
bool monitor::waits_for_launchers() noexcept {
  if (page_.heard_nodes == 0 || page_.stopped_s == 0 || end_checks_ >= k_end_checks || !launcher_stays())
    return false;
  if (is_first_node() && !heartbeat_.waits_to_the_end()) return false;
  if (!ends_ && !leave_standard_error()) return false;
  if (is_first_node()) hear_at_once();
  return ends_ = true;
}

/// Closes standard error, because the launcher waits for its end. On the first node a later line goes to the
/// launcher's standard error, if that is available: returns whether it is.
bool monitor::leave_standard_error() noexcept {
  if (!is_first_node()) {
    quiet_ = true;
    return ::close(STDERR_FILENO) == 0;
  }
  const int opened = (top_launcher_.stays() ? top_launcher_ : launcher_).open_standard_error();
  if (opened < 0) return false;
  const bool is_ours = ::dup2(opened, STDERR_FILENO) == STDERR_FILENO;
  ::close(opened);
  return is_ours;
}

/// Exits once all processes have ended and nothing is left to report. If they have ended in order, the watch
/// stays while launchers wait for other nodes. If the launcher has ended them, because the job was ended on
/// another node, gives it a few seconds for its own end.
void monitor::end() noexcept {
  if (phase_ == phase::starting) ::_exit(0);
  if (closes_) heartbeat_.leave();
  if (closes_ && (waits_for_nodes() || waits_for_launchers())) return;
  if (closes_) heartbeat_.go();
  if (closes_ || !launcher_stays()) ::_exit(0);
  phase_ = phase::ending;
  quiet_ = killed_ = patient_ = true;
  ::close(STDERR_FILENO);
  set_deadline(k_launcher_ms);
}

}  // namespace

void run_monitor(monitor_page& page, monitor_descriptors given) noexcept { monitor(page, given).run(); }

}  // namespace gossamer::machine
