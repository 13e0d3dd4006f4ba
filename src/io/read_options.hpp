// ReadOptions: their rule, and how a matrix that is there already is made to meet them.
#pragma once

#include "pdbfw/data_file.hpp"

namespace pdbfw {

// Throws InputError when min_features is out of range.
void check_read_options(const ReadOptions& options);

// The matrix itself when it is wide and narrow enough; else one that is. Dense data that are widened become sparse, as
// they would from text. Throws InputError for a value beyond the largest float.
[[nodiscard]] MatrixPtr fitted(const MatrixPtr& A, const ReadOptions& options);

}  // namespace pdbfw
