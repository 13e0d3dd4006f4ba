// Sequential dual ascent: steps 3 to 5 of Algorithm 1, one row after the other against the live primal point.
//
//   D(y, lambda) = -sum_j outside(u_j)^2 / (2 q_j) - lambda radius - (1/n) sum_i f_i*(y_i),  u = -A'y / n       [M9]
//
// is jointly concave in the dual point y and the multiplier lambda of the radius, and x_j = outside(u_j) / q_j is at
// hand for every (y, lambda). With lambda fixed, one row's proximal step never decreases D; with y fixed, the exact
// refresh of lambda never decreases D. So D is monotone, whatever the data, and there is nothing to tune.
//
// Most features end inside the dead zone. On large data, after one sweep over everything, the features that are outside
// or near the border are packed into arrays of their own (the working set W) and swept alone; a look at all features
// [M16] decides whether W was right. On W the dual value is that of the problem without the other features.
//
//   here     maths                                   |  invariants
//   y        dual iterate                            |    (I1) u = -A'y / n on the features in play
//   u        -A'y / n                                |    (I2) D(y, lambda) of the features in play never falls
//   zone     the dead zone [-lambda, lambda] of x    |  cost per iteration (a sweep over all rows): 2 nnz(A_W), and the
//   w        a_i'x when row i was last visited       |    refreshes of lambda, O(|W|) each
//   step     n / sum_j a_ij^2 / q_j                  |
#include "solvers/sequential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "core/dual_value.hpp"
#include "core/monitor.hpp"
#include "linalg/products.hpp"
#include "solvers/dual_newton.hpp"
#include "solvers/packed_features.hpp"

namespace pdbfw {
namespace {

// Refreshes of lambda in a sweep: as often as they pay. One costs about |W|, a sweep about 2 nnz(A_W).
constexpr Index kMostRefreshes = 8;
constexpr Index kFewestRefreshes = 2;
// Rows are visited in chunks that lie together in memory; small data is shuffled row by row.
constexpr Index kLargestChunk = 16;
constexpr Index kFewestChunks = 256;
// Sweeps after which u is computed anew, so that rounding cannot pile up.
constexpr Index kSweepsBeforeRefresh = 50;
// Packing pays for large data.
constexpr Index kWorthPacking = 200'000;
// Once the dual has settled to this share of the objective, W is looked at for the first time.
constexpr double kFirstCheck = 1e-2;
// float32 copies of float64 data are good for gaps down to about this, and for rows of up to this squared length.
constexpr double kFloatIsEnough = 1e-7;
constexpr double kFloatHolds = 1e60;
// The gap is some small multiple of the last rise of D; it is computed when that is this near to the tolerance.
constexpr double kWorthVerifying = 4;
// A claim on W leaves room for what the other features add.
constexpr double kClaimShare = 0.5;

// Up to so many rows, and while a step costs no more than so many passes, Newton's method on the dual [M17] helps the
// sweeps along; nothing is packed then.
constexpr Index kFewRows = 2'000;
constexpr double kMostNewtonPasses = 50;
constexpr int kMostHalvings = 5;
constexpr Index kLongestPause = 16;

// What one row's proximal step costs beside its products, in multiply-adds.
constexpr double kScalarStep = 20;

struct State {
  std::vector<double> y, w;
  std::vector<double> u;          // of the features in play
  std::vector<double> inverse_q;  // of the features in play; empty when q is uniform
  DeadZone zone;
};

// <line, x> with x_j = outside(u_j) / q_j. Four partial sums hide the latency of the additions.
template <class Line, class InverseQ>
double dot_outside(const Line& line, const double* u, const DeadZone& zone, const InverseQ& inverse_q) {
  const auto term = [&](Index k) {
    const Index j = line.index(k);
    return static_cast<double>(line.value[k]) * (u[j] - std::min(std::max(u[j], zone.lower), zone.upper)) *
           inverse_q(j);
  };
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  Index k = 0;
  for (; k + 4 <= line.size; k += 4) {
    s0 += term(k);
    s1 += term(k + 1);
    s2 += term(k + 2);
    s3 += term(k + 3);
  }
  for (; k < line.size; ++k) s0 += term(k);
  return (s0 + s1) + (s2 + s3);
}

// [M10]  w_i = a_i'x,  y_i <- argmax_v  w_i v - f_i*(v) - (v - y_i)^2 / (2 step_i),  u <- u - (change of y_i / n) a_i.
// Returns the entries touched.
template <class Line, class InverseQ>
Index visit_row(const Problem& p, std::size_t i, const Line& line, double step, double scale, const InverseQ& inverse_q,
                State& st) {
  const double w = scale * dot_outside(line, st.u.data(), st.zone, inverse_q);
  const double y = p.loss->dual_prox(p.b[i], w, st.y[i], step);
  const double change = (y - st.y[i]) / static_cast<double>(p.n());
  st.w[i] = w;
  if (y == st.y[i]) return line.size;
  st.y[i] = y;
  double* const u = st.u.data();
  for (Index k = 0; k < line.size; ++k) u[line.index(k)] -= change * static_cast<double>(line.value[k]);
  return 2 * line.size;
}

class SequentialEngine final : public Engine {
 public:
  SequentialEngine(const Problem& p, const Settings& settings)
      : p_(p), tol_(settings.tol), threads_(settings.threads), random_(settings.seed), q_(p.regulariser->curvatures()) {
    st_.y.resize(p.b.size());
    st_.w.resize(p.b.size());
    st_.u.resize(static_cast<std::size_t>(p.d()));
    for (const double q_j : q_.each) st_.inverse_q.push_back(1 / q_j);
    all_inverse_q_ = st_.inverse_q;
    choose_steps();
    chunk_ = std::clamp<Index>(p.n() / kFewestChunks, 1, kLargestChunk);
    chunks_.resize(static_cast<std::size_t>((p.n() + chunk_ - 1) / chunk_));
    std::iota(chunks_.begin(), chunks_.end(), Index{0});
    order_.resize(p.b.size());
    std::iota(order_.begin(), order_.end(), Index{0});
    random_.shuffle(std::span(order_));
    refresh_zone();
  }

  [[nodiscard]] std::string name() const override { return "sequential"; }

  // Three sweeps; with Newton's help the progress comes at the end.
  [[nodiscard]] double first_look() const override { return newton_pays() ? 2 * kMostNewtonPasses : 6; }

  // D is exact for the features in play. P takes each a_i'x as it was when row i was last visited, unless it was
  // verified; the gap is then not believed to be smaller than the last rise of D.
  [[nodiscard]] Estimate estimate() override {
    const auto [g, nonzeros] = regulariser_part();
    dual_ = dual_value(g);
    double primal = p_.loss->total_value(p_.b, st_.w) / static_cast<double>(p_.n()) + g;
    if (!is_verified_) primal = std::max(primal, dual_ + dual_rise_);
    return {primal, dual_, nonzeros};
  }

  // x_j = outside(u_j) / q_j. Where the ridge is tiny, u and lambda agree in most digits and the rounding of their
  // difference is blown up by 1/q; the projection takes x back into C.
  [[nodiscard]] Point point() const override {
    Point out{std::vector<double>(static_cast<std::size_t>(p_.d())), st_.y};
    for (std::size_t a = 0; a < st_.u.size(); ++a) {
      const Index j = packed_.is_in_use() ? packed_.feature(a) : static_cast<Index>(a);
      out.x[static_cast<std::size_t>(j)] = st_.zone.outside(st_.u[a]) / q_[j];
    }
    p_.set->project(out.x);
    return out;
  }

  void iterate(Monitor& monitor) override {
    if (has_claimed_) look_at_all(monitor);  // the certificate did not agree: W or rounding is to blame
    has_claimed_ = false;
    sweep(monitor);
    if (newton_pays() && sweeps_ >= next_newton_) newton_step(monitor);
    const double before = dual_;
    const auto [g, nonzeros] = regulariser_part();
    dual_rise_ = std::max(0.0, dual_value(g) - before);
    const double scale = std::abs(dual_value(g));
    if (packed_.is_in_use() && !is_checked_ && dual_rise_ <= kFirstCheck * scale) look_at_all(monitor);
    if (!packed_.is_in_use() && sweeps_ == 1) pack(monitor);
    if (dual_rise_ <= kWorthVerifying * tol_ * scale) verify(monitor);
  }

 private:
  // step_i = n / sum_j a_ij^2 / q_j; an empty row needs no proximal term.
  void choose_steps() {
    step_.resize(p_.b.size());
    squared_norms(p_.A->by_row(), all_inverse_q_, step_);
    longest_row_ = *std::max_element(step_.begin(), step_.end());
    const double scale = static_cast<double>(p_.n()) * (q_.is_uniform() ? q_.uniform : 1.0);
    for (double& step : step_) step = step > 0 ? scale / step : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] Curvatures curvatures_in_play() const {
    return packed_.is_in_use() && !q_.is_uniform() ? Curvatures{0, packed_q_} : q_;
  }

  // [M6]  lambda <- argmax D(y, lambda)
  void refresh_zone() { st_.zone = p_.set->dead_zone(st_.u, curvatures_in_play(), &st_.zone); }

  // g(x) and the non-zeros of x.
  [[nodiscard]] std::pair<double, Index> regulariser_part() const {
    const Curvatures q = curvatures_in_play();
    double g = 0;
    Index nonzeros = 0;
    for (std::size_t a = 0; a < st_.u.size(); ++a) {
      const double outside = st_.zone.outside(st_.u[a]);
      if (outside == 0) continue;
      g += 0.5 * outside * outside / q[static_cast<Index>(a)];
      ++nonzeros;
    }
    return {g, nonzeros};
  }

  [[nodiscard]] double dual_value(double g) const {
    return -g - st_.zone.multiplier * p_.set->radius() -
           p_.loss->total_conjugate(p_.b, st_.y) / static_cast<double>(p_.n());
  }

  // Calls work(row, line, scale, inverse_q) for the rows at places first .. last - 1 of the order.
  template <class Work>
  void for_rows(Index first, Index last, const Work& work) {
    const double uniform = q_.is_uniform() ? 1 / q_.uniform : 1.0;
    const double* const each = st_.inverse_q.data();
    const auto run = [&](const auto& line_at) {
      for (Index q = first; q < last; ++q) {
        const auto i = static_cast<std::size_t>(order_[static_cast<std::size_t>(q)]);
        if (q_.is_uniform())
          work(i, line_at(q, i), uniform, [](Index) { return 1.0; });
        else
          work(i, line_at(q, i), 1.0, [each](Index j) { return each[j]; });
      }
    };
    std::visit(
        [&](const auto& packed) {
          if constexpr (std::is_same_v<std::decay_t<decltype(packed)>, std::monostate>)
            std::visit([&](const auto& all) { run([&](Index, std::size_t i) { return all[static_cast<Index>(i)]; }); },
                       p_.A->by_row());
          else
            run([&](Index q, std::size_t) { return packed[q]; });
        },
        packed_.rows());
  }

  // Every row once, chunk by chunk in an order drawn anew: a fixed order takes many times as many sweeps.
  void sweep(Monitor& monitor) {
    const auto entries = packed_.is_in_use() ? packed_.entries() : p_.A->nonzeros();
    const auto in_play = static_cast<Index>(st_.u.size());
    const Index refreshes = std::clamp(entries / (2 * in_play), kFewestRefreshes, kMostRefreshes);
    random_.shuffle(std::span(chunks_));
    const auto chunks = static_cast<Index>(chunks_.size());
    is_verified_ = false;
    for (Index r = 0; r < refreshes && monitor.may_go_on(); ++r) {
      Index touched = 0;
      for (Index c = chunks * r / refreshes; c < chunks * (r + 1) / refreshes; ++c) {
        const Index first = chunks_[static_cast<std::size_t>(c)] * chunk_;
        for_rows(first, std::min(first + chunk_, p_.n()),
                 [&](std::size_t i, const auto& line, double scale, const auto& inverse_q) {
                   touched += visit_row(p_, i, line, step_[i], scale, inverse_q, st_);
                 });
      }
      refresh_zone();
      monitor.charge(static_cast<double>(touched), 1);
    }
    monitor.charge_other(kScalarStep * static_cast<double>(p_.n()));
    if (++sweeps_ % kSweepsBeforeRefresh == 0) look_at_all(monitor);
  }

  // w = A x exactly: one pass over the entries in play.
  void verify_products(Monitor& monitor) {
    Index touched = 0;
    for_rows(0, p_.n(), [&](std::size_t i, const auto& line, double scale, const auto& inverse_q) {
      st_.w[i] = scale * dot_outside(line, st_.u.data(), st_.zone, inverse_q);
      touched += line.size;
    });
    monitor.charge(static_cast<double>(touched));
  }

  // And with it P.
  void verify(Monitor& monitor) {
    verify_products(monitor);
    is_verified_ = true;
    const auto [g, nonzeros] = regulariser_part();
    const double primal = p_.loss->total_value(p_.b, st_.w) / static_cast<double>(p_.n()) + g;
    has_claimed_ = primal - dual_value(g) <= tol_ * std::abs(primal);
    if (packed_.is_in_use() && primal - dual_value(g) > kClaimShare * tol_ * std::abs(primal)) {
      // Not good enough to be shown: another sweep is cheaper than a certificate that fails.
      is_verified_ = !has_claimed_;
      has_claimed_ = false;
    }
  }

  [[nodiscard]] bool newton_pays() const {
    if (p_.n() > kFewRows) return false;
    const auto n = static_cast<double>(p_.n()), support = static_cast<double>(regulariser_part().second);
    return n * n * (n / 6 + support / 2) <= kMostNewtonPasses * static_cast<double>(p_.A->nonzeros());
  }

  // [M17]  A step of Newton's method on the piece of D where the sweeps have come to, if it raises D. When it does not,
  // the sweeps go on alone for a while, and twice as long the next time.
  void newton_step(Monitor& monitor) {
    verify_products(monitor);
    double multiply_adds = 0;
    const std::vector<double> e = dual_newton_direction(p_, st_.y, st_.w, st_.u, st_.zone, multiply_adds);
    monitor.charge(multiply_adds);
    const double before = dual_value(regulariser_part().first);
    State trial = st_;
    double t = 1;
    for (int halving = 0; !e.empty() && halving < kMostHalvings && monitor.may_go_on(); ++halving, t /= 2) {
      for (std::size_t i = 0; i < e.size(); ++i)
        trial.y[i] = p_.loss->dual_prox(p_.b[i], st_.w[i], st_.y[i] + t * e[i], 0);
      trial.u = full_u(trial.y, monitor);
      std::swap(trial, st_);
      refresh_zone();
      if (dual_value(regulariser_part().first) > before) {
        newton_pause_ = 1;
        return;
      }
      std::swap(trial, st_);
    }
    newton_pause_ = std::min(2 * newton_pause_, kLongestPause);
    next_newton_ = sweeps_ + newton_pause_;
  }

  // -A'y / n of all features.
  [[nodiscard]] std::vector<double> full_u(std::span<const double> y, Monitor& monitor) const {
    std::vector<double> u(static_cast<std::size_t>(p_.d()));
    multiply_transposed(*p_.A, y, u, threads_);
    for (double& u_j : u) u_j /= -static_cast<double>(p_.n());
    monitor.charge(static_cast<double>(p_.A->nonzeros()), 1);
    return u;
  }

  // [M16]  Is a feature outside the dead zone that is not in W? Then W is chosen anew; else u is rid of its rounding.
  void look_at_all(Monitor& monitor) {
    std::vector<double> u = full_u(st_.y, monitor);
    is_checked_ = true;
    if (packed_.is_in_use() && !packed_.misses_one(u, p_.set->dead_zone(u, q_, &st_.zone))) {
      st_.u = packed_.pick(u);
      refresh_zone();
      return;
    }
    const bool was_packed = packed_.is_in_use();
    packed_.drop();
    st_.inverse_q = all_inverse_q_;
    st_.u = std::move(u);
    refresh_zone();
    if (was_packed) pack(monitor);
  }

  // Chooses W and packs its entries, if that pays.
  void pack(Monitor& monitor) {
    if (p_.A->nonzeros() < kWorthPacking || p_.n() <= kFewRows) return;
    packed_.choose(*p_.A, st_.u, st_.zone, order_, tol_ >= kFloatIsEnough && longest_row_ < kFloatHolds);
    if (!packed_.is_in_use()) return;
    monitor.charge(static_cast<double>(p_.A->nonzeros()));
    st_.u = packed_.pick(st_.u);
    if (!q_.is_uniform()) {
      st_.inverse_q = packed_.pick(all_inverse_q_);
      packed_q_ = packed_.pick(q_.each);
    }
    is_checked_ = false;
  }

  const Problem& p_;
  double tol_;
  int threads_;
  Random random_;
  Curvatures q_;
  State st_;
  std::vector<double> step_, all_inverse_q_;
  double longest_row_ = 0;  // squared
  Index chunk_ = 1;
  std::vector<Index> chunks_, order_;
  PackedFeatures packed_;
  std::vector<double> packed_q_;
  Index sweeps_ = 0;
  Index next_newton_ = 0, newton_pause_ = 1;
  double dual_ = 0, dual_rise_ = 0;
  bool is_verified_ = false, is_checked_ = false, has_claimed_ = false;
};

}  // namespace

std::unique_ptr<Engine> make_sequential_engine(const Problem& p, const Settings& settings) {
  return std::make_unique<SequentialEngine>(p, settings);
}

void Sequential::check(const Problem& p, const Settings&) const {
  if (!(p.regulariser->strong_convexity() > 0))
    throw InputError("ridge", "0", "> 0 for the solver sequential; auto and working_set take 0 as well");
}

Result Sequential::solve(const Problem& p, const Settings& settings, const Callback& callback) const {
  SequentialEngine engine(p, settings);
  return run(p, settings, callback, engine);
}

}  // namespace pdbfw
