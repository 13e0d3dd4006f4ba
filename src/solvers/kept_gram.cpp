#include "solvers/kept_gram.hpp"

#include <algorithm>
#include <cmath>

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

const Eigen::MatrixXd& KeptGram::at(std::span<const double> w, double& multiply_adds) {
  const auto n = static_cast<double>(p_.n());
  const bool is_first = full_.size() == 0;
  const double t = p_.loss->intercept(p_.b, w);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < w.size(); ++i) {
          const double curvature = is_first ? p_.loss->smoothness() : p_.loss->second_derivative(p_.b[i], w[i] + t);
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
  if (p_.loss->has_intercept()) centre(multiply_adds);
  return full_;
}

// H <- H - c c',  c = A'h / (n |h / n|_1^1/2),  h = f''                                                       [M38]
void KeptGram::centre(double& multiply_adds) {
  double total = 0;
  for (const double h : curvature_) total += h;
  if (!(total > 0)) return;
  Eigen::VectorXd c(p_.d());
  multiply_transposed(*p_.A, curvature_, {c.data(), static_cast<std::size_t>(c.size())});
  multiply_adds += static_cast<double>(p_.A->nonzeros());
  full_.noalias() -= c * (c / (total * static_cast<double>(p_.n()))).transpose();
}

}  // namespace pdbfw
