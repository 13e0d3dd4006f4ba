#include "steps/mixture.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace pdbfw {
namespace {

// Where atoms depend on each other, the face's system is made solvable by adding this share of its mean diagonal; what
// that bends is mended by the next correction.
constexpr double kDamping = 1e-12;
// Distances, and what an atom can win, below this share of the longest atom are rounding ...
constexpr double kRounding = 1e-14;
// ... and so is a distance that falls by less than this share in this number of rounds.
constexpr double kLeastFall = 1e-4;
constexpr int kPatience = 10;

// argmin over sum_k e_k = 0 of <gradient, e> + 1/2 e'H e. Adding a multiple of 11' to H changes nothing there, and
// makes H definite where only mixtures of zero sum have curvature.
Eigen::VectorXd face_step(Eigen::MatrixXd H, const Eigen::VectorXd& gradient) {
  const double size = std::max(H.diagonal().mean(), std::numeric_limits<double>::min());
  H.array() += size;
  H.diagonal().array() += kDamping * size;
  const Eigen::LLT<Eigen::MatrixXd> factor(H);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(gradient.size());
  const Eigen::VectorXd towards = factor.solve(gradient), level = factor.solve(ones);
  return level * (towards.sum() / level.sum()) - towards;
}

}  // namespace

void Mixture::add_to(std::span<double> x) const {
  for (std::size_t k = 0; k < atom.size(); ++k)
    for (std::size_t l = 0; l < atom[k].at.size(); ++l)
      x[static_cast<std::size_t>(atom[k].at[l])] += weight[k] * atom[k].value[l];
}

double Mixture::longest_atom() const {
  double longest = 0;
  for (const SparseAtom& v : atom) longest = std::max(longest, length(v.value));
  return longest;
}

double Mixture::distance(std::span<const double> x) const {
  std::vector<double> difference(x.size());
  std::transform(x.begin(), x.end(), difference.begin(), std::negate<>());
  add_to(difference);
  return length(difference);
}

double length(std::span<const double> v) {
  double size = 0;
  for (const double v_j : v) size = std::max(size, std::abs(v_j));
  if (size == 0 || !std::isfinite(size)) return size;
  double sum = 0;
  for (const double v_j : v) sum += (v_j / size) * (v_j / size);
  return size * std::sqrt(sum);
}

double inner(const SparseAtom& atom, std::span<const double> v) {
  double sum = 0;
  for (std::size_t l = 0; l < atom.at.size(); ++l) sum += atom.value[l] * v[static_cast<std::size_t>(atom.at[l])];
  return sum;
}

Eigen::VectorXd corrected_weights(const Eigen::MatrixXd& H, const Eigen::VectorXd& gradient,
                                  const Eigen::VectorXd& weights, Index entering) {
  Eigen::VectorXd now = weights;
  std::vector<Index> face;
  for (Index k = 0; k < now.size(); ++k)
    if (now[k] > 0 || k == entering) face.push_back(k);
  while (face.size() > 1) {
    const Eigen::VectorXd slope = gradient + H * (now - weights);
    const Eigen::VectorXd step = face_step(H(face, face), slope(face));
    if (!step.allFinite()) break;
    double share = 1;  // of the step, until the first weight reaches zero
    std::size_t first = face.size();
    for (std::size_t m = 0; m < face.size(); ++m) {
      const double e = step[static_cast<Index>(m)];
      if (e < 0 && -now[face[m]] > share * e) {
        share = -now[face[m]] / e;
        first = m;
      }
    }
    for (std::size_t m = 0; m < face.size(); ++m)
      now[face[m]] = std::max(0.0, now[face[m]] + share * step[static_cast<Index>(m)]);
    if (first == face.size()) break;
    now[face[first]] = 0;
    std::erase_if(face, [&](Index k) { return now[k] == 0; });
  }
  return now / now.sum();
}

namespace {

// A mixture and the inner products of its atoms.
struct Corral {
  Mixture mixture;
  Eigen::MatrixXd gram;

  // Where the atom stands; at the end, with weight 0, if it is new.
  Index place_of(SparseAtom atom, std::size_t features) {
    const auto known = std::find_if(mixture.atom.begin(), mixture.atom.end(), [&](const SparseAtom& other) {
      return other.at == atom.at && other.value == atom.value;
    });
    if (known != mixture.atom.end()) return known - mixture.atom.begin();
    std::vector<double> dense(features, 0.0);
    for (std::size_t l = 0; l < atom.at.size(); ++l) dense[static_cast<std::size_t>(atom.at[l])] = atom.value[l];
    const Index size = gram.rows();
    gram.conservativeResize(size + 1, size + 1);
    mixture.atom.push_back(std::move(atom));
    mixture.weight.push_back(0);
    for (Index k = 0; k <= size; ++k)
      gram(k, size) = gram(size, k) = inner(mixture.atom[static_cast<std::size_t>(k)], dense);
    return size;
  }

  // Atoms of weight 0 go.
  void take(const Eigen::VectorXd& weights) {
    std::vector<Index> kept;
    for (Index k = 0; k < weights.size(); ++k)
      if (weights[k] > 0) kept.push_back(k);
    Mixture smaller;
    for (const Index k : kept) {
      smaller.atom.push_back(std::move(mixture.atom[static_cast<std::size_t>(k)]));
      smaller.weight.push_back(weights[k]);
    }
    mixture = std::move(smaller);
    gram = Eigen::MatrixXd(gram(kept, kept));
  }
};

}  // namespace

Mixture nearest_mixture(const Set& set, std::span<const double> x) {
  Corral corral;
  SparseAtom atom;
  set.start(static_cast<Index>(x.size()), atom);
  (void)corral.place_of(atom, x.size());
  corral.mixture.weight[0] = 1;

  std::vector<double> away(x.size());  // mixture - x, the gradient of half the squared distance
  double best = std::numeric_limits<double>::infinity();
  int patience = kPatience;
  const std::size_t most_rounds = 100 + 10 * x.size();
  for (std::size_t round = 0; round < most_rounds && patience > 0; ++round) {
    const Mixture& mixture = corral.mixture;
    for (std::size_t j = 0; j < x.size(); ++j) away[j] = -x[j];
    mixture.add_to(away);
    const double distance = length(away);
    patience = distance < (1 - kLeastFall) * best ? kPatience : patience - 1;
    best = std::min(best, distance);

    Eigen::VectorXd slope(static_cast<Index>(mixture.atom.size()));
    for (Index k = 0; k < slope.size(); ++k) slope[k] = inner(mixture.atom[static_cast<std::size_t>(k)], away);
    const Eigen::VectorXd weights = Eigen::VectorXd::Map(mixture.weight.data(), slope.size());
    set.linear_oracle(away, atom);
    const double slope_of_atom = inner(atom, away);
    const double can_win = slope.dot(weights) - slope_of_atom;  // of half the squared distance, at most
    const double smallest = kRounding * std::sqrt(corral.gram.diagonal().maxCoeff());
    if (!(distance > smallest && can_win > smallest * distance)) break;

    const Index entering = corral.place_of(std::move(atom), x.size());
    if (entering == slope.size()) {
      slope.conservativeResize(entering + 1);
      slope[entering] = slope_of_atom;
    }
    const Eigen::VectorXd old = Eigen::VectorXd::Map(corral.mixture.weight.data(), slope.size());
    corral.take(corrected_weights(corral.gram, slope, old, entering));
  }
  return std::move(corral.mixture);
}

}  // namespace pdbfw
