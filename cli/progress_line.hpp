// One line on the terminal that is rewritten in place while a solve runs.
#pragma once

#include <string_view>

#include "base/clock.hpp"
#include "cli/interrupt.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw::cli {

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
