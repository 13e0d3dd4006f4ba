// What the families of several outputs share: the terms of a certificate that their samples tell, and checks.  [M2c]
#pragma once

#include <string_view>

#include "core/verdict.hpp"
#include "pdbfw/row_loss.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

// All terms but those of the regulariser and the set; W = A(X) with the intercepts, Y balanced. `samples` are those of
// all members of the team, if there is one; the sums of its loss are, too.
[[nodiscard]] CertificateTerms terms_of_rows(const RowLoss& loss, const Matrix& W, const Matrix& Y, Index samples,
                                             const TeamPtr& team, int threads);

// Throws InputError unless the loss has the targets of n samples, as it wants them for this number of outputs.
void check_targets(const RowLoss& loss, Index n, Index outputs);
// Throws InputError unless a matrix of this name has the wanted shape.
void check_shape(std::string_view name, Index rows, Index columns, Index wanted_rows, Index wanted_columns);

}  // namespace pdbfw
