// What samples of several outputs tell a certificate.                                                         [M2c]
#pragma once

#include "core/verdict.hpp"
#include "pdbfw/row_loss.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

// All terms but those of the regulariser and the set; W = A(X) with the intercepts, Y balanced. `samples` are those of
// all members of the team, if there is one; the sums of its loss are, too.
[[nodiscard]] CertificateTerms terms_of_rows(const RowLoss& loss, const Matrix& B, const Matrix& W, const Matrix& Y,
                                             Index samples, const TeamPtr& team, int threads);

}  // namespace pdbfw
