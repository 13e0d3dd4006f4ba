#include "watch.hpp"

#include "outcome.hpp"

namespace nb = nanobind;

namespace pdbfw::python {

bool Watch::go_on(const Progress& progress) {
  if (has_raised_) return false;
  // Often enough for a person at the keyboard, too seldom to be felt in the time of a solve.
  constexpr std::chrono::milliseconds kBetweenLooks(50);
  const Clock::time_point now = Clock::now();
  const bool is_due = now - looked_ >= kBetweenLooks;
  if (!is_due && callable_.is_none()) return true;

  const nb::gil_scoped_acquire held;
  if (is_due) {
    looked_ = now;
    if (PyErr_CheckSignals() != 0) {
      has_raised_ = true;
      return false;
    }
  }
  if (callable_.is_none()) return true;
  try {
    const nb::object answer = callable_(progress_to_dict(progress));
    // A function that returns nothing only watches.
    return answer.is_none() || nb::cast<bool>(nb::bool_(answer));
  } catch (nb::python_error& error) {
    error.restore();
    has_raised_ = true;
    return false;
  }
}

}  // namespace pdbfw::python
