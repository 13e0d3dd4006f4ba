// What Python and the library hand each other: problems, results, and what runs between the iterations of a solve.
#pragma once

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "base/clock.hpp"
#include "bindings.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw::python {

// Options by name, through the one table that the command line uses too (fields.hpp), with the same names, rules and
// messages; None leaves the default.
[[nodiscard]] Request request_of(const nanobind::dict& options);

// `arrays` has those that are given of: sample_weight, ridge_scale, penalty_weight (numbers), free_features (integers)
// and atoms (a matrix). Python counts the features of `A` from 0, and so do the errors here.
[[nodiscard]] Formulation formulation_of(const Request& request, const nanobind::dict& arrays, const DataMatrix& A);

// Results as dictionaries; python/pdbfw/_result.py makes objects of them.
[[nodiscard]] nanobind::dict certificate_to_dict(const Certificate& certificate);
[[nodiscard]] Certificate certificate_from(const nanobind::dict& given);
// All that results of both families have.
[[nodiscard]] nanobind::dict outcome_to_dict(const Outcome& outcome);
// The same with the factors, and the dual point, which is taken.
[[nodiscard]] nanobind::dict low_rank_to_dict(low_rank::Result& result);

// Solves run without the interpreter's lock. It is taken about twenty times per second to look for signals, and for
// every call of the caller's own function. Whatever Python raises ends the solve and is raised again when it has ended.
class Watch {
 public:
  // `callable` is the caller's own, or None.
  explicit Watch(nanobind::object callable) : callable_(std::move(callable)) {}

  // What `solve` gives back, called with a callback that watches over it.
  template <class Solve>
  auto run(Solve solve) {
    auto result = released([&] { return solve([this](const Progress& progress) { return go_on(progress); }); });
    if (has_raised_) throw nanobind::python_error();
    return result;
  }

 private:
  bool go_on(const Progress& progress);

  nanobind::object callable_;
  Stopwatch since_look_;
  bool has_raised_ = false;
};

}  // namespace pdbfw::python
