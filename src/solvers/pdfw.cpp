// Primal-dual Frank-Wolfe over the hull C of atoms v_1, v_2, ..., with A v_k kept for every atom that was used
// (Lei et al. 2019, appendix "Difficulty on Extension to Polytope Constraints").
//
//   here     maths                              |  invariants after every iteration:
//   x, y     iterates                           |    (I1) w = A x        (I2) z = A'y
//   v        argmin over C of <slope, v>        |    (I3) slope = z/n + grad g(x), v and D seen from x belong to x, y
//   slope    z/n + grad g(x)                    |  cost of an iteration: a call of the oracle, the columns of A in a
//   eta      primal step                        |    new v, the rows of A whose y_i has changed, O(n + d)
//   delta    dual proximal step                 |
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/products.hpp"
#include "linalg/select.hpp"
#include "solvers/kept_atoms.hpp"
#include "solvers/solvers.hpp"
#include "steps/mixture.hpp"

namespace pdbfw {
namespace {

using Vector = Eigen::VectorXd;

// Iterations after which w and z are computed anew, so that rounding cannot pile up.
constexpr Index kIterationsBeforeRefresh = 1'000;

// What both ways to step share: the products, the dual step and the look for the next atom.
class PdfwEngine : public Engine {
 public:
  PdfwEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), settings_(settings), n_(static_cast<double>(p.n())), radius_(p.set->radius()), atoms_(p) {
    x_.resize(static_cast<std::size_t>(p.d()));
    y_ = start.y;
    y_.resize(p.loss->size());
    z_.resize(x_.size());
    w_.resize(p.loss->size());
  }

  [[nodiscard]] std::string name() const override { return "pdfw"; }
  [[nodiscard]] Point point() override { return {x_, y_}; }
  [[nodiscard]] Estimate estimate() override {
    return {p_.loss->total_value(w_) / n_ + p_.regulariser->value(x_), dual_,
            static_cast<Index>(x_.size()) - std::count(x_.begin(), x_.end(), 0.0)};
  }

 protected:
  // (I2): y <- y_new, z <- z + A_I'(change of y_I). Returns the entries of A touched.
  double move_dual(const std::vector<double>& y_new) {
    std::vector<Index> changed;
    std::vector<double> change;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (y_new[i] == y_[i]) continue;
      changed.push_back(static_cast<Index>(i));
      change.push_back(y_new[i] - y_[i]);
    }
    y_ = y_new;
    if (2 * changed.size() > y_.size()) return multiply_anew();
    return add_lines(p_.A->by_row(), changed, change, z_);
  }

  double multiply_anew() {
    multiply_transposed(*p_.A, y_, z_, settings_.threads);
    return static_cast<double>(p_.A->nonzeros());
  }

  // (I3), and D(y) as seen from x.                                                                             [M2b]
  void look_for_atom() {
    std::vector<double> u(z_);
    for (double& u_j : u) u_j /= -n_;
    dual_ = set_part_from(p_, x_, u, slope_, v_) - p_.loss->total_conjugate(y_) / n_;
  }

  [[nodiscard]] double frank_wolfe_gap() const {
    double product = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) product += slope_[j] * x_[j];
    return product - inner(v_, slope_);
  }

  const Problem& p_;
  const Settings settings_;
  const double n_;
  double radius_;  // that the atoms belong to
  KeptAtoms atoms_;
  std::vector<double> x_, y_, w_, z_;
  std::vector<double> slope_;
  SparseAtom v_;
  double dual_ = 0;
};

// [M20]  The naive method, with the steps 2/(t + 2) of Frank-Wolfe.
class NaiveEngine final : public PdfwEngine {
 public:
  NaiveEngine(const Problem& p, const Settings& settings, const Start& start)
      : PdfwEngine(p, settings, start),
        k_(std::min(settings.block_dual.value_or(p.n()), p.n())),
        delta_(settings.delta.value_or(std::numeric_limits<double>::infinity())) {
    x_ = start.x.empty() ? start_point(p) : start.x;
    multiply(*p_.A, x_, w_, settings_.threads);
    if (start.y.empty()) p_.loss->derivatives(w_, y_);
    multiply_anew();
    look_for_atom();
  }

  void radius_has_changed() override {
    const double factor = p_.set->radius() / std::exchange(radius_, p_.set->radius());
    for (double& x_j : x_) x_j *= factor;
    for (double& w_i : w_) w_i *= factor;
    atoms_.scale(factor);
    t_ = 0;
    look_for_atom();
  }

  void iterate(Run& run) override {
    const double eta = settings_.eta.value_or(2 / static_cast<double>(t_ + 2));
    const double columns = move_primal(eta);
    const double rows = move_dual(dual_block());
    run.charge(columns + rows, 1);
    if (++t_ % kIterationsBeforeRefresh == 0) {
      multiply(*p_.A, x_, w_, settings_.threads);
      run.charge(static_cast<double>(p_.A->nonzeros()) + multiply_anew());
    }
    look_for_atom();
    run.settings().eta = eta;
    run.settings().block_dual = k_;
  }

 private:
  // x <- (1 - eta) x + eta v,   w <- (1 - eta) w + eta A v
  double move_primal(double eta) {
    double columns = 0;
    std::optional<Index> place = atoms_.find(v_);
    if (!place) {
      if (atoms_.size() * p_.n() >= kMostNumbers) atoms_.keep_only({});
      place = atoms_.size();
      columns = atoms_.add(v_);
    }
    for (double& x_j : x_) x_j *= 1 - eta;
    for (std::size_t l = 0; l < v_.at.size(); ++l) x_[static_cast<std::size_t>(v_.at[l])] += eta * v_.value[l];
    auto w = Vector::Map(w_.data(), p_.n());
    w = (1 - eta) * w + eta * atoms_.products().col(*place);
    return columns;
  }

  // y_I <- argmax_v (1/n)(w_i v - f_i*(v)) - (v - y_i)^2 / (2 delta),   I = the k that change most
  [[nodiscard]] std::vector<double> dual_block() const {
    std::vector<double> y_tilde(y_.size());
    p_.loss->dual_proxes(w_, y_, delta_ / n_, y_tilde);
    if (k_ == p_.n()) return y_tilde;
    std::vector<double> y_new = y_;
    const auto change = [&](Index i) {
      return std::abs(y_tilde[static_cast<std::size_t>(i)] - y_[static_cast<std::size_t>(i)]);
    };
    for (const Index i : largest(p_.n(), k_, change))
      y_new[static_cast<std::size_t>(i)] = y_tilde[static_cast<std::size_t>(i)];
    return y_new;
  }

  static constexpr Index kMostNumbers = Index{1} << 27;  // in kept products: 1 GiB; then they begin anew

  const Index k_;
  const double delta_;
  Index t_ = 0;
};

// [M21]  After every new atom the weights of all atoms are corrected by Newton's method: no entry of A is touched for
// that, because w = sum_k weight_k A v_k.
class CorrectiveEngine final : public PdfwEngine {
 public:
  CorrectiveEngine(const Problem& p, const Settings& settings, const Start& start) : PdfwEngine(p, settings, start) {
    Mixture mixture;
    if (start.x.empty()) {
      mixture.weight.push_back(1);
      p.set->start(p.d(), mixture.atom.emplace_back());
    } else {
      mixture = nearest_mixture(*p.set, start.x);
    }
    for (SparseAtom& atom : mixture.atom) enter(std::move(atom));
    weight_ = Vector::Map(mixture.weight.data(), static_cast<Index>(mixture.weight.size()));
    mix();
    if (start.y.empty()) p_.loss->derivatives(w_, y_);
    multiply_anew();
    look_for_atom();
  }

  void radius_has_changed() override {
    const double factor = p_.set->radius() / std::exchange(radius_, p_.set->radius());
    atoms_.scale(factor);
    ridge_ *= factor * factor;
    curved_ *= factor * factor;
    mix();
    look_for_atom();
  }

  void iterate(Run& run) override {
    const double gap = frank_wolfe_gap();
    double columns = 0;
    if (!atoms_.find(v_)) columns = enter(v_);
    for (int t = 0; t < kMostCorrections && correct(kShareOfGap * gap, run); ++t)
      if (!run.may_go_on()) break;
    forget();
    std::vector<double> y(y_.size());
    p_.loss->derivatives(w_, y);
    run.charge(columns + move_dual(y), 1);
    look_for_atom();
  }

 private:
  static constexpr int kMostCorrections = 10;
  static constexpr double kShareOfGap = 0.1;  // corrected so far, an atom from outside is worth more
  static constexpr double kStale = 0.05;      // change of a row's curvature that is not looked at
  static constexpr Index kFewIdle = 50;       // atoms without weight that are kept, at least
  static constexpr double kFlatEnough = 0.5;  // of the first slope, where a line search may end
  static constexpr int kMostTrials = 60;      // of a line search

  // Returns the entries of A touched.
  double enter(SparseAtom atom) {
    std::vector<double> scaled(x_.size(), 0.0);  // Q v
    const Curvatures q = p_.regulariser->curvatures();
    for (std::size_t l = 0; l < atom.at.size(); ++l)
      scaled[static_cast<std::size_t>(atom.at[l])] = q[atom.at[l]] * atom.value[l];
    const double entries = atoms_.add(std::move(atom));
    const Index last = atoms_.size() - 1;
    const auto W = atoms_.products();
    if (curvature_.size() == 0) curvature_ = Vector::Zero(p_.n());
    weight_.conservativeResize(last + 1);
    weight_[last] = 0;
    ridge_.conservativeResize(last + 1, last + 1);
    curved_.conservativeResize(last + 1, last + 1);
    for (Index k = 0; k <= last; ++k) ridge_(k, last) = ridge_(last, k) = inner(atoms_[k], scaled);
    const Vector column = W.transpose() * curvature_.cwiseProduct(W.col(last)) / n_;
    curved_.col(last) = column;
    curved_.row(last) = column.transpose();
    return entries;
  }

  // Atoms without weight stay for a while: they may come back.
  void forget() {
    const Index used = (weight_.array() > 0).count();
    if (weight_.size() - used <= std::max(kFewIdle, used)) return;
    std::vector<Index> places;
    for (Index k = 0; k < weight_.size(); ++k)
      if (weight_[k] > 0) places.push_back(k);
    atoms_.keep_only(places);
    weight_ = Vector(weight_(places));
    ridge_ = Eigen::MatrixXd(ridge_(places, places));
    curved_ = Eigen::MatrixXd(curved_(places, places));
  }

  // x = sum_k weight_k v_k,   w = sum_k weight_k A v_k
  void mix() {
    std::fill(x_.begin(), x_.end(), 0.0);
    add_mixture(weight_, x_);
    Vector::Map(w_.data(), p_.n()) = atoms_.products() * weight_;
  }

  void add_mixture(const Vector& weight, std::vector<double>& x) const {
    for (Index k = 0; k < weight.size(); ++k) {
      if (weight[k] == 0) continue;
      const SparseAtom& v = atoms_[k];
      for (std::size_t l = 0; l < v.at.size(); ++l) x[static_cast<std::size_t>(v.at[l])] += weight[k] * v.value[l];
    }
  }

  // dP / dweight_k = (1/n) <A v_k, f'(w)> + <v_k, grad g(x)>
  [[nodiscard]] Vector gradient() const {
    std::vector<double> y(y_.size()), ridge(x_.size(), 0.0);
    p_.loss->derivatives(w_, y);
    p_.regulariser->add_gradient(x_, ridge);
    Vector out = atoms_.products().transpose() * Vector::Map(y.data(), p_.n()) / n_;
    for (Index k = 0; k < out.size(); ++k) out[k] += inner(atoms_[k], ridge);
    return out;
  }

  // (1/n) W' diag(f_i''(w_i)) W: rows whose curvature has hardly changed stay as they are.
  void refresh_curvature() {
    std::vector<Index> stale;
    std::vector<double> change;
    for (Index i = 0; i < p_.n(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double now = p_.loss->second_derivative(row, w_[row]), before = curvature_[i];
      if (std::abs(now - before) <= kStale * std::max(now, before)) continue;
      stale.push_back(i);
      change.push_back((now - before) / n_);
      curvature_[i] = now;
    }
    if (stale.empty()) return;
    const Eigen::MatrixXd rows = atoms_.products()(stale, Eigen::all);
    curved_ += rows.transpose() * Vector::Map(change.data(), static_cast<Index>(change.size())).asDiagonal() * rows;
  }

  // One step. False where the weights are good enough: no pair of kept atoms can win more than `enough`.
  bool correct(double enough, Run& run) {
    const Vector slope = gradient();
    Index best = 0, worst = -1;
    slope.minCoeff(&best);
    for (Index k = 0; k < slope.size(); ++k)
      if (weight_[k] > 0 && (worst < 0 || slope[k] > slope[worst])) worst = k;
    if (!(slope[worst] - slope[best] > enough)) return false;
    refresh_curvature();
    Vector direction = corrected_weights(curved_ + ridge_, slope, weight_, best) - weight_;
    if (!(slope.dot(direction) < 0)) {  // rounding; a pair always leads down
      direction = Vector::Zero(weight_.size());
      direction[best] = weight_[worst];
      direction[worst] = -weight_[worst];
    }
    run.charge_other(4 * n_ * static_cast<double>(weight_.size()) + std::pow(static_cast<double>(weight_.size()), 3));
    const double step = line_search(direction, slope.dot(direction));
    if (step == 0) return false;
    weight_ = (weight_ + step * direction).cwiseMax(0.0);
    weight_ /= weight_.sum();
    mix();
    return true;
  }

  // A step in [0, 1] up to which P falls, near its minimum on the line: the zero of P's slope there, which rises.
  [[nodiscard]] double line_search(const Vector& direction, double first_slope) const {
    const Vector dw = atoms_.products() * direction;
    std::vector<double> dx(x_.size(), 0.0), w(w_.size()), y(y_.size());
    add_mixture(direction, dx);
    const Curvatures q = p_.regulariser->curvatures();
    double ridge = 0, bend = 0;  // slope of g at 0, and its second derivative
    for (std::size_t j = 0; j < dx.size(); ++j) {
      const double q_j = q[static_cast<Index>(j)];
      ridge += q_j * x_[j] * dx[j];
      bend += q_j * dx[j] * dx[j];
    }
    const auto slope_at = [&](double t) {
      for (std::size_t i = 0; i < w.size(); ++i) w[i] = w_[i] + t * dw[static_cast<Index>(i)];
      p_.loss->derivatives(w, y);
      return dw.dot(Vector::Map(y.data(), dw.size())) / n_ + ridge + t * bend;
    };
    double low = 0, low_slope = first_slope, high = 1, high_slope = slope_at(1);
    if (!(high_slope > 0)) return std::isfinite(high_slope) ? 1 : 0;
    for (int trial = 0; trial < kMostTrials && low_slope < kFlatEnough * first_slope; ++trial) {
      // Where the line between the two slopes is zero, or halfway when that does not move.
      double t = low - low_slope * (high - low) / (high_slope - low_slope);
      if (trial % 2 == 1 || !(t > low && t < high)) t = (low + high) / 2;
      const double slope = slope_at(t);
      (slope > 0 ? high : low) = t;
      (slope > 0 ? high_slope : low_slope) = slope;
    }
    return low;
  }

  Vector weight_;
  Eigen::MatrixXd ridge_;   // v_k'Q v_l
  Eigen::MatrixXd curved_;  // (1/n) sum_i curvature_i (A v_k)_i (A v_l)_i
  Vector curvature_;
};

constexpr std::array<std::string_view, 4> kOptions{"steps", "block_dual", "eta", "delta"};

void refuse(const Problem& /*problem*/, const Settings& settings) {
  if (settings.steps == "theory") return;
  constexpr std::string_view kRule = "only for the solver pdfw with theory's steps";
  if (settings.eta) throw InputError("eta", fmt::format("{}", *settings.eta), kRule);
  if (settings.delta) throw InputError("delta", fmt::format("{}", *settings.delta), kRule);
  if (settings.block_dual) throw InputError("block_dual", fmt::format("{}", *settings.block_dual), kRule);
}

std::unique_ptr<Engine> make_engine(const Problem& p, const Settings& settings, const Start& start) {
  if (settings.steps == "theory") return std::make_unique<NaiveEngine>(p, settings, start);
  return std::make_unique<CorrectiveEngine>(p, settings, start);
}

}  // namespace

const Solver kPdfwSolver{.about = {.name = "pdfw",
                                   .summary = "primal-dual Frank-Wolfe with A v kept for every atom v; for polytopes",
                                   .reference = "Lei, Zhuo, Caramanis, Dhillon, Dimakis 2019, appendix",
                                   .options = kOptions,
                                   .takes_polytopes = true},
                         .make_engine = make_engine,
                         .refuse = refuse};

}  // namespace pdbfw
