#include "losses/weighted_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {
namespace {

using Row = std::span<const double>;

Row row_of(const Matrix& M, Index i) { return {M.data() + i * M.cols(), static_cast<std::size_t>(M.cols())}; }
std::span<double> row_of(Matrix& M, Index i) { return {M.data() + i * M.cols(), static_cast<std::size_t>(M.cols())}; }

constexpr Index kBlock = 1024;
constexpr double kRounding = 1e-14;

// work(i) for every row.
template <class Work>
void over_rows(Index rows, int threads, const Work& work) {
  parallel_for(threads, (rows + kBlock - 1) / kBlock, [&](Index block) {
    for (Index i = block * kBlock; i < std::min(rows, (block + 1) * kBlock); ++i) work(i);
  });
}

// The sum of term(i), block by block: any number of threads gives the same bits.
template <class Term>
double sum_over_rows(Index rows, int threads, const Term& term) {
  std::vector<double> sums(static_cast<std::size_t>((rows + kBlock - 1) / kBlock));
  parallel_for(threads, static_cast<Index>(sums.size()), [&](Index block) {
    sums[static_cast<std::size_t>(block)] = pairwise_sum(static_cast<std::size_t>(block * kBlock),
                                                         static_cast<std::size_t>(std::min(rows, (block + 1) * kBlock)),
                                                         [&](std::size_t i) { return term(static_cast<Index>(i)); });
  });
  return pairwise_sum(0, sums.size(), [&](std::size_t block) { return sums[block]; });
}

void scale(std::span<double> row, double factor) {
  for (double& entry : row) entry *= factor;
}

std::vector<double> divided(Row y, double weight) {
  std::vector<double> out(y.begin(), y.end());
  for (double& entry : out) entry /= weight;
  return out;
}

}  // namespace

WeightedRows::WeightedRows(std::shared_ptr<const RowLoss> each, Matrix targets, std::vector<double> weight)
    : each_(std::move(each)), targets_(std::move(targets)), weight_(std::move(weight)) {
  for (const double w : weight_) {
    if (w == 0) continue;
    smallest_ = smallest_ == 0 ? w : std::min(smallest_, w);
    largest_ = std::max(largest_, w);
  }
}

Row WeightedRows::target(Row b) const { return row_of(targets_, static_cast<Index>(b[0])); }

double WeightedRows::value(Row b, Row w) const { return weight(b) == 0 ? 0 : weight(b) * each_->value(target(b), w); }

void WeightedRows::gradient(Row b, Row w, std::span<double> y) const {
  each_->gradient(target(b), w, y);
  scale(y, weight(b));
}

double WeightedRows::conjugate(Row b, Row y) const {
  if (weight(b) == 0)
    return std::all_of(y.begin(), y.end(), [](double entry) { return entry == 0; })
               ? 0
               : std::numeric_limits<double>::infinity();
  const std::vector<double> v = divided(y, weight(b));
  if (const double value = each_->conjugate(target(b), v); std::isfinite(value)) return weight(b) * value;
  // The division may have taken y out of the domain by rounding: the nearest point inside stands for it.
  const std::vector<double> zero(y.size(), 0.0);
  std::vector<double> inside(y.size());
  each_->dual_prox(target(b), zero, v, 0, inside);
  for (std::size_t j = 0; j < v.size(); ++j)
    if (!(std::abs(inside[j] - v[j]) <= kRounding * (1 + std::abs(v[j]))))
      return std::numeric_limits<double>::infinity();
  return weight(b) * each_->conjugate(target(b), inside);
}

// With u = weight v:   weight ( <w, v> - f*(v) - |v - y / weight|^2 / (2 step / weight) )
void WeightedRows::dual_prox(Row b, Row w, Row y, double step, std::span<double> out) const {
  if (weight(b) == 0) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  each_->dual_prox(target(b), w, divided(y, weight(b)), step / weight(b), out);
  scale(out, weight(b));
}

void WeightedRows::hessian_product(Row b, Row w, Row v, std::span<double> out) const {
  each_->hessian_product(target(b), w, v, out);
  scale(out, weight(b));
}

void WeightedRows::add_hessian(Row b, Row w, Matrix& S) const {
  Matrix H = Matrix::Zero(S.rows(), S.cols());
  each_->add_hessian(target(b), w, H);
  S += weight(b) * H;
}

double WeightedRows::total_value(const Matrix& B, const Matrix& W, int threads) const {
  return sum_over_rows(W.rows(), threads, [&](Index i) { return value(row_of(B, i), row_of(W, i)); });
}

double WeightedRows::total_conjugate(const Matrix& B, const Matrix& Y, int threads) const {
  return sum_over_rows(Y.rows(), threads, [&](Index i) { return conjugate(row_of(B, i), row_of(Y, i)); });
}

void WeightedRows::gradients(const Matrix& B, const Matrix& W, Matrix& Y, int threads) const {
  Y.resize(W.rows(), W.cols());
  over_rows(W.rows(), threads, [&](Index i) { gradient(row_of(B, i), row_of(W, i), row_of(Y, i)); });
}

void WeightedRows::dual_proxes(const Matrix& B, const Matrix& W, const Matrix& Y, double step, Matrix& out,
                               int threads) const {
  out.resize(W.rows(), W.cols());
  over_rows(W.rows(), threads,
            [&](Index i) { dual_prox(row_of(B, i), row_of(W, i), row_of(Y, i), step, row_of(out, i)); });
}

void WeightedRows::hessian_products(const Matrix& B, const Matrix& W, const Matrix& V, Matrix& out, int threads) const {
  out.resize(W.rows(), W.cols());
  over_rows(W.rows(), threads,
            [&](Index i) { hessian_product(row_of(B, i), row_of(W, i), row_of(V, i), row_of(out, i)); });
}

}  // namespace pdbfw
