#include "core/row_terms.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {
namespace {

void check_target(const RowLoss& loss, Index i, Index j, Index outputs) {
  const double b = loss.targets()(i, j);
  const auto refuse = [&](std::string_view rule) {
    throw InputError(fmt::format("B[{}, {}]", i, j), fmt::format("{}", b),
                     fmt::format("{} for the loss {}", rule, loss.name()));
  };
  switch (loss.target_kind()) {
    case RowTargetKind::numbers:
      if (!std::isfinite(b)) refuse("a finite number");
      break;
    case RowTargetKind::signs:
      if (b != -1 && b != 1) refuse("-1 or 1");
      break;
    case RowTargetKind::classes:
      if (!(b >= 0 && b < static_cast<double>(outputs) && b == std::floor(b)))
        refuse(fmt::format("a class, 0 .. {},", outputs - 1));
      break;
  }
}

}  // namespace

CertificateTerms terms_of_rows(const RowLoss& loss, const Matrix& W, const Matrix& Y, Index samples,
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
  terms.loss = loss.of_samples().total_value(W, threads) / n;
  terms.conjugate = loss.total_conjugate(Y, threads) / n;
  terms.product = products[0] / n;
  terms.size_of_product = products[1] / n;
  terms.objective_at_zero = loss.of_samples().total_value(Matrix::Zero(W.rows(), W.cols()), threads) / n;
  return terms;
}

void check_shape(std::string_view name, Index rows, Index columns, Index wanted_rows, Index wanted_columns) {
  if (rows != wanted_rows || columns != wanted_columns)
    throw InputError(name, fmt::format("{} x {}", rows, columns), fmt::format("{} x {}", wanted_rows, wanted_columns));
}

void check_targets(const RowLoss& loss, Index n, Index outputs) {
  const Matrix& B = loss.targets();
  const Index columns = loss.target_columns(outputs);
  if (B.rows() != n || B.cols() != columns)
    throw InputError("B", fmt::format("{} x {}", B.rows(), B.cols()),
                     fmt::format("{} x {}, the targets of all samples", n, columns));
  for (Index i = 0; i < B.rows(); ++i)
    for (Index j = 0; j < B.cols(); ++j) check_target(loss, i, j, outputs);
}

}  // namespace pdbfw
