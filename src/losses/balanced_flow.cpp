// A row of class t carries y_j >= 0 from t to every other class j. The flow M_tj = sum over the rows of class t of y_j,
// with the rows of class t multiplied by s_t, is a circulation where
//     s_j sum_k M_jk = sum_t s_t M_tj   for every class j:
// s is the stationary measure of a Markov chain. It is found without subtractions (Grassmann, Taksar, Heyman 1985), so
// that small entries have all their digits.
#include "losses/balanced_flow.hpp"

#include <algorithm>
#include <vector>

namespace pdbfw {
namespace {

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
