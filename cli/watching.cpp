#include "cli/watching.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

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

bool InterruptGuard::is_requested() const { return is_interrupt_requested(); }

bool is_interrupt_requested() { return is_flag_raised != 0; }

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

}  // namespace

ProgressLine::ProgressLine(bool is_wanted, std::string_view size)
    : is_on_(is_wanted && ::isatty(STDERR_FILENO) == 1), size_(size) {}

// Carriage return and "erase to the end of the line" (ECMA-48).
ProgressLine::~ProgressLine() {
  if (is_dirty_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(const Progress& progress) {
  if (!is_on_ || watch_.seconds() < next_seconds_) return;
  next_seconds_ = watch_.seconds() + kSecondsBetween;
  is_dirty_ = true;
  const TracePoint& now = progress.now;
  const std::string line =
      fmt::format("iteration {}  gap {:.1e}  {} {}  passes {:.0f}  left {}", now.iteration, now.relative_gap, size_,
                  now.nonzeros, now.data_passes, clock_text(progress.seconds_left));
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
}

Callback watching(ProgressLine& line, const InterruptGuard& interrupt) {
  return [&](const Progress& progress) {
    line.show(progress);
    return !interrupt.is_requested();
  };
}

}  // namespace pdbfw::cli
