#include "pdbfw/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "io/machine_memory.hpp"
#include "io/unknown_features.hpp"
#include "pdbfw/mapped_model.hpp"

namespace pdbfw {
namespace {

// Only as wide as the data: a model of any width costs nothing here.
std::vector<double> weights_for(Index columns, const SparseVector& weights) {
  std::vector<double> dense(static_cast<std::size_t>(columns), 0.0);
  for (std::size_t k = 0; k < weights.at.size() && weights.at[k] < columns; ++k)
    dense[static_cast<std::size_t>(weights.at[k])] = weights.value[k];
  return dense;
}

// With a weight for each column of the data; of the model, the intercept and the width count.
Scores scores_of(const DataMatrix& A, std::span<const double> weights, const Model& model, int threads) {
  Scores scores;
  scores.score.resize(static_cast<std::size_t>(A.rows()));
  multiply(A, weights, scores.score, threads);
  for (double& score : scores.score) score += model.intercept;
  scores.unknown_features = count_unknown_features(A, model.weights.size);
  return scores;
}

template <class Line>
void mark_beyond(Index width, const Line& line, std::vector<bool>& is_used) {
  // Indices ascend: those beyond the width are at the end.
  for (Index k = line.size; k > 0 && line.index(k - 1) >= width; --k)
    if (line.value[k - 1] != 0) is_used[static_cast<std::size_t>(line.index(k - 1) - width)] = true;
}

}  // namespace

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

SparseVector to_sparse(std::span<const double> dense) {
  SparseVector sparse;
  sparse.size = static_cast<Index>(dense.size());
  for (std::size_t j = 0; j < dense.size(); ++j) {
    if (dense[j] == 0) continue;
    sparse.at.push_back(static_cast<Index>(j));
    sparse.value.push_back(dense[j]);
  }
  return sparse;
}

std::vector<double> to_dense(const SparseVector& sparse) {
  if (sparse.size < 0 || sparse.size > machine_memory_bytes() / static_cast<Index>(sizeof(double)))
    throw InputError("size", fmt::format("{}", sparse.size), "a vector that fits into this machine's memory");
  return weights_for(sparse.size, sparse);
}

Scores predict_scores(const DataMatrix& A, const Model& model, int threads) {
  return scores_of(A, weights_for(A.columns(), model.weights), model, threads);
}

Scores predict_scores(const DataMatrix& A, const MappedModel& model, int threads) {
  const auto columns = static_cast<std::size_t>(A.columns());
  if (columns <= model.weights.size()) return scores_of(A, model.weights.first(columns), model.head, threads);
  std::vector<double> widened(model.weights.begin(), model.weights.end());
  widened.resize(columns);
  return scores_of(A, widened, model.head, threads);
}

}  // namespace pdbfw
