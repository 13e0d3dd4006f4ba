// Ctrl-C (and SIGTERM) ask once, politely.
#pragma once

#include <csignal>

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

}  // namespace pdbfw::cli
