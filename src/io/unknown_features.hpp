// Features of the data that a model has not seen.
#pragma once

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Columns of A from `width` on that hold at least one entry.
[[nodiscard]] Index count_unknown_features(const DataMatrix& A, Index width);

}  // namespace pdbfw
