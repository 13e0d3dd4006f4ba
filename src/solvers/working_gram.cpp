#include "solvers/working_gram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "linalg/decompositions.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

// A curvature that has changed by less than this share is left as it was: the matrix gives a direction, not the answer.
constexpr double kNoticed = 0.05;
// Dense rows that are packed at a time, so that they stay in the cache.
constexpr Index kRows = 1'024;
// A multiply-add of a dense product costs this share of one with an entry that has to be fetched.
constexpr double kDenseShare = 0.125;
// And one of two entries of a packed row this share.
constexpr double kSparseShare = 0.5;
// What free columns leave of a feature that is made of them is rounding.
constexpr double kExplained = 1e-12;

}  // namespace

WorkingGram::WorkingGram(const Problem& problem)
    : p_(problem), is_dense_(problem.A->is_dense()), curvature_(static_cast<std::size_t>(problem.n()), 0.0) {}

void WorkingGram::choose(std::vector<Index> features) {
  if (features == features_) return;
  features_ = std::move(features);
  is_packed_ = false;
  entries_ = 0;
  std::visit(
      [&](const auto& columns) {
        for (const Index j : features_) entries_ += static_cast<double>(columns[j].size);
      },
      p_.A->by_column());
}

double WorkingGram::cost() const {
  const auto n = static_cast<double>(p_.n()), size = static_cast<double>(features_.size());
  if (is_dense_) return kDenseShare * n * size * size / 2;
  return kSparseShare * entries_ * entries_ / n / 2;  // as if every row had as many entries as the mean row
}

double WorkingGram::take_work() { return std::exchange(work_, 0.0); }

// The rows of A_W, from its columns.
void WorkingGram::pack() {
  is_packed_ = true;
  if (is_dense_) return;
  start_.assign(static_cast<std::size_t>(p_.n()) + 1, 0);
  std::visit(
      [&](const auto& columns) {
        for (const Index j : features_) {
          const auto line = columns[j];
          for (Index k = 0; k < line.size; ++k) ++start_[static_cast<std::size_t>(line.index(k)) + 1];
        }
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        place_.resize(static_cast<std::size_t>(start_.back()));
        value_.resize(place_.size());
        std::vector<Index> next(start_.begin(), start_.end() - 1);
        for (std::size_t a = 0; a < features_.size(); ++a) {
          const auto line = columns[features_[a]];
          for (Index k = 0; k < line.size; ++k) {
            const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(line.index(k))]++);
            place_[to] = static_cast<std::uint32_t>(a);
            value_[to] = static_cast<double>(line.value[k]);
          }
        }
      },
      p_.A->by_column());
  work_ += entries_;
}

Matrix WorkingGram::dense_part(std::span<const std::size_t> at, std::span<const Index> rows,
                               std::span<const double> scale) const {
  Matrix out(static_cast<Index>(at.size()), static_cast<Index>(rows.size()));
  std::visit(
      [&](const auto& columns) {
        for (std::size_t a = 0; a < at.size(); ++a) {
          const auto line = columns[features_[at[a]]];
          double* const to = out.data() + a * rows.size();
          for (std::size_t r = 0; r < rows.size(); ++r) to[r] = static_cast<double>(line.value[rows[r]]);
          for (std::size_t r = 0; r < scale.size(); ++r) to[r] *= scale[r];
        }
      },
      p_.A->by_column());
  return out;
}

// H of the features that are new to it, with all features of W.
void WorkingGram::add_columns(const std::vector<std::size_t>& fresh) {
  const auto n = static_cast<double>(p_.n());
  const auto size = static_cast<Index>(features_.size());
  for (const std::size_t a : fresh) H_.row(static_cast<Index>(a)).setZero();
  if (is_dense_) {
    std::vector<std::size_t> all(features_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    Matrix block = Matrix::Zero(static_cast<Index>(fresh.size()), size);
    std::vector<Index> rows;
    std::vector<double> scale;
    for (Index i = 0; i < p_.n(); ++i) {
      if (curvature_[static_cast<std::size_t>(i)] != 0) {
        rows.push_back(i);
        scale.push_back(curvature_[static_cast<std::size_t>(i)] / n);
      }
      if ((i + 1 < p_.n() && static_cast<Index>(rows.size()) < kRows) || rows.empty()) continue;
      if (fresh.size() == all.size()) {  // half the work
        for (double& s : scale) s = std::sqrt(s);
        block += row_gram(dense_part(all, rows, scale));
      } else {
        add_times_transposed(1, dense_part(fresh, rows, scale), dense_part(all, rows, {}), block);
      }
      rows.clear();
      scale.clear();
    }
    for (std::size_t k = 0; k < fresh.size(); ++k)
      H_.row(static_cast<Index>(fresh[k])) = block.row(static_cast<Index>(k));
    work_ += kDenseShare * n * static_cast<double>(fresh.size()) * static_cast<double>(size);
  } else {
    std::vector<bool> is_fresh(features_.size(), false);
    for (const std::size_t a : fresh) is_fresh[a] = true;
    for (std::size_t i = 0; i < curvature_.size(); ++i) {
      if (curvature_[i] == 0) continue;
      const auto first = static_cast<std::size_t>(start_[i]), last = static_cast<std::size_t>(start_[i + 1]);
      for (std::size_t k = first; k < last; ++k) {
        if (!is_fresh[place_[k]]) continue;
        double* const row = H_.data() + static_cast<Index>(place_[k]) * size;
        const double scaled = curvature_[i] / n * value_[k];
        for (std::size_t l = first; l < last; ++l) row[place_[l]] += scaled * value_[l];
        work_ += static_cast<double>(last - first);
      }
    }
  }
  for (const std::size_t a : fresh) H_.col(static_cast<Index>(a)) = H_.row(static_cast<Index>(a)).transpose();
}

// H <- H + (1/n) A_W' diag(change) A_W
void WorkingGram::add_rows(std::span<const double> change) {
  const auto n = static_cast<double>(p_.n());
  const auto size = static_cast<Index>(features_.size());
  if (is_dense_) {
    std::vector<std::size_t> all(features_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<Index> rows;
    std::vector<double> scale;
    for (Index i = 0; i < p_.n(); ++i) {
      if (change[static_cast<std::size_t>(i)] != 0) {
        rows.push_back(i);
        scale.push_back(change[static_cast<std::size_t>(i)] / n);
      }
      if ((i + 1 < p_.n() && static_cast<Index>(rows.size()) < kRows) || rows.empty()) continue;
      add_times_transposed(1, dense_part(all, rows, scale), dense_part(all, rows, {}), H_);
      work_ += kDenseShare * static_cast<double>(rows.size()) * static_cast<double>(size * size);
      rows.clear();
      scale.clear();
    }
    return;
  }
  for (std::size_t i = 0; i < change.size(); ++i) {
    if (change[i] == 0) continue;
    const auto first = static_cast<std::size_t>(start_[i]), last = static_cast<std::size_t>(start_[i + 1]);
    for (std::size_t k = first; k < last; ++k) {  // places ascend: on and above the diagonal
      double* const row = H_.data() + static_cast<Index>(place_[k]) * size;
      const double scaled = change[i] / n * value_[k];
      for (std::size_t l = k; l < last; ++l) row[place_[l]] += scaled * value_[l];
    }
    work_ += static_cast<double>((last - first) * (last - first)) / 2;
  }
  H_.triangularView<Eigen::StrictlyLower>() = H_.transpose();
}

void WorkingGram::refresh_free() {
  const FreeColumns Z = p_.loss->free_columns();
  const auto n = static_cast<double>(p_.n());
  C_.resize(static_cast<Index>(features_.size()), Z.count);
  M_.resize(Z.count, Z.count);
  std::vector<double> scaled(curvature_.size());
  for (Index c = 0; c < Z.count; ++c) {
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = curvature_[i] / n * Z[c][i];
    std::visit(
        [&](const auto& columns) {
          for (std::size_t a = 0; a < features_.size(); ++a)
            C_(static_cast<Index>(a), c) = dot(columns[features_[a]], scaled.data());
        },
        p_.A->by_column());
    for (Index k = 0; k < Z.count; ++k)
      M_(k, c) = dense_dot(Z[k].data(), scaled.data(), static_cast<Index>(scaled.size()));
    work_ += entries_;
  }
}

// H for W: what is known of it moves to its new places, and the rest is added.
void WorkingGram::take_features(bool is_anew) {
  if (is_anew) gram_of_.clear();
  const auto size = static_cast<Index>(features_.size());
  Matrix H = Matrix::Zero(size, size);
  std::vector<std::size_t> fresh;
  std::vector<Index> now, before;
  std::size_t k = 0;
  for (std::size_t a = 0; a < features_.size(); ++a) {
    while (k < gram_of_.size() && gram_of_[k] < features_[a]) ++k;
    if (k == gram_of_.size() || gram_of_[k] != features_[a]) {
      fresh.push_back(a);
    } else {
      now.push_back(static_cast<Index>(a));
      before.push_back(static_cast<Index>(k));
    }
  }
  if (!now.empty()) H(now, now) = H_(before, before);
  H_ = std::move(H);
  gram_of_ = features_;
  if (!fresh.empty()) add_columns(fresh);
}

void WorkingGram::refresh(std::span<const double> bend, double least) {
  if (!is_packed_) pack();
  std::vector<double> change(curvature_.size(), 0.0);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < change.size(); ++i) {
    const double now = std::max(bend[i], least);
    if (std::abs(now - curvature_[i]) <= kNoticed * std::min(now, curvature_[i])) continue;
    change[i] = now - curvature_[i];
    ++changed;
  }
  // Where most rows have changed, H is made anew.
  const bool is_anew = !has_curvature_ || 2 * changed > change.size();
  const bool has_other_features = gram_of_ != features_;
  if (is_anew)
    for (std::size_t i = 0; i < change.size(); ++i) curvature_[i] += change[i];
  if (is_anew || has_other_features) take_features(is_anew);
  if (!is_anew && changed > 0) {
    add_rows(change);
    for (std::size_t i = 0; i < change.size(); ++i) curvature_[i] += change[i];
  }
  has_curvature_ = true;
  if (p_.loss->has_free_columns() && (changed > 0 || has_other_features)) refresh_free();
}

ReducedModel WorkingGram::reduced(std::span<const double> q, std::span<const double> gradient,
                                  std::span<const double> free_gradient) const {
  const auto size = static_cast<Index>(q.size()), count = static_cast<Index>(free_gradient.size());
  ReducedModel model{H_, Eigen::Map<const Vector>(gradient.data(), size), {}};
  model.R.diagonal() += Eigen::Map<const Vector>(q.data(), size);
  if (count == 0) return model;
  Eigen::MatrixXd sides(count, size + 1);
  sides.leftCols(size) = C_.transpose();
  sides.col(size) = Eigen::Map<const Vector>(free_gradient.data(), count);
  model.solved = solve_semidefinite(M_, sides);
  const Vector whole = model.R.diagonal();
  model.R.noalias() -= C_ * model.solved.leftCols(size);
  model.g -= C_ * model.solved.col(size);
  for (Index a = 0; a < size; ++a)
    if (!(model.R(a, a) > kExplained * whole[a])) model.R(a, a) = 0;
  return model;
}

std::vector<double> ReducedModel::free_weights(const Vector& change) const {
  if (solved.size() == 0) return {};
  const Vector free = -solved.col(change.size()) - solved.leftCols(change.size()) * change;
  return {free.begin(), free.end()};
}

}  // namespace pdbfw
