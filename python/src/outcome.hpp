// Results as dictionaries; python/pdbfw/_result.py makes objects of them.
#pragma once

#include <nanobind/nanobind.h>

#include "pdbfw/factors.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw::python {

[[nodiscard]] nanobind::dict certificate_to_dict(const Certificate& certificate);
[[nodiscard]] nanobind::dict progress_to_dict(const Progress& progress);
// All that results of both families have.
[[nodiscard]] nanobind::dict outcome_to_dict(const Outcome& outcome);
[[nodiscard]] nanobind::tuple factors_to_tuple(const Factors& X);

}  // namespace pdbfw::python
