#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace pdbfw::cli {
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
