// Results as dictionaries; python/pdbfw/_result.py makes objects of them.
#pragma once

#include <nanobind/nanobind.h>

#include "pdbfw/low_rank.hpp"

namespace pdbfw::python {

[[nodiscard]] nanobind::dict certificate_to_dict(const Certificate& certificate);
[[nodiscard]] nanobind::dict progress_to_dict(const Progress& progress);
// All that results of both families have.
[[nodiscard]] nanobind::dict outcome_to_dict(const Outcome& outcome);
// The same with the factors, and the dual point, which is taken.
[[nodiscard]] nanobind::dict low_rank_to_dict(low_rank::Result& result);

}  // namespace pdbfw::python
