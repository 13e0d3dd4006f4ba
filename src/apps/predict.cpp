// What a model says of samples, and how good it is, from the samples and its weights alone.
#include "pdbfw/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "apps/fit_rules.hpp"
#include "apps/model_problem.hpp"
#include "core/joint_judge.hpp"
#include "core/judge.hpp"
#include "core/low_rank_judge.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/products.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw {
namespace {

template <class Line>
void mark_beyond(Index width, const Line& line, std::vector<bool>& is_used) {
  // Indices ascend: those beyond the width are at the end.
  for (Index k = line.size; k > 0 && line.index(k - 1) >= width; --k)
    if (line.value[k - 1] != 0) is_used[static_cast<std::size_t>(line.index(k - 1) - width)] = true;
}

// Columns of A from `width` on that hold at least one entry.
Index count_unknown_features(const DataMatrix& A, Index width) {
  if (A.columns() <= width) return 0;
  std::vector<bool> is_used(static_cast<std::size_t>(A.columns() - width), false);
  A.visit_rows([&](Index, const Lines& lines) {
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.count; ++i) mark_beyond(width, rows[i], is_used);
        },
        lines);
  });
  return std::count(is_used.begin(), is_used.end(), true);
}

// A x, with a weight for each column of the data.
Matrix product(const DataMatrix& A, std::span<const double> weights, int threads) {
  Matrix scores(A.rows(), 1);
  multiply(A, weights, {scores.data(), static_cast<std::size_t>(scores.size())}, threads);
  return scores;
}

// Only as wide as the data: a model of any width costs nothing here.
Matrix product(const DataMatrix& A, const SparseVector& weights, int threads) {
  std::vector<double> dense(static_cast<std::size_t>(A.columns()), 0.0);
  for (std::size_t k = 0; k < weights.at.size() && weights.at[k] < A.columns(); ++k)
    dense[static_cast<std::size_t>(weights.at[k])] = weights.value[k];
  return product(A, dense, threads);
}

// All columns at once, over the features that any of them looks at and the data have.
Matrix product(const DataMatrix& A, const std::vector<SparseVector>& columns, int threads) {
  const joint::SparseRows weights = rows_of(columns, A.columns());
  Matrix scores;
  multiply_rows(A, weights.at, weights.value, scores, threads);
  return scores;
}

// ((A U) diag(s)) V'.
Matrix product(const DataMatrix& A, const Factors& X, int threads) {
  Matrix U = Matrix::Zero(A.columns(), X.rank());
  const Index shared = std::min(A.columns(), X.rows());
  U.topRows(shared) = X.U.topRows(shared);
  Matrix AUs;
  multiply(A, U, AUs, threads);
  AUs *= X.s.asDiagonal();
  return times_transposed(AUs, X.V, threads);
}

Scores scores_of(const DataMatrix& A, Matrix products, const Model& model) {
  for (Index k = 0; k < products.cols(); ++k) products.col(k).array() += model.intercept(k);
  return {std::move(products), count_unknown_features(A, model.features())};
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void require_probabilities(const Model& model) {
  const std::string& loss = model.formulation.loss;
  if (!model.sigmoids.empty() || is_one_of(loss, {"logistic", "multilabel_logistic", "softmax"})) return;
  const bool can_fit = is_one_of(loss, {"smooth_hinge", "squared_hinge"}) &&
                       (model.kind == ModelKind::vector || model.kind == ModelKind::one_vs_rest);
  throw InputError("probabilities", fmt::format("loss {}", loss),
                   can_fit ? "a model that was trained with --probabilities, or the loss logistic or softmax"
                           : "only for the losses logistic, multilabel_logistic and softmax");
}

// exp(s_j) / sum_k exp(s_k), in place.
void normalise_exponentials(std::span<double> row) {
  const double top = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& entry : row) sum += entry = std::exp(entry - top);
  for (double& entry : row) entry /= sum;
}

// Divided by their sum; equal where all of them are too small for a double.
void normalise(std::span<double> row) {
  double sum = 0;
  for (const double entry : row) sum += entry;
  for (double& entry : row) entry = sum > 0 ? entry / sum : 1 / static_cast<double>(row.size());
}

}  // namespace

Scores predict_scores(const DataMatrix& A, const Model& model, int threads) {
  if (model.kind != ModelKind::matrix) {
    if (static_cast<Index>(model.weights.size()) != model.outputs())
      throw InputError("weights", fmt::format("{} vectors", model.weights.size()),
                       fmt::format("{}, one per output", model.outputs()));
    const bool is_vector = model.kind == ModelKind::vector;
    return scores_of(A, is_vector ? product(A, model.weights.front(), threads) : product(A, model.weights, threads),
                     model);
  }
  if (model.map != "rows") throw InputError("map", model.map, "rows: a model of pdbfw train");
  return scores_of(A, product(A, model.factors, threads), model);
}

Scores predict_scores(const DataMatrix& A, const MappedModel& model, int threads) {
  const auto columns = static_cast<std::size_t>(A.columns());
  if (columns <= model.weights.size())
    return scores_of(A, product(A, model.weights.first(columns), threads), model.head);
  std::vector<double> widened(model.weights.begin(), model.weights.end());
  widened.resize(columns);
  return scores_of(A, product(A, widened, threads), model.head);
}

Matrix probabilities(const Model& model, Matrix scores) {
  require_probabilities(model);
  if (scores.cols() != model.outputs())
    throw InputError("scores", fmt::format("{} per row", scores.cols()), fmt::format("{} per row", model.outputs()));
  const bool has_sigmoids = !model.sigmoids.empty();
  const bool is_softmax = !has_sigmoids && model.formulation.loss == "softmax";
  const bool is_one_vs_rest = model.kind == ModelKind::one_vs_rest;
  for (Index i = 0; i < scores.rows(); ++i) {
    const std::span<double> row{scores.row(i).data(), static_cast<std::size_t>(scores.cols())};
    if (is_softmax) {
      normalise_exponentials(row);
      continue;
    }
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = (has_sigmoids ? model.sigmoids[k] : Sigmoid{})(row[k]);
    if (is_one_vs_rest) normalise(row);
  }
  return scores;
}

FitMeasures measure_fit(const Samples& samples, const Model& model, const ScoreTable& scores) {
  const bool has_classes = !model.classes.empty();
  FitMeasures out{.rows = samples.rows()};
  if (!has_classes && model.labels.empty()) {
    out.kind = FitMeasures::Kind::numbers;
    out.rmse = root_mean_squared_error(scores.score, samples.target, {}, samples.team);
    if (model.kind == ModelKind::vector) out.r_squared = r_squared(scores.score, samples.target, {}, samples.team);
    return out;
  }
  const PlacedTargets targets = place_targets(samples, names_of(model));
  if (has_classes) {
    out.kind = FitMeasures::Kind::classes;
    out.accuracy = accuracy(scores, targets.labels.place, {}, samples.team);
    out.correct = std::llround(out.accuracy * static_cast<double>(out.rows));
    return out;
  }
  out.kind = FitMeasures::Kind::labels;
  out.labels = label_metrics(scores, targets.labels, 0, samples.team);
  for (const Index k : {1, 3, 5})
    if (k <= scores.columns) out.precision.emplace_back(k, precision_at(k, scores, targets.labels, samples.team));
  return out;
}

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
      return {proven(problem, rows_of(model.weights, problem.d()), joint_proof_of(samples, model), threads)};
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
