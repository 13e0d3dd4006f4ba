#include "cli/watching.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "base/clock.hpp"

namespace pdbfw::cli {
namespace {

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t is_flag_raised = 0;

void raise_flag(int) { is_flag_raised = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  is_flag_raised = 0;
  struct sigaction polite {};
  polite.sa_handler = raise_flag;
  sigemptyset(&polite.sa_mask);
  // SA_RESETHAND: the second signal finds the default action again.
  polite.sa_flags = static_cast<int>(SA_RESETHAND | static_cast<unsigned>(SA_RESTART));
  sigaction(SIGINT, &polite, &old_int_);
  sigaction(SIGTERM, &polite, &old_term_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

bool InterruptGuard::is_requested() { return is_flag_raised != 0; }

namespace {

constexpr double kSecondsBetween = 0.1;

// "0:07", "12:00", "3:00:00"; "?" while unknown.
std::string clock_text(double seconds) {
  constexpr double kTooLong = 1e6;
  if (!(seconds >= 0 && seconds < kTooLong)) return "?";
  const auto whole = static_cast<int>(std::ceil(seconds));
  constexpr int kMinute = 60;
  constexpr int kHour = 60 * kMinute;
  if (whole < kHour) return fmt::format("{}:{:02}", whole / kMinute, whole % kMinute);
  return fmt::format("{}:{:02}:{:02}", whole / kHour, whole % kHour / kMinute, whole % kMinute);
}

class ProgressLine {
 public:
  explicit ProgressLine(std::string_view size) : size_(size) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  // Carriage return and "erase to the end of the line" (ECMA-48).
  ~ProgressLine() {
    if (is_dirty_) std::fputs("\r\x1b[K", stderr);
  }

  void show(const Progress& progress) {
    if (watch_.seconds() < next_seconds_) return;
    next_seconds_ = watch_.seconds() + kSecondsBetween;
    is_dirty_ = true;
    const TracePoint& now = progress.now;
    const std::string line =
        fmt::format("iteration {}  gap {:.1e}  {} {}  passes {:.0f}  left {}", now.iteration, now.relative_gap, size_,
                    now.nonzeros, now.data_passes, clock_text(progress.seconds_left));
    fmt::print(stderr, "\r{}\x1b[K", line);
    std::fflush(stderr);
  }

 private:
  std::string_view size_;
  bool is_dirty_ = false;
  double next_seconds_ = 0;
  Stopwatch watch_;
};

}  // namespace

Callback watching(bool is_wanted, const InterruptGuard& interrupt, std::string_view size) {
  const bool is_on = is_wanted && ::isatty(STDERR_FILENO) == 1;
  const auto line = is_on ? std::make_shared<ProgressLine>(size) : nullptr;
  return [line, &interrupt](const Progress& progress) {
    if (line) line->show(progress);
    return !interrupt.is_requested();
  };
}

}  // namespace pdbfw::cli
