// While a command works: Ctrl-C (and SIGTERM) ask once, politely, and one line on the terminal is rewritten in place.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string_view>

#include "base/clock.hpp"
#include "io/bytes/byte_streams.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw::cli {

// While it lives the first SIGINT or SIGTERM only raises a flag; a second one ends the program at once, as it would
// have without us. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  [[nodiscard]] bool is_requested() const;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

// Whether the guard that lives, or the last one, has seen a signal.
[[nodiscard]] bool is_interrupt_requested();

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted; no file was written") {}
};

// Passes text on until the guard has seen a signal; throws Interrupted then, and the owner of the file removes what it
// has written so far.
class InterruptibleSink final : public TextSink {
 public:
  InterruptibleSink(TextSink& sink, const InterruptGuard& interrupt) : sink_(sink), interrupt_(interrupt) {}

  void write(std::string_view text) override {
    if (interrupt_.is_requested()) throw Interrupted();
    sink_.write(text);
  }

 private:
  TextSink& sink_;
  const InterruptGuard& interrupt_;
};

// One line on the terminal that is rewritten in place while a solve runs.
class ProgressLine {
 public:
  // Stays silent when not wanted, and when standard error is no terminal. `size` is what TracePoint::nonzeros counts.
  explicit ProgressLine(bool is_wanted, std::string_view size = "non-zeros");
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();  // clears the line

  void show(const Progress& progress);

 private:
  bool is_on_;
  std::string_view size_;
  bool is_dirty_ = false;
  double next_seconds_ = 0;
  Stopwatch watch_;
};

// A callback that shows the line and stops when interrupted; good as long as both live.
[[nodiscard]] Callback watching(ProgressLine& line, const InterruptGuard& interrupt);

// What `solve` gives back, called with such a callback; the line is gone then.
template <class Solve>
[[nodiscard]] auto watched(bool is_wanted, const InterruptGuard& interrupt, const Solve& solve,
                           std::string_view size = "non-zeros") {
  ProgressLine line(is_wanted, size);
  return solve(watching(line, interrupt));
}

}  // namespace pdbfw::cli
