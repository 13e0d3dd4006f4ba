// What runs between the library's iterations: Ctrl-C, and the caller's own callback.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

#include "pdbfw/result.hpp"

namespace pdbfw::python {

// Solves run without the interpreter's lock. It is taken about twenty times per second to look for signals, and for
// every call of the caller's own function. Whatever Python raises ends the solve and is raised again when it has ended.
//
//   Watch watch(callable);                       // or None
//   const Result result = watch.run([&](const Callback& callback) { return solve(problem, settings, callback); });
class Watch {
 public:
  explicit Watch(nanobind::object callable) : callable_(std::move(callable)) {}

  template <class Solve>
  auto run(Solve solve) {
    auto result = [&] {
      const nanobind::gil_scoped_release released;
      return solve([this](const Progress& progress) { return go_on(progress); });
    }();
    if (has_raised_) throw nanobind::python_error();
    return result;
  }

 private:
  bool go_on(const Progress& progress);

  using Clock = std::chrono::steady_clock;
  nanobind::object callable_;
  Clock::time_point looked_ = Clock::now();
  bool has_raised_ = false;
};

}  // namespace pdbfw::python
