#include "solvers/kept_gram.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/decompositions.hpp"

namespace pdbfw {
namespace {

constexpr Index kFewFeatures = 512;
constexpr double kMostPasses = 16;
// A curvature that has changed by less than this share is left as it was: the matrix gives a direction, not the answer.
constexpr double kNoticed = 0.05;

}  // namespace

bool KeptGram::pays(const DataMatrix& A) {
  if (A.columns() > kFewFeatures) return false;
  return std::visit(
      [&A](const auto& rows) {
        double products = 0;
        for (Index i = 0; i < rows.count; ++i)
          products += static_cast<double>(rows[i].size) * static_cast<double>(rows[i].size) / 2;
        return products <= kMostPasses * static_cast<double>(A.nonzeros());
      },
      A.by_row());
}

KeptGram::KeptGram(const Problem& problem)
    : p_(problem), curvature_(problem.b.size(), 0.0), lower_(Eigen::MatrixXd::Zero(problem.d(), problem.d())) {}

const Eigen::MatrixXd& KeptGram::at(std::span<const double> w, double least_curvature, double& multiply_adds) {
  const auto n = static_cast<double>(p_.n());
  const std::vector<double> at = shifted(w, p_.loss->free_columns(), p_.loss->free_weights(p_.b, w));
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < w.size(); ++i) {
          const double curvature = std::max(p_.loss->second_derivative(p_.b[i], at[i]), least_curvature);
          const double change = curvature - curvature_[i];
          if (std::abs(change) <= kNoticed * std::min(curvature, curvature_[i])) continue;
          curvature_[i] = curvature;
          const auto line = rows[static_cast<Index>(i)];
          for (Index k = 0; k < line.size; ++k) {
            double* const column = lower_.col(line.index(k)).data();  // indices ascend: l >= k is the lower triangle
            const double scale = change / n * static_cast<double>(line.value[k]);
            for (Index l = k; l < line.size; ++l) column[line.index(l)] += scale * static_cast<double>(line.value[l]);
          }
          multiply_adds += static_cast<double>(line.size * (line.size + 1)) / 2;
        }
      },
      p_.A->by_row());
  full_ = lower_.selfadjointView<Eigen::Lower>();
  if (p_.loss->has_free_columns()) centre(multiply_adds);
  return full_;
}

// H <- H - C M^-1 C' / n,  C = A' diag(h) Z,  M = Z' diag(h) Z,  h = f''                                     [M38]
void KeptGram::centre(double& multiply_adds) {
  const FreeColumns Z = p_.loss->free_columns();
  Eigen::MatrixXd C(p_.d(), Z.count), hZ(p_.n(), Z.count);
  for (Index c = 0; c < Z.count; ++c) {
    for (Index i = 0; i < p_.n(); ++i)
      hZ(i, c) = curvature_[static_cast<std::size_t>(i)] * Z[c][static_cast<std::size_t>(i)];
    multiply_transposed(*p_.A, {hZ.col(c).data(), p_.b.size()}, {C.col(c).data(), static_cast<std::size_t>(p_.d())});
  }
  multiply_adds += static_cast<double>(p_.A->nonzeros()) * static_cast<double>(Z.count);
  const Eigen::Map<const Eigen::MatrixXd> columns(Z.value.data(), p_.n(), Z.count);
  full_.noalias() -= C * solve_semidefinite(columns.transpose() * hZ, C.transpose()) / static_cast<double>(p_.n());
}

}  // namespace pdbfw
