#include "core/row_terms.hpp"

#include <array>
#include <cmath>

#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {

CertificateTerms terms_of_rows(const RowLoss& loss, const Matrix& B, const Matrix& W, const Matrix& Y, Index samples,
                               const TeamPtr& team, int threads) {
  const auto n = static_cast<double>(samples);
  const double *w = W.data(), *y = Y.data();
  const auto entries = static_cast<std::size_t>(W.size());
  std::array<double, 2> products{pairwise_sum(0, entries, [&](std::size_t i) { return w[i] * y[i]; }),
                                 pairwise_sum(0, entries, [&](std::size_t i) { return std::abs(w[i] * y[i]); })};
  CertificateTerms terms;
  // Blocks first, then the sums of the blocks.
  terms.additions = 2 * static_cast<double>(pairwise_depth(entries));
  if (team) {
    team->sum(products);
    terms.additions += team->size();
  }
  terms.loss = loss.of_samples().total_value(B, W, threads) / n;
  terms.conjugate = loss.total_conjugate(B, Y, threads) / n;
  terms.product = products[0] / n;
  terms.size_of_product = products[1] / n;
  terms.objective_at_zero = loss.of_samples().total_value(B, Matrix::Zero(W.rows(), W.cols()), threads) / n;
  return terms;
}

}  // namespace pdbfw
