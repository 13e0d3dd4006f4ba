#include "losses/rows_with_intercept.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {
namespace {

constexpr int kMostSteps = 100;
// The slopes cancel, up to what balance() may take away.
constexpr double kRounding = 1e-12;
// Sums of y beyond this share of their size are more than rounding.
constexpr double kBalanced = 1e-10;
// A direction without curvature (classes may all be shifted together, hinges are flat) gets this share of the most that
// there can be.
constexpr double kLeastCurvature = 1e-12;
// A step that promises less than this share of the loss is rounding.
constexpr double kNoGain = 1e-15;
// Shares of what the model promises: what must be kept, and what is good.
constexpr double kSufficient = 1e-3, kGood = 0.7;
// How much it is bent at first, as a share of the most, and then.
constexpr double kFirstBend = 1e-6, kMore = 10;
constexpr Index kBlocks = 64;

Matrix shifted(const Matrix& W, const Vector& t) { return W.rowwise() + t.transpose(); }

// sum_i H_i, of rows in blocks that depend on the sizes only.
Matrix summed_hessians(const RowLoss& each, const Matrix& W, int threads) {
  const Index k = W.cols(), blocks = std::min(kBlocks, W.rows());
  std::vector<Matrix> sums(static_cast<std::size_t>(blocks), Matrix::Zero(k, k));
  parallel_for(threads, blocks, [&](Index block) {
    for (Index i = W.rows() * block / blocks; i < W.rows() * (block + 1) / blocks; ++i)
      each.add_hessian(i, {W.row(i).data(), static_cast<std::size_t>(k)}, sums[static_cast<std::size_t>(block)]);
  });
  Matrix total = Matrix::Zero(k, k);
  for (const Matrix& sum : sums) total += sum;
  return total;
}

// (S + bend I)^-1 right
Vector solved(Matrix S, double bend, const Vector& right) {
  S.diagonal().array() += bend;
  return S.ldlt().solve(right);
}

// Sums of the positive entries of every column, and of the others' absolute values.
struct Sides {
  Vector up, down;
};

Sides sides(const Matrix& Y) {
  Sides s{Vector(Y.cols()), Vector(Y.cols())};
  const auto n = static_cast<std::size_t>(Y.rows());
  for (Index j = 0; j < Y.cols(); ++j) {
    const auto entry = [&](std::size_t i) { return Y(static_cast<Index>(i), j); };
    s.up[j] = pairwise_sum(0, n, [&](std::size_t i) { return entry(i) > 0 ? entry(i) : 0; });
    s.down[j] = pairwise_sum(0, n, [&](std::size_t i) { return entry(i) > 0 ? 0 : -entry(i); });
  }
  return s;
}

// Newton's method; where the loss does not fall as its quadratic model says, the model is bent more (Levenberg and
// Marquardt), in the end as much as the loss can bend.
Vector best_intercepts(const RowLoss& each, const Matrix& W, int threads) {
  const double most_bend = each.smoothness() * static_cast<double>(W.rows());
  Vector t = Vector::Zero(W.cols());
  double value = each.total_value(W, threads), bend = kLeastCurvature * most_bend;
  Matrix slopes;
  for (int step = 0; step < kMostSteps; ++step) {
    const Matrix at = shifted(W, t);
    each.gradients(at, slopes, threads);
    const auto [up, down] = sides(slopes);
    const Vector sum = up - down;
    if (!((sum.array().abs() > kRounding * (up + down).array()).any())) break;  // there, or not a number
    const Matrix S = summed_hessians(each, at, threads);
    for (;;) {
      const Vector move = solved(S, bend, -sum);
      const double promised = -sum.dot(move) - 0.5 * move.dot(S * move);
      if (!(promised > kNoGain * std::abs(value)) || bend > kMore * most_bend) return t;  // rounding
      const double next = each.total_value(shifted(W, t + move), threads), fall = value - next;
      if (fall >= kSufficient * promised) {
        if (fall >= kGood * promised) bend = std::max(bend / kMore, kLeastCurvature * most_bend);
        t += move;
        value = next;
        break;
      }
      bend = std::max(kMore * bend, kFirstBend * most_bend);
    }
  }
  return t;
}

// A row of class t carries y_j >= 0 from t to every other class j. The flow M_tj = sum over the rows of class t of y_j,
// with the rows of class t multiplied by s_t, is a circulation where
//     s_j sum_k M_jk = sum_t s_t M_tj   for every class j:
// s is the stationary measure of a Markov chain. It is found without subtractions (Grassmann, Taksar, Heyman 1985), so
// that small entries have all their digits.

constexpr Index kNone = -1;

Index own_class(const Matrix& Y, Index i) {
  for (Index j = 0; j < Y.cols(); ++j)
    if (Y(i, j) < 0) return j;
  return kNone;
}

Matrix flow_between(const Matrix& Y) {
  Matrix flow = Matrix::Zero(Y.cols(), Y.cols());
  for (Index i = 0; i < Y.rows(); ++i)
    if (const Index t = own_class(Y, i); t != kNone) flow.row(t) += Y.row(i).cwiseMax(0.0);
  return flow;
}

// Groups of classes between which nothing flows.
std::vector<std::vector<Index>> components(const Matrix& flow) {
  std::vector<std::vector<Index>> out;
  std::vector<bool> is_known(static_cast<std::size_t>(flow.rows()), false);
  for (Index first = 0; first < flow.rows(); ++first) {
    if (is_known[static_cast<std::size_t>(first)]) continue;
    std::vector<Index> group{first};
    is_known[static_cast<std::size_t>(first)] = true;
    for (std::size_t next = 0; next < group.size(); ++next)
      for (Index j = 0; j < flow.rows(); ++j) {
        if (is_known[static_cast<std::size_t>(j)] || (flow(group[next], j) == 0 && flow(j, group[next]) == 0)) continue;
        is_known[static_cast<std::size_t>(j)] = true;
        group.push_back(j);
      }
    out.push_back(std::move(group));
  }
  return out;
}

// s of one group, the largest 1. Classes are taken out from the last to the first; what flowed through one that is
// taken out flows directly. Where nothing leaves it towards those before it, all measure rests there and behind.
Vector stationary(const Matrix& flow, const std::vector<Index>& group) {
  const auto size = static_cast<Index>(group.size());
  Matrix M(size, size);
  for (Index a = 0; a < size; ++a)
    for (Index b = 0; b < size; ++b)
      M(a, b) = flow(group[static_cast<std::size_t>(a)], group[static_cast<std::size_t>(b)]);
  Vector leaving = Vector::Zero(size), s = Vector::Zero(size);
  Index first = 0;
  for (Index k = size - 1; k > 0; --k) {
    leaving[k] = M.row(k).head(k).sum();
    if (leaving[k] == 0) {
      first = k;
      break;
    }
    for (Index a = 0; a < k; ++a)
      for (Index b = 0; b < k; ++b)
        if (a != b) M(a, b) += M(a, k) / leaving[k] * M(k, b);
  }
  s[first] = 1;
  for (Index k = first + 1; k < size; ++k)
    s[k] = s.segment(first, k - first).dot(M.col(k).segment(first, k - first)) / leaving[k];
  return s / s.maxCoeff();
}

}  // namespace

// What classes have in common changes no loss of theirs: their intercepts sum to zero.
Vector RowsWithIntercept::intercepts(const Matrix& W, int threads) const {
  Vector t = best_intercepts(*each_, W, threads);
  if (are_classes()) t.array() -= t.mean();
  return t;
}

double RowsWithIntercept::total_value(const Matrix& W, int threads) const {
  return each_->total_value(shifted(W, intercepts(W, threads)), threads);
}

double RowsWithIntercept::total_conjugate(const Matrix& Y, int threads) const {
  const auto [up, down] = sides(Y);
  if (((up - down).array().abs() > kBalanced * (up + down).array()).any())
    return std::numeric_limits<double>::infinity();
  return each_->total_conjugate(Y, threads);
}

void RowsWithIntercept::gradients(const Matrix& W, Matrix& Y, int threads) const {
  each_->gradients(shifted(W, intercepts(W, threads)), Y, threads);
  balance(Y);
}

void RowsWithIntercept::hessian_products(const Matrix& W, const Matrix& V, Matrix& out, int threads) const {
  const Matrix at = shifted(W, intercepts(W, threads));
  each_->hessian_products(at, V, out, threads);
  const double least = kLeastCurvature * smoothness() * static_cast<double>(W.rows());
  const Vector shift = solved(summed_hessians(*each_, at, threads), least, out.colwise().sum().transpose());
  each_->hessian_products(at, shifted(V, -shift), out, threads);
}

// The domain of every f_i* holds 0 and is convex, so that rows may be shrunk. Outputs that do not depend on each other
// may be shrunk entry by entry: the heavier side of a column is made lighter. Rows of classes stay what they are.
void RowsWithIntercept::balance(Matrix& Y) const {
  if (are_classes()) {
    balance_flow(Y);
    return;
  }
  const auto [up, down] = sides(Y);
  for (Index j = 0; j < Y.cols(); ++j) {
    if (up[j] == down[j]) continue;
    const double shrink = std::min(up[j], down[j]) / std::max(up[j], down[j]);
    for (Index i = 0; i < Y.rows(); ++i)
      if ((Y(i, j) > 0) == (up[j] > down[j])) Y(i, j) *= shrink;
  }
}

void balance_flow(Matrix& Y) {
  const Matrix flow = flow_between(Y);
  Vector s = Vector::Ones(Y.cols());
  for (const std::vector<Index>& group : components(flow)) {
    const Vector of_group = stationary(flow, group);
    for (std::size_t a = 0; a < group.size(); ++a) s[group[a]] = of_group[static_cast<Index>(a)];
  }
  for (Index i = 0; i < Y.rows(); ++i)
    if (const Index t = own_class(Y, i); t != kNone) Y.row(i) *= s[t];
}

}  // namespace pdbfw
