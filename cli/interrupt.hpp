// Ctrl-C (and SIGTERM) ask once, politely.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string_view>

#include "io/bytes/byte_streams.hpp"

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

}  // namespace pdbfw::cli
