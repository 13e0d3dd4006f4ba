// Where names meet types in the low-rank family: every loss, set and solver, once.
#pragma once

#include <span>
#include <string_view>

#include "core/low_rank_judge.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::low_rank {

// Throws InputError for an unknown name (with the nearest known one).
[[nodiscard]] const Solver& find_solver(std::string_view name);
[[nodiscard]] std::span<const Solver* const> solvers();

// As make_loss().
[[nodiscard]] std::shared_ptr<const RowLoss> make_row_loss(const Formulation& formulation, Matrix targets = {},
                                                           std::vector<double> sample_weight = {});
[[nodiscard]] std::shared_ptr<const SpectralSet> make_spectral_set(std::string_view name, double radius);
[[nodiscard]] std::vector<std::string_view> solver_names();

}  // namespace pdbfw::low_rank
