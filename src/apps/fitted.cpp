#include "apps/fitted.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pdbfw {

Fitted begin_fit(ModelKind kind, const Samples& samples, const Formulation& formulation) {
  Fitted fitted;
  fitted.formulation = formulation;
  fitted.ridge = formulation.ridge.weight(static_cast<double>(samples.rows()));
  Model& model = fitted.model;
  model.kind = kind;
  model.formulation = formulation;
  model.has_sample_weight = !std::exchange(model.formulation.sample_weight, {}).empty();
  model.has_penalty_weight = !std::exchange(model.formulation.penalty_weight, {}).empty();
  model.samples = samples.rows();
  return fitted;
}

void add_outcome(const Outcome& outcome, Fitted& fitted) {
  fitted.model.statuses.push_back(outcome.status);
  fitted.model.certificates.push_back(outcome.certificate);
  fitted.outcomes.push_back(outcome);
}

void add_size(std::span<const double> x, Fitted::Size& size) {
  double norm = 0;
  for (const double value : x) {
    if (value != 0) ++size.nonzeros;
    norm += std::abs(value);
  }
  size.entries += static_cast<Index>(x.size());
  size.norm += norm;
  size.largest_of_output = std::max(size.largest_of_output, norm);
}

void add_result(const VectorProblem& vector, const Result& result, bool keeps_proof, Fitted& fitted) {
  const Problem& problem = vector.problem;
  Model& model = fitted.model;
  fitted.ridge = problem.regulariser->smoothness();
  model.classes = vector.classes;
  model.formulation.ridge = {fitted.ridge, false};
  model.formulation.free_features = problem.free_features;
  model.weights = {SparseVector::of(feature_weights(problem, result))};
  model.intercepts = {result.intercept};
  if (keeps_proof) model.proof = {SparseVector::of(result.y)};
  add_size(result.x, fitted.size);
  add_outcome(result, fitted);
}

void set_radius(double radius, Fitted& fitted) { fitted.formulation.radius = fitted.model.formulation.radius = radius; }

// A small norm alone says little: weights on their way to the boundary have one too. But where the multiplier of the
// radius is 0 at the dual point, its value is a lower bound for every larger radius as well.  [M6]
bool has_slack_radius(const Problem& problem, const Result& result) {
  constexpr double kInside = 1 - 1e-6;
  const bool can_tell = !problem.team && result.status == Status::converged && problem.set->has_dead_zone() &&
                        problem.set->name() != "simplex";
  Fitted::Size size;
  add_size(result.x, size);
  if (!can_tell || !(size.norm < kInside * problem.set->radius())) return false;
  std::vector<double> u(static_cast<std::size_t>(problem.d()));
  multiply_transposed(*problem.A, result.y, u);
  for (double& u_j : u) u_j /= -static_cast<double>(problem.n());
  return problem.set->dead_zone(u, problem.regulariser->curvatures()).multiplier == 0;
}

}  // namespace pdbfw
