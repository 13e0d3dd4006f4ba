#include "pdbfw/formulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "apps/registry.hpp"
#include "regularisers/diagonal_ridge.hpp"
#include "regularisers/ridge.hpp"

namespace pdbfw {
namespace {

std::shared_ptr<const Regulariser> make_regulariser(const Formulation& f, Index n, Index d) {
  if (!(f.ridge.value >= 0 && std::isfinite(f.ridge.value)))
    throw InputError("ridge", to_string(f.ridge), "a finite number >= 0, or such a number followed by /n");
  const double mu = f.ridge.weight(n);
  if (f.ridge_scale.empty()) return std::make_shared<RidgeRegulariser>(mu);
  if (static_cast<Index>(f.ridge_scale.size()) != d)
    throw InputError("ridge_scale", fmt::format("{} factors", f.ridge_scale.size()),
                     fmt::format("one for each of {} features", d));
  std::vector<double> q;
  q.reserve(f.ridge_scale.size());
  for (const double scale : f.ridge_scale) {
    if (!(scale >= 0 && std::isfinite(scale)))
      throw InputError("ridge_scale", fmt::format("{}", scale), "finite factors >= 0");
    q.push_back(mu * scale);
  }
  return std::make_shared<DiagonalRidgeRegulariser>(std::move(q));
}

}  // namespace

Problem make_problem(MatrixPtr A, std::vector<double> b, const Formulation& formulation) {
  if (!A) throw InputError("A", "none", "a data matrix");
  Problem problem{.A = std::move(A),
                  .b = std::move(b),
                  .loss = make_loss(formulation),
                  .regulariser = {},
                  .set = make_set(formulation)};
  if (problem.n() == 0) throw InputError("A", "no rows", "at least one sample");
  problem.regulariser = make_regulariser(formulation, problem.n(), problem.d());
  validate(problem);
  return problem;
}

}  // namespace pdbfw
