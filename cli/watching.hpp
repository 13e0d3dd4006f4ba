// While a command works: Ctrl-C (and SIGTERM) ask once, politely, and one line on the terminal is rewritten in place.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string_view>

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

  // Whether the guard that lives, or the last one, has seen a signal.
  [[nodiscard]] static bool is_requested();

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

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

// A callback that rewrites one line on the terminal and stops when interrupted; the line is gone with the callback. It
// stays silent when not wanted, and when standard error is no terminal. `size` is what TracePoint::nonzeros counts.
[[nodiscard]] Callback watching(bool is_wanted, const InterruptGuard& interrupt, std::string_view size = "non-zeros");

// What `solve` gives back, called with such a callback.
template <class Solve>
[[nodiscard]] auto watched(bool is_wanted, const InterruptGuard& interrupt, const Solve& solve,
                           std::string_view size = "non-zeros") {
  return solve(watching(is_wanted, interrupt, size));
}

}  // namespace pdbfw::cli
