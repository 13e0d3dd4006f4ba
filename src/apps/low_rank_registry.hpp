// Where names meet types in the low-rank family: every loss, set and solver, once.
#pragma once

#include <memory>
#include <string_view>

#include "core/low_rank_solver.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::low_rank {

// Throws InputError for an unknown name (with the nearest known one).
[[nodiscard]] std::unique_ptr<const Solver> make_solver(std::string_view name);

}  // namespace pdbfw::low_rank
