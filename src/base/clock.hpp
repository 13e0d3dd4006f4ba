// Seconds since it was made, on a clock that never goes back.
#pragma once

#include <chrono>

namespace pdbfw {

inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Stopwatch {
 public:
  using Clock = double (*)();
  Stopwatch() : Stopwatch(steady_seconds) {}
  // By another clock: a test says what time it is, and need not wait.
  explicit Stopwatch(Clock clock) : clock_(clock), start_(clock()) {}

  [[nodiscard]] double seconds() const { return clock_() - start_; }

 private:
  Clock clock_;
  double start_;
};

}  // namespace pdbfw
