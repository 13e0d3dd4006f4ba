// How good a model is, from the samples and its weights alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/fit_rules.hpp"
#include "apps/model_problem.hpp"
#include "core/joint_judge.hpp"
#include "core/judge.hpp"
#include "core/low_rank_judge.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw {
namespace {

// Sums may be taken in another order on another machine; more than that is another problem.
constexpr double kRounding = 1e-9;

// The better of the stored proof and one that is derived from the weights, for a problem of any family.
template <class Problem, class Point, class Proof>
Proven proven(const Problem& problem, const Point& X, const std::optional<Proof>& stored, int threads) {
  const Certificate derived = certify(problem, X, dual_candidate(problem, X, threads), threads);
  if (!stored) return {derived, false};
  const Certificate by_stored = certify(problem, X, *stored, threads);
  return by_stored.gap <= derived.gap ? Proven{by_stored, true} : Proven{derived, false};
}

std::vector<Proven> certify_classes(const Samples& samples, const Model& model, const Formulation& formulation,
                                    int threads) {
  const Classes classes = classes_of(samples, model.classes);
  std::vector<Proven> all;
  for (std::size_t k = 0; k < model.weights.size(); ++k) {
    const Problem problem = make_problem(samples.A, signs_of(samples.target, model.classes[k]), formulation);
    all.push_back(proven(problem, point_of(problem, model, k), proof_of(samples, model, k), threads));
  }
  return all;
}

bool is_finite(const Certificate& certificate) {
  return std::isfinite(certificate.primal) && std::isfinite(certificate.gap) && std::isfinite(certificate.violation);
}

}  // namespace

std::vector<Proven> certify(const Samples& samples, const Model& model, const Formulation& formulation, int threads) {
  require_features(samples);
  switch (model.kind) {
    case ModelKind::vector: {
      const Problem problem = make_vector_problem(samples, formulation, model.classes).problem;
      return {proven(problem, point_of(problem, model, 0), proof_of(samples, model, 0), threads)};
    }
    case ModelKind::one_vs_rest:
      return certify_classes(samples, model, formulation, threads);
    case ModelKind::joint: {
      const joint::Problem problem = make_joint_problem(samples, classes_of(samples, model.classes), formulation);
      return {proven(problem, rows_of(problem, model), joint_proof_of(samples, model), threads)};
    }
    case ModelKind::matrix: {
      const PlacedTargets targets = place_targets(samples, names_of(model));
      const low_rank::Problem problem = make_matrix_problem(samples, targets, formulation, model.outputs());
      return {proven(problem, factors_of(problem, model), matrix_proof_of(samples, model, problem.k()), threads)};
    }
  }
  return {};
}

void check_certifiable(const Model& model, const std::string& name, const Formulation& formulation) {
  if (model.kind == ModelKind::vector && model.intercept() != 0 && !model.formulation.intercept)
    throw InputError(name, fmt::format("bias {}", model.intercept()),
                     "a certificate is for models whose bias was learnt as an intercept, or that have none");
  if (model.has_sample_weight && formulation.sample_weight.empty())
    throw InputError("sample_weight", "none", "the file of weights that the model was learnt with");
  if (model.has_penalty_weight && formulation.penalty_weight.empty())
    throw InputError("penalty_weight", "none", "the file of weights that the model was learnt with");
}

// A model can state any number of features: those behind its last weight and the data's last column are zero in every
// row and for an l1 ball change neither bound. The simplex can put its weight on them, and a diagonal ridge has a
// factor for each.
Index certified_width(const Model& model, const Formulation& formulation) {
  if (model.kind == ModelKind::matrix) return model.features();
  const bool is_ball = formulation.set == "l1" || formulation.set == "nonnegative" || formulation.set == kPerClass;
  if (!is_ball || !formulation.ridge_scale.empty() || model.has_penalty_weight) return model.features();
  Index last = formulation.free_features.empty() ? 0 : formulation.free_features.back() + 1;
  for (const SparseVector& column : model.weights)
    if (!column.at.empty()) last = std::max(last, column.at.back() + 1);
  return last;
}

// A violation that is not a number is not within rounding.
bool is_in_set(const Certificate& certificate, double radius) { return certificate.violation <= kRounding * radius; }

bool confirms(const Certificate& found, const Certificate& stated, double radius) {
  if (!is_finite(stated) || !is_finite(found)) return false;
  const double slack = kRounding * std::max(std::abs(stated.primal), std::abs(found.primal));
  return std::abs(stated.primal - found.primal) <= slack && found.gap <= stated.gap + slack &&
         found.violation <= stated.violation + kRounding * radius;
}

std::size_t worst(const std::vector<Certificate>& certificates) {
  const auto at = std::max_element(certificates.begin(), certificates.end(),
                                   [](const auto& a, const auto& b) { return a.relative_gap < b.relative_gap; });
  return static_cast<std::size_t>(at - certificates.begin());
}

}  // namespace pdbfw
