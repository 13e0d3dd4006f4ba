// The judge of the low-rank family, for callers that certify again and again.
#pragma once

#include "core/row_terms.hpp"
#include "core/spectral_set.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// As certify(); `top` starts from the subspace of the last certificate, and `part` is the set's part of the dual value.
// X must have orthonormal factors. A Y without rows stands for the dual candidate of X, and is filled in.
// The problem of a team must have gone through over_team().
[[nodiscard]] Verdict certify(const Problem& problem, const Factors& X, Matrix& Y, double slack, TopSpectrum& top,
                              SpectralDualPart& part);

}  // namespace pdbfw::low_rank
