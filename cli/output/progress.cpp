#include "output/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gossamer/base/units.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

constexpr auto k_terminal_period = std::chrono::milliseconds(100);
constexpr auto k_plain_period = std::chrono::milliseconds(500);
constexpr auto k_idle_period = std::chrono::hours(1);  // while there is no step
constexpr double k_show_after_s = 0.3;   // a terminal: shorter steps do not flicker
constexpr double k_first_line_s = 1.0;   // elsewhere: then 2, 4, 8 … up to
constexpr double k_longest_gap_s = 30.0;
constexpr std::size_t k_line_columns = 78;

/// Returns the columns of a line that does not wrap: a wrapped line cannot be rewritten. Asks each time, because
/// terminals are resized.
std::size_t line_columns() {
  const std::size_t width = error_columns();
  return width == 0 ? k_line_columns : std::min(k_line_columns, width - 1);
}

}  // namespace

std::string progress_line(std::string_view step, double seconds, int decimals, std::uint64_t done,
                          std::uint64_t total, std::uint64_t bytes) {
  if (total == 0) return fmt::format("{} … {:.{}f} s", step, seconds, decimals);
  constexpr double k_first_guess_s = 1.0, k_minute_s = 60;
  const double share = static_cast<double>(std::min(done, total)) / static_cast<double>(total);
  std::string line = fmt::format("{} … {:.0f} %", step, 100 * share);
  if (bytes != 0 && share > 0 && seconds > 0)
    line += fmt::format(
        ", {}/s", format_bytes(static_cast<std::uint64_t>(share * static_cast<double>(bytes) / seconds)));
  line += fmt::format(", {:.{}f} s", seconds, decimals);
  if (seconds < k_first_guess_s || done == 0 || done >= total) return line;
  const double left = seconds / share - seconds;
  return line + (left < 2 * k_minute_s ? fmt::format(", {:.0f} s left", left)
                                       : fmt::format(", {:.0f} min left", left / k_minute_s));
}

progress::progress(bool quiet) : terminal_(error_is_terminal()) {
  if (!quiet) watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

progress::~progress() {
  watcher_.request_stop();
  if (watcher_.joinable()) watcher_.join();
  clear();
}

void progress::step(std::string_view what, std::uint64_t bytes) {
  {
    std::lock_guard hold(mutex_);
    clear();
    step_ = printable(what);
    bytes_ = bytes;
    started_ = clock::now();
    next_line_s_ = k_first_line_s;
    at(0, 0);
  }
  changed_.notify_one();
}

void progress::at(std::uint64_t done, std::uint64_t total) noexcept {
  done_.store(done, std::memory_order_relaxed);  // only shown: values of two different steps may be combined
  total_.store(total, std::memory_order_relaxed);
}

void progress::finish() {
  std::lock_guard hold(mutex_);
  clear();
  step_.clear();
}

void progress::watch(const std::stop_token& stop) {
  std::unique_lock hold(mutex_);
  while (!stop.stop_requested()) {
    const bool idle = step_.empty();
    if (!idle) show(clock::now());
    // wait() without a period would need the C++ library of gcc 12, and packages run with that of gcc 11 (ADR
    // 0088).
    const clock::duration period = idle ? k_idle_period : terminal_ ? k_terminal_period : k_plain_period;
    changed_.wait_for(hold, stop, period, [&] { return idle && !step_.empty(); });
  }
}

void progress::show(clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - started_).count();
  if (terminal_) {
    if (seconds < k_show_after_s) return;
    std::string text = shortened(line(seconds, 1), line_columns());
    if (text == shown_) return;
    write_error(fmt::format("\r{}\x1b[K", text));
    shown_ = std::move(text);
  } else if (seconds >= next_line_s_) {
    write_error(line(seconds, 0) + "\n");
    next_line_s_ += std::min(next_line_s_, k_longest_gap_s);
  }
}

void progress::clear() {
  if (!std::exchange(shown_, std::string()).empty()) write_error("\r\x1b[K");
}

}  // namespace gossamer::cli
