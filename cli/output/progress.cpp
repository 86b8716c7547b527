#include "output/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output/terminal.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

constexpr auto k_terminal_period = std::chrono::milliseconds(100);
constexpr auto k_plain_period = std::chrono::milliseconds(500);
constexpr double k_show_after_s = 0.3;   // a terminal: shorter steps do not flicker
constexpr double k_first_line_s = 1.0;   // elsewhere: then 2, 4, 8 … up to
constexpr double k_longest_gap_s = 30.0;
constexpr std::size_t k_line_columns = 78;

/// Cuts the text between characters, so that the line does not wrap: a wrapped line cannot be rewritten.
std::string shortened(std::string text) {
  while (display_width(text) > k_line_columns) {
    while ((static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    text.pop_back();
  }
  return text;
}

}  // namespace

progress::progress(bool quiet) : terminal_(error_is_terminal()) {
  if (!quiet) watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

progress::~progress() {
  watcher_.request_stop();
  if (watcher_.joinable()) watcher_.join();
  clear();
}

void progress::step(std::string_view what) {
  {
    std::lock_guard hold(mutex_);
    clear();
    step_ = printable(what);
    started_ = clock::now();
    next_line_s_ = k_first_line_s;
    at(0, 0);
  }
  changed_.notify_one();
}

void progress::at(std::uint64_t done, std::uint64_t total) noexcept {
  done_.store(done, std::memory_order_relaxed);  // only shown: a pair of different steps does no harm
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
    if (step_.empty()) {
      changed_.wait(hold, stop, [this] { return !step_.empty(); });
    } else {
      show(clock::now());
      changed_.wait_for(hold, stop, terminal_ ? k_terminal_period : k_plain_period, [] { return false; });
    }
  }
}

void progress::show(clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - started_).count();
  if (terminal_) {
    if (seconds < k_show_after_s) return;
    std::string text = shortened(line(seconds, 1));
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

std::string progress::line(double seconds, int decimals) const {
  const std::uint64_t done = done_.load(std::memory_order_relaxed);
  const std::uint64_t total = total_.load(std::memory_order_relaxed);
  if (total == 0) return fmt::format("{} … {:.{}f} s", step_, seconds, decimals);
  const double share = static_cast<double>(std::min(done, total)) / static_cast<double>(total);
  return fmt::format("{} … {:.0f} %, {:.{}f} s", step_, 100 * share, seconds, decimals);
}

}  // namespace gossamer::cli
