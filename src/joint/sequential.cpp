// Dual ascent, row by row, against the live primal point.                                                      [M47]
//
//   here     maths                                        |  invariants
//   Y        dual rows                                    |    (I1) U = -A_W'Y / n + rho X_0 on W
//   U, zone  X_W = (U - clamp(U)) / q, the primal point   |    (I2) t = t_0 - (sum_i Y_i) / (n q_t)
//   W        the features in play; X is zero elsewhere    |    (I3) a sweep never lowers the dual value of its problem
//   X_0, t_0 centre of the proximal term, t the live      |  cost per iteration: a few sweeps of 2 nnz(A_W) c, and two
//            intercepts                                   |    passes over A for the certificate's estimate
#include "joint/sequential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "joint/packed_rows.hpp"
#include "linalg/kernels.hpp"
#include "linalg/processor.hpp"
#include "linalg/products.hpp"

namespace pdbfw::joint {
namespace {

// Sweeps between two looks at all features: fewer while W is far from what it will be.
constexpr int kSweeps = 4, kFirstSweeps = 2;
constexpr double kFar = 0.1;
// The number of times per sweep that the zones are found anew.
constexpr Index kRefreshes = 32;
// Rows that lie together are taken together, in random order of these chunks.
constexpr Index kChunk = 32;
// The curvature of the sweeps' problem is at least this share of beta mean |a_i|^2 / n.
constexpr double kLeastCurvature = 0.3;
// It changes by this factor where the gap of the sweeps' problem is below or above these shares of the gap.
constexpr double kWeaker = 0.3, kWellSolved = 0.1, kBadlySolved = 0.9;
// What the intercepts add to mean |a_i|^2.
constexpr double kInterceptShare = 0.1;

// w += sum_k value_k (u - clamp(u)) over the rows u of U that a line meets.
struct AddOutside {
  [[gnu::always_inline]] static inline void run(const PackedRows::Line& line, const double* U, Index c,
                                                const double* lower, const double* upper, double* __restrict w) {
    for (Index k = 0; k < line.size; ++k) {
      const double* const __restrict u = U + line.at[k] * c;
      const double value = line.value[k];
      for (Index j = 0; j < c; ++j) w[j] += value * (u[j] - std::min(std::max(u[j], lower[j]), upper[j]));
    }
  }
};

// The same rows += value_k change.
struct AddChange {
  [[gnu::always_inline]] static inline void run(const PackedRows::Line& line, const double* change, Index c,
                                                double* U) {
    for (Index k = 0; k < line.size; ++k) {
      double* const __restrict u = U + line.at[k] * c;
      const double value = line.value[k];
      for (Index j = 0; j < c; ++j) u[j] += value * change[j];
    }
  }
};

// The mean squared norm of the rows less the centres.
double mean_squared_norm(const DataMatrix& A, const std::vector<double>& centres) {
  double sum = 0;
  for_each_entry(A.by_row(), [&](Index, Index, double value) { sum += value * value; });
  sum /= static_cast<double>(A.rows());
  for (const double centre : centres) sum -= centre * centre;
  return sum;
}

// |X - Z|^2
double squared_distance(const SparseRows& X, const SparseRows& Z) {
  double sum = X.value.squaredNorm() + Z.value.squaredNorm();
  for (std::size_t a = 0, b = 0; a < X.at.size() && b < Z.at.size();) {
    if (X.at[a] == Z.at[b])
      sum -= 2 * X.value.row(static_cast<Index>(a++)).dot(Z.value.row(static_cast<Index>(b++)));
    else
      ++(X.at[a] < Z.at[b] ? a : b);
  }
  return std::max(0.0, sum);
}

class SequentialEngine final : public Engine {
 public:
  SequentialEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), threads_(settings.threads), random_(settings.seed), n_(static_cast<double>(p.n())) {
    if (p.loss->has_intercept()) centres_ = centres_of(*p.A);
    const double norm = mean_squared_norm(*p.A, centres_);
    norm_ = norm > 0 ? norm : 1;
    rho_ = std::max(0.0, kLeastCurvature * p.loss->smoothness() * norm_ / n_ - p.ridge);
    q_ = p.ridge + rho_;
    if (p.loss->has_intercept()) inverse_q_t_ = kInterceptShare * norm_ / q_;
    X_ = start.X.rows > 0 ? start.X : SparseRows{p.d(), {}, Matrix(0, p.c())};
    t_0_ = Vector::Zero(p.c());
    Y_ = start.Y.rows() > 0 ? start.Y : dual_candidate(p, X_, threads_);
    look_at_all();
  }

  [[nodiscard]] std::string name() const override { return "sequential"; }
  [[nodiscard]] Estimate estimate() override { return now_; }
  [[nodiscard]] Point point() override { return {X_, Y_}; }

  void iterate(Run& run) override {
    if (!is_start_charged_) run.charge(pass() * 2);
    is_start_charged_ = true;
    choose_features();
    const int sweeps = relative_gap() > kFar ? kFirstSweeps : kSweeps;
    for (int s = 0; s < sweeps && run.may_go_on(); ++s) {
      sweep(run);
      run.charge(2 * packed_.entries() * static_cast<double>(p_.c()), kRefreshes);
    }
    const SparseRows centre = std::exchange(X_, primal_point());
    const double inner_set_part = set_part(p_, U_, q_, zones_) + 0.5 * rho_ * centre.value.squaredNorm();
    look_at_all();
    run.charge(pass() * 2);
    if (rho_ > 0)
      choose_curvature(now_.primal + 0.5 * rho_ * squared_distance(X_, centre) - (inner_set_part - conjugate_));
  }

 private:
  [[nodiscard]] double pass() const { return static_cast<double>(p_.A->nonzeros()) * static_cast<double>(p_.c()); }

  [[nodiscard]] double relative_gap() const {
    return std::max(0.0, now_.primal - now_.dual) / std::max(std::abs(now_.primal), std::numeric_limits<double>::min());
  }

  // W: the support, and the features with an entry that is not far inside its zone.
  void choose_features() {
    const double margin = 1 - std::clamp(2 * std::sqrt(relative_gap()), 0.1, 0.6);
    std::vector<bool> is_chosen(static_cast<std::size_t>(p_.d()), false);
    for (const Index j : X_.at) is_chosen[static_cast<std::size_t>(j)] = true;
    std::vector<Index> features;
    for (Index j = 0; j < p_.d(); ++j) {
      bool is_near = is_chosen[static_cast<std::size_t>(j)];
      for (Index k = 0; k < p_.c() && !is_near; ++k) {
        const DeadZone& zone = zone_of(all_zones_, k);
        const double u = U_all_(j, k);
        is_near = u != 0 && (u >= margin * zone.upper || u <= margin * zone.lower);
      }
      if (is_near) features.push_back(j);
    }
    if (packed_.offsets.empty() || features != packed_.features) packed_ = pack(*p_.A, std::move(features), centres_);
    norms_.assign(static_cast<std::size_t>(p_.n()), 0.0);
    for (Index i = 0; i < p_.n(); ++i) {
      const auto line = packed_[i];
      for (Index k = 0; k < line.size; ++k) norms_[static_cast<std::size_t>(i)] += line.value[k] * line.value[k];
    }
    U_.resize(static_cast<Index>(packed_.features.size()), p_.c());
    std::size_t next = 0;
    for (Index a = 0; a < U_.rows(); ++a) {
      const Index j = packed_.features[static_cast<std::size_t>(a)];
      U_.row(a) = U_all_.row(j);
      while (next < X_.at.size() && X_.at[next] < j) ++next;
      if (rho_ > 0 && next < X_.at.size() && X_.at[next] == j)
        U_.row(a) += rho_ * X_.value.row(static_cast<Index>(next));
    }
    t_ = t_0_;  // of rows less their centres
    for (std::size_t k = 0; k < X_.at.size() && !centres_.empty(); ++k)
      t_ += centres_[static_cast<std::size_t>(X_.at[k])] * X_.value.row(static_cast<Index>(k)).transpose();
    zones_.clear();
    find_zones();
  }

  void find_zones() {
    zones_ = dead_zones(p_, U_, q_, zones_);
    lower_.resize(p_.c());
    upper_.resize(p_.c());
    for (Index k = 0; k < p_.c(); ++k) {
      lower_[k] = zone_of(zones_, k).lower;
      upper_[k] = zone_of(zones_, k).upper;
    }
  }

  void sweep(Run& run) {
    const Index chunks = (p_.n() + kChunk - 1) / kChunk;
    std::vector<Index> order(static_cast<std::size_t>(chunks));
    std::iota(order.begin(), order.end(), Index{0});
    random_.shuffle(std::span<Index>(order));
    const Index between = std::max<Index>(1, chunks / kRefreshes);
    for (Index k = 0; k < chunks; ++k) {
      const Index first = order[static_cast<std::size_t>(k)] * kChunk;
      for (Index i = first; i < std::min(p_.n(), first + kChunk); ++i) step(i);
      if ((k + 1) % between != 0) continue;
      find_zones();
      if (!run.may_go_on()) return;
    }
    find_zones();
  }

  // Y_i <- argmax_v <w_i, v> - f_i*(v) - |v - Y_i|^2 / (2 step)
  void step(Index i) {
    const Index c = p_.c();
    const auto size = static_cast<std::size_t>(c);
    const PackedRows::Line line = packed_[i];
    w_.setZero(c);
    run_wide<AddOutside>(line, static_cast<const double*>(U_.data()), c, static_cast<const double*>(lower_.data()),
                         static_cast<const double*>(upper_.data()), w_.data());
    w_ = w_ / q_ + t_;
    const double bend = norms_[static_cast<std::size_t>(i)] / q_ + inverse_q_t_;
    new_.resize(c);
    const auto y = Y_.row(i);
    p_.loss->dual_prox(i, {w_.data(), size}, {y.data(), size}, n_ / bend, {new_.data(), size});
    change_ = (y.transpose() - new_) / n_;
    if ((change_.array() == 0).all()) return;
    Y_.row(i) = new_.transpose();
    run_wide<AddChange>(line, static_cast<const double*>(change_.data()), c, U_.data());
    t_ += inverse_q_t_ * change_;
  }

  // X = (U - clamp(U)) / q, by its rows that are not zero.
  [[nodiscard]] SparseRows primal_point() const {
    SparseRows out{p_.d(), {}, Matrix(0, p_.c())};
    std::vector<Index> rows;
    Matrix X = U_;
    for (Index a = 0; a < X.rows(); ++a) {
      for (Index k = 0; k < p_.c(); ++k) X(a, k) = zone_of(zones_, k).outside(U_(a, k)) / q_;
      if ((X.row(a).array() != 0).any()) rows.push_back(a);
    }
    out.value.resize(static_cast<Index>(rows.size()), p_.c());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      out.at.push_back(packed_.features[static_cast<std::size_t>(rows[k])]);
      out.value.row(static_cast<Index>(k)) = X.row(rows[k]);
    }
    project(p_, out.value);  // rounding
    return out;
  }

  // The proximal term may be weaker where the sweeps have all but solved their problem, and must be stronger where they
  // are far from it.
  void choose_curvature(double inner_gap) {
    const double gap = now_.primal - now_.dual;
    const double factor = inner_gap <= kWellSolved * gap ? kWeaker : inner_gap > kBadlySolved * gap ? 1 / kWeaker : 1;
    rho_ *= factor;
    q_ = p_.ridge + rho_;
    if (p_.loss->has_intercept()) inverse_q_t_ = kInterceptShare * norm_ / q_;
  }

  // Both values, from the data: two passes. The proximal terms are centred anew.
  void look_at_all() {
    Matrix W;
    multiply_rows(*p_.A, X_.at, X_.value, W, threads_);
    W.rowwise() += t_0_.transpose();  // the best intercepts are near the last ones
    const Vector change = p_.loss->intercepts(W, threads_);
    W.rowwise() += change.transpose();
    t_0_ += change;
    now_.primal = p_.loss->total_value(W, threads_) / n_ + 0.5 * p_.ridge * X_.value.squaredNorm();
    p_.loss->balance(Y_);
    multiply_transposed(*p_.A, Y_, U_all_, threads_);
    U_all_ /= -n_;
    all_zones_ = dead_zones(p_, U_all_, p_.ridge, all_zones_);
    conjugate_ = p_.loss->total_conjugate(Y_, threads_) / n_;
    now_.dual = set_part(p_, U_all_, p_.ridge, all_zones_) - conjugate_;
    now_.nonzeros = X_.nonzeros();
  }

  const Problem& p_;
  int threads_;
  Random random_;
  double n_, norm_ = 0, rho_ = 0, q_ = 0, conjugate_ = 0;
  double inverse_q_t_ = 0;  // 0 without intercepts
  SparseRows X_;            // X_0 too
  Matrix Y_, U_all_, U_;
  Vector t_0_, t_, lower_, upper_, w_, new_, change_;
  std::vector<DeadZone> all_zones_, zones_;
  std::vector<double> centres_;  // what was subtracted from the packed rows; empty without intercepts
  PackedRows packed_;
  std::vector<double> norms_;  // |a_i|^2 on W
  Estimate now_{};
  bool is_start_charged_ = false;
};

}  // namespace

const Solver kSequentialSolver{.about = {.name = "sequential",
                                         .summary = "dual ascent row by row against the live primal point",
                                         .reference = "pdbfw"},
                               .make_engine = &Solver::make<SequentialEngine>};

}  // namespace pdbfw::joint
