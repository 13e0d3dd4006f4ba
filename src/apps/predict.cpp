#include "pdbfw/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "apps/fit_rules.hpp"
#include "apps/model_problem.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/products.hpp"

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
  std::map<Index, Index> row_of;
  for (const SparseVector& column : columns)
    for (const Index j : column.at)
      if (j < A.columns()) row_of[j] = 0;
  std::vector<Index> at;
  for (auto& [feature, row] : row_of) {
    row = static_cast<Index>(at.size());
    at.push_back(feature);
  }
  Matrix weights = Matrix::Zero(static_cast<Index>(at.size()), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size() && columns[k].at[e] < A.columns(); ++e)
      weights(row_of[columns[k].at[e]], static_cast<Index>(k)) = columns[k].value[e];
  Matrix scores;
  multiply_rows(A, at, weights, scores, threads);
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

}  // namespace pdbfw
