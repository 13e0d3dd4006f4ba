// Sequential dual ascent: steps 3 to 5 of Algorithm 1, one row after the other against the live primal point.
//
//   D(y, lambda) = -sum_j outside(u_j)^2 / (2 q_j) - lambda radius - (1/n) sum_i f_i*(y_i),  u = -A'y / n       [M9]
//
// is jointly concave in the dual point y and the multiplier lambda of the radius, and x_j = outside(u_j) / q_j is at
// hand for every (y, lambda). With lambda fixed, one row's proximal step never decreases D; with y fixed, the exact
// refresh of lambda never decreases D. So D is monotone, whatever the data, and there is nothing to tune.
//
// Most features end inside the dead zone. One look at all columns tells which can matter (the working set W); their
// entries are packed into arrays of their own and swept alone. W shrinks as the
// zone settles; the certificate, which sees all features, decides whether W was right [M16]. On W the dual value is
// that of the problem without the other features.
//
//   here     maths                                   |  invariants
//   y        dual iterate                            |    (I1) u = -A'y / n on W
//   u        -A'y / n on W                           |    (I2) D(y, lambda) of the features in W never falls
//   zone     the dead zone [-lambda, lambda] of x    |  cost per iteration (a sweep over all rows): 2 nnz(A_W), and the
//   w        a_i'x when row i was last visited       |    refreshes of lambda, O(|W|) each
//   step     n / sum_{j in W} a_ij^2 / q_j           |
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "core/run.hpp"
#include "linalg/kernels.hpp"
#include "linalg/products.hpp"
#include "solvers/dual_newton.hpp"
#include "solvers/first_guess.hpp"
#include "solvers/packed_rows.hpp"
#include "solvers/row_kernels.hpp"
#include "solvers/solvers.hpp"
#include "solvers/sweep_constants.hpp"

namespace pdbfw {
namespace {

// One refresh of lambda costs more when shards are added up.
constexpr Index kRefreshCostOfShards = 8;
// More of them where two shards have got into each other's way.
constexpr Index kMoreRefreshes = 4;
constexpr Index kMostRefreshesOfShards = 512;
// From this number of entries on, sweeps are made in two shards.
constexpr Index kWorthSharding = 250'000;
// Sweeps after which u is computed anew, so that rounding cannot pile up.
constexpr Index kSweepsBeforeRefresh = 50;

// When the radius has changed, the way to the border of the zone is short.
constexpr double kNearNextBorder = 0.22;
// A line through the last two ends of a path is followed for this multiple of the distance between them.
constexpr double kFarthest = 2;
// With few rows Newton's steps jump, and W is cheap to repair.
constexpr double kShrinkPaysNewton = 0.6;
constexpr Index kWorthShrinking = 10'000;

// Newton's method on the dual [M17], while a step costs no more than this number of passes.
constexpr double kMostNewtonPasses = 50;
constexpr Index kFirstNewton = 3;
constexpr double kCheapNewton = 4;
constexpr int kMostHalvings = 12;
constexpr Index kLongestPause = 16;
constexpr double kFirstProximityOfNewton = 1e-3;

// When this share of the loss or less is left, rounds aim at a point without any, in a ball that is smaller by this
// share.
constexpr double kNearlyExplained = 1e-2;
constexpr double kSpare = 0.03;

// Newton's progress comes at the end.
constexpr double kNewtonPatience = 500;

class SequentialEngine final : public Engine {
 public:
  SequentialEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        tol_(settings.tol),
        threads_(settings.threads),
        n_(static_cast<double>(p.n())),
        random_(settings.seed),
        own_q_(p.regulariser->curvatures()),
        packed_(*p.A, settings.threads),
        y_(p.loss->size()),
        w_(p.loss->size()),
        step_(p.loss->size()),
        ends_{{}, 0, p.set->radius()},
        has_few_rows_(p.n() <= kFewRows),
        is_warm_(!start.y.empty()) {
    if (is_warm_) y_ = start.y;
    zone_.multiplier = start.multiplier;
    chunk_ = std::clamp<Index>(p.n() / kFewestChunks, 1, kLargestChunk);
    chunks_.resize(static_cast<std::size_t>((p.n() + chunk_ - 1) / chunk_));
    std::iota(chunks_.begin(), chunks_.end(), Index{0});
    choose_proximity(p.regulariser->strong_convexity() > 0 ? 0 : first_proximity());
    if (proximity_ > 0) centre_ = start.x;
    if (proximity_ > 0) centre_.resize(static_cast<std::size_t>(p.d()));
  }

  [[nodiscard]] std::string name() const override { return "sequential"; }

  void radius_has_changed() override {
    has_claimed_ = is_verified_ = is_too_small_ = false;
    spare_.reset();
    explained_.reset();
    if (!has_begun_) return;
    refresh_zone();
    look_at_dual();
    dual_rise_ = std::abs(dual_);  // nothing is known yet of how far it is to go
    has_other_radius_ = true;
    misses_ = 0;
  }

  [[nodiscard]] double first_look() const override {
    return newton_pays() ? kNewtonPatience : (proximity_ > 0 ? kFirstLookOfRounds : kFirstLookOfSweeps);
  }

  // D is exact on W. P takes each a_i'x as it was when row i was last visited, unless it was verified; the gap is then
  // not believed to be smaller than the last rise of D.
  [[nodiscard]] Estimate estimate() override {
    if (!has_begun_)  // x = 0, y = 0
      return {p_.loss->total_value(w_) / n_, -p_.loss->total_conjugate(y_) / n_, 0};
    if (explained_) return {0, -p_.loss->total_conjugate(explained_->y) / n_, nonzeros_};
    if (proximity_ > 0) return own_estimate();
    double primal = p_.loss->total_value(w_) / n_ + g_ + paid_;
    if (!is_verified_) primal = std::max(primal, dual_ + dual_rise_);
    return {primal, dual_, nonzeros_};
  }

  // x_j = outside(u_j) / q_j. Where the ridge is tiny, u and lambda agree in most digits and the rounding of their
  // difference is blown up by 1/q; the projection takes x back into C.
  [[nodiscard]] Point point() override {
    if (!has_begun_) return {start_point(p_), y_};
    if (explained_) return *explained_;
    Point out{std::vector<double>(static_cast<std::size_t>(p_.d())),
              y_,
              {.sums = column_sums_, .signs = signs_, .border = zone_.multiplier}};
    std::vector<double> x(u_.size());
    for (std::size_t a = 0; a < x.size(); ++a) x[a] = zone_.outside(u_[a]) / q_[packed_.features()[a]];
    if (!x.empty()) set().project(x);
    for (std::size_t a = 0; a < x.size(); ++a) out.x[static_cast<std::size_t>(packed_.features()[a])] = x[a];
    return out;
  }

  void iterate(Run& run) override {
    if (!has_begun_) begin(run);
    has_begun_ = true;
    // The certificate did not agree: W or rounding is to blame. It has seen all features.
    if (has_claimed_) {
      const std::span<const double> u = run.certified_u();
      look_at_all(u.empty() ? full_u(run) : std::vector<double>(u.begin(), u.end()), run);
    }
    has_claimed_ = false;
    explained_.reset();
    if (has_other_radius_) {
      shrink(run, kNearNextBorder);
      extrapolate(run);
    }
    has_other_radius_ = false;
    const double before = dual_;
    sweep(run);
    if (has_few_rows_) look_at_dual();  // how many features are outside the zone now
    if (newton_is_due()) newton_step(run);
    look_at_dual();
    dual_rise_ = std::max(0.0, dual_ - before);
    const bool is_settled = has_few_rows_ || dual_rise_ <= kWellSettled * std::abs(dual_);
    if (has_few_rows_ || dual_rise_ <= kSettled * std::abs(dual_))
      shrink(run, is_settled ? kNearBorder : kNearUnsettledBorder);
    if (proximity_ > 0) {
      end_round_if_done(run);
      return;
    }
    if (has_few_rows_ || dual_rise_ <= kWorthVerifying * tol_ * std::abs(dual_)) verify(run);
  }

 private:
  [[nodiscard]] Curvatures q_in_play() const { return q_.is_uniform() ? q_ : Curvatures{0, packed_q_}; }

  // [M18]  Without a ridge the sweeps solve a sequence of problems that have one: (proximity / 2) |x - centre|^2 is
  // added to g, which adds the proximity to every q_j and proximity * centre to u. Every round begins where the last
  // one ended, with less of it.
  void choose_proximity(double proximity) {
    proximity_ = proximity;
    proximal_q_.assign(own_q_.each.begin(), own_q_.each.end());
    for (double& q_j : proximal_q_) q_j += proximity;
    q_ = {own_q_.uniform + proximity, proximal_q_};
  }

  [[nodiscard]] double first_proximity() const {
    std::vector<double> norms(y_.size());
    squared_norms(p_.A->by_row(), {}, norms);
    const double mean = std::accumulate(norms.begin(), norms.end(), 0.0) / n_;
    return mean > 0 ? (has_few_rows_ ? kFirstProximityOfNewton : kFirstProximity) * mean / n_ : 1;
  }

  // D of the problem itself over `set` at the y of the proximal one.
  [[nodiscard]] double own_dual(const Set& set) const {
    std::vector<double> u(u_.size()), q;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const Index j = packed_.features()[a];
      u[a] = u_[a] - proximity_ * centre_[static_cast<std::size_t>(j)];
      if (!own_q_.is_uniform()) q.push_back(own_q_[j]);
    }
    const Curvatures own{own_q_.uniform, q};
    return set_part(u, own, set.dead_zone(u, own), set.radius()) - p_.loss->total_conjugate(y_) / n_;
  }

  // P and D of the problem itself at the point of the proximal one. w is exact.
  [[nodiscard]] Estimate own_estimate() const {
    double g = 0;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const Index j = packed_.features()[a];
      const double x = zone_.outside(u_[a]) / q_[j];
      g += 0.5 * own_q_[j] * x * x;
    }
    return {p_.loss->total_value(w_) / n_ + g, own_dual(*p_.set), nonzeros_};
  }

  // The proximal problem is solved well enough when its own gap is a share of the gap that is to be closed.
  void end_round_if_done(Run& run) {
    verify_products(run);
    const Estimate own = own_estimate();
    double primal = p_.loss->total_value(w_) / n_ + g_, dual = dual_;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const Index j = packed_.features()[a];
      primal -= proximity_ * centre_[static_cast<std::size_t>(j)] * zone_.outside(u_[a]) / q_[j];
    }
    has_claimed_ = own.primal - own.dual <= tol_ * std::abs(own.primal);
    if (look_for_no_loss(own.primal, run)) return;
    const bool is_done = primal - dual <= kRoundShare * (own.primal - own.dual);
    ++sweeps_in_round_;
    if (!is_done && sweeps_in_round_ < kLongRound) return;
    if (is_done && packed_.width() < p_.d() && look_at_all(full_u(run), run)) return;
    const double factor = !is_done ? 1 / kRoundFactor : (sweeps_in_round_ <= kShortRound ? kRoundFactor : 1);
    sweeps_in_round_ = 0;
    const double last = proximity_;
    std::vector<double> next(centre_.size(), 0.0);
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const auto j = static_cast<std::size_t>(packed_.features()[a]);
      next[j] = zone_.outside(u_[a]) / q_[packed_.features()[a]];
      next[j] += kBeyond * (next[j] - centre_[j]);
      u_[a] += factor * last * next[j] - last * centre_[j];
    }
    centre_ = std::move(next);
    choose_proximity(factor * last);
    next_newton_ = sweeps_;
    newton_pause_ = 1;
    rows_have_changed();
    look_at_dual();
  }

  // [M18]  Where the model can explain all samples, y = 0 is the proof, and rounds come nearer and nearer to a point
  // without loss. From when little is left of the loss they aim at a ball that is smaller by a little: as soon as no
  // sample misses by more than that, x made longer by as much is such a point. Its products are known: it costs no pass
  // to find out. False where the smaller ball turns out to be too small, or nothing is known yet.
  bool look_for_no_loss(double primal, Run& run) {
    const std::vector<double> zero(y_.size(), 0.0);
    const double least = -p_.loss->total_conjugate(zero) / n_, at_zero = p_.loss->total_value(zero) / n_;
    if (spare_ && own_dual(set()) > least) {
      is_too_small_ = true;
      aim_at(nullptr);
    }
    const bool is_near = primal - least <= kNearlyExplained * (at_zero - least);
    if (!is_near || is_too_small_ || own_q_.uniform > 0 || !own_q_.is_uniform()) return false;
    if (!spare_) {
      aim_at(p_.set->with_radius((1 - kSpare) * p_.set->radius()));
      return false;
    }
    std::vector<double> w = w_;
    for (double& w_i : w) w_i /= 1 - kSpare;
    run.charge_other(kScalarStep * n_);
    if (!(p_.loss->total_value(w) / n_ - least <= kClaimShare * tol_ * kTinyFraction * at_zero)) return false;
    explained_ = Point{point().x, zero};
    for (double& x_j : explained_->x) x_j /= 1 - kSpare;
    p_.set->project(explained_->x);  // rounding
    has_claimed_ = true;
    return true;
  }

  void aim_at(std::shared_ptr<const Set> set) {
    spare_ = std::move(set);
    refresh_zone();
    look_at_dual();
  }

  [[nodiscard]] const Set& set() const { return spare_ ? *spare_ : *p_.set; }

  // [M6]  lambda <- argmax D(y, lambda)
  void refresh_zone() { zone_ = set().dead_zone(u_, q_in_play(), &zone_); }

  // g(x), what a penalty costs, the non-zeros of x, and D(y, lambda).
  void look_at_dual() {
    const Curvatures q = q_in_play();
    g_ = paid_ = 0;
    nonzeros_ = 0;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const double outside = zone_.outside(u_[a]);
      if (outside == 0) continue;
      g_ += 0.5 * outside * outside / q[static_cast<Index>(a)];
      paid_ += price_ * std::abs(outside) / q[static_cast<Index>(a)];
      ++nonzeros_;
    }
    dual_ = -g_ - zone_.multiplier * set().radius() - p_.loss->total_conjugate(y_) / n_;
  }

  // What can matter? From a given y, what it puts near the border. On data of few rows, or where features differ in
  // curvature, anything.
  void begin(Run& run) {
    if (is_warm_) {
      look_at_all(full_u(run), run);
    } else if (has_few_rows_ || !q_.is_uniform()) {
      const auto d = static_cast<std::size_t>(p_.d());
      std::vector<Index> features(d);
      std::iota(features.begin(), features.end(), Index{0});
      pack(std::move(features), std::vector<double>(d, 0.0), run);
    } else {
      FirstGuess guess = make_first_guess(p_, q_.uniform, threads_);
      run.charge(static_cast<double>(p_.A->nonzeros()), 1);
      y_ = std::move(guess.y);
      signs_ = y_;
      column_sums_ = std::move(guess.column_sums);
      fits_float_ = guess.largest_entry < kFloatHolds && guess.largest_entry > 1 / kFloatHolds;
      pack(std::move(guess.features), guess.u, run);
    }
  }

  // W = the given features. `u` is that of all features.
  void pack(std::vector<Index> features, std::span<const double> u, Run& run) {
    packed_.pack(std::move(features), fits_float_ && tol_ >= kFloatIsEnough && proximity_ == 0);
    run.charge(static_cast<double>(p_.A->nonzeros()));
    u_.clear();
    for (const Index j : packed_.features()) u_.push_back(u[static_cast<std::size_t>(j)]);
    rows_have_changed();
  }

  void rows_have_changed() {
    packed_q_.clear();
    inverse_q_.clear();
    if (!q_.is_uniform())
      for (const Index j : packed_.features()) {
        packed_q_.push_back(q_[j]);
        inverse_q_.push_back(1 / q_[j]);
      }
    choose_steps();
    refresh_zone();
  }

  // step_i = n / sum_j a_ij^2 / q_j over W; an empty row needs no proximal term.
  void choose_steps() {
    for_all_rows([&](Index q, const auto& line, double scale, const auto& inverse_q) {
      double sum = 0;
      if constexpr (std::is_same_v<std::decay_t<decltype(inverse_q)>, One>)
        sum = squared_norm(line);
      else
        for (Index k = 0; k < line.size; ++k) {
          const auto value = static_cast<double>(line.value[k]);
          sum += value * value * inverse_q(line.index(k));
        }
      const double step = sum > 0 ? n_ / (scale * sum) : std::numeric_limits<double>::infinity();
      step_[static_cast<std::size_t>(q)] = has_pieces_ ? 1 / (1 / step + pieces_[0].q) : step;
    });
  }

  // Calls work(q, line, scale, inverse_q) for the rows at places first .. last - 1; 1 / q_j = scale inverse_q(j).
  template <class Work>
  void for_rows(Index first, Index last, const Work& work) {
    const double uniform = q_.is_uniform() ? 1 / q_.uniform : 1.0;
    const double* const each = inverse_q_.data();
    std::visit(
        [&](const auto& rows) {
          for (Index q = first; q < last; ++q) {
            if (q_.is_uniform())
              work(q, rows[q], uniform, One{});
            else
              work(q, rows[q], 1.0, [each](Index j) { return each[j]; });
          }
        },
        packed_.rows());
  }

  struct One {
    double operator()(Index) const { return 1.0; }
  };

  // a_i'x on W.
  template <class Line, class InverseQ>
  [[nodiscard]] double product(const Line& line, const double* u, double scale, const InverseQ& inverse_q) const {
#ifdef PDBFW_AVX2
    if constexpr (std::is_same_v<InverseQ, One>)
      if (has_avx2_) return scale * dot_outside_avx2(line, u, zone_);
#endif
    return scale * dot_outside(line, u, zone_, inverse_q);
  }

  // argmax_v  w v - f_i*(v) - (v - y_i)^2 / (2 step_i). Where f_i*(v) = q v^2 / 2 + b_i v on an interval, with
  // t = 1 / (1 / step_i + q) that is  t (w - b_i) + (1 - q t) y_i, clipped.                                   [M7]
  [[nodiscard]] double dual_prox(std::size_t i, double w) const {
    if (!has_pieces_) return p_.loss->dual_prox(i, w, y_[i], step_[i]);
    const QuadraticConjugate& piece = pieces_[b_[i] > 0 ? 1 : 0];
    const double t = step_[i];
    return std::min(std::max(t * (w - b_[i]) + (1 - piece.q * t) * y_[i], piece.low), piece.high);
  }

  // Is every f_i* such a piece, the same one for all targets of a sign?
  bool look_for_pieces() {
    std::array<bool, 2> is_known{};
    for (std::size_t i = 0; i < b_.size(); ++i) {
      const std::optional<QuadraticConjugate> piece = p_.loss->quadratic_conjugate(i);
      if (!piece || piece->c != b_[i]) return false;
      QuadraticConjugate& known = pieces_[b_[i] > 0 ? 1 : 0];
      if (!std::exchange(is_known[b_[i] > 0 ? 1 : 0], true)) known = *piece;
      if (piece->q != known.q || piece->low != known.low || piece->high != known.high) return false;
    }
    if (!is_known[0]) pieces_[0] = pieces_[1];
    return !is_known[1] || pieces_[0].q == pieces_[1].q;
  }

  // [M10]  w_i = a_i'x,  y_i <- argmax_v  w_i v - f_i*(v) - (v - y_i)^2 / (2 step_i),  u <- u - (change of y_i / n)
  // a_i. Returns the entries touched.
  template <class Line, class InverseQ>
  Index visit_row(std::size_t i, const Line& line, double scale, const InverseQ& inverse_q, double* u) {
    const double w = product(line, u, scale, inverse_q);
    const double y = dual_prox(i, w);
    const double change = (y - y_[i]) / n_;
    w_[i] = w;
    if (change == 0) return line.size;
    y_[i] = y;
    add_scaled(line, -change, u);
    return 2 * line.size;
  }

  // Every row once, chunk by chunk in an order drawn anew: a fixed order takes many times as many sweeps. Between two
  // refreshes of lambda large data is swept in two shards, each against its own copy of u, and their changes are added
  // [M10]. That nearly always raises D as one shard would; when it does not, the sweep is taken back and made in one
  // shard, and so are the next few.
  void sweep(Run& run) {
    const Index shards = packed_.entries() >= kWorthSharding && proximity_ == 0 && sweeps_ >= alone_until_ ? 2 : 1;
    std::vector<double> y, u;
    DeadZone zone = zone_;
    double before = 0;
    if (shards > 1) {
      look_at_dual();
      before = dual_;
      y = y_;
      u = u_;
    }
    sweep_in(shards, run);
    if (!y.empty()) {
      look_at_dual();
      if (dual_ < before - kDualRounding * std::abs(before)) {
        y_ = y;
        u_ = u;
        zone_ = zone;
        if (most_refreshes_ < kMostRefreshesOfShards) {
          most_refreshes_ *= kMoreRefreshes;  // those that meet more often know more of each other
        } else {
          alone_until_ = sweeps_ + pause_;
          pause_ *= 2;
        }
        sweep_in(1, run);
      }
    }
    run.charge_other(kScalarStep * n_);
    if (++sweeps_ % kSweepsBeforeRefresh == 0) look_at_all(full_u(run), run);
  }

  void sweep_in(Index shards, Run& run) {
    const Index worth = (shards > 1 ? kRefreshCostOfShards : kRefreshCost) * std::max<Index>(1, packed_.width());
    const Index refreshes =
        std::clamp(packed_.entries() / worth, kFewestRefreshes, shards > 1 ? most_refreshes_ : kMostRefreshes);
    random_.shuffle(std::span(chunks_));
    const auto chunks = static_cast<Index>(chunks_.size());
    is_verified_ = false;
    std::vector<std::vector<double>> own_u(static_cast<std::size_t>(shards > 1 ? shards : 0), u_);
    std::vector<Index> touched(static_cast<std::size_t>(shards));
    parallel_rounds(
        threads_, shards, refreshes,
        [&](Index shard, Index r) {
          const auto s = static_cast<std::size_t>(shard);
          double* const u_s = shards > 1 ? own_u[s].data() : u_.data();
          touched[s] = 0;
          for (Index c = chunks * r / refreshes + shard; c < chunks * (r + 1) / refreshes; c += shards) {
            const Index first = chunks_[static_cast<std::size_t>(c)] * chunk_;
            for_rows(first, std::min(first + chunk_, p_.n()),
                     [&](Index i, const auto& line, double scale, const auto& inverse_q) {
                       touched[s] += visit_row(static_cast<std::size_t>(i), line, scale, inverse_q, u_s);
                     });
          }
        },
        [&](Index) {
          if (shards > 1) add_changes(own_u);
          refresh_zone();
          run.charge(static_cast<double>(std::accumulate(touched.begin(), touched.end(), Index{0})), 1);
          return run.may_go_on();
        });
  }

  // u += what the two shards have changed; they go on from there.
  void add_changes(std::vector<std::vector<double>>& own_u) {
    double *const u = u_.data(), *const first = own_u[0].data(), *const second = own_u[1].data();
    for (std::size_t a = 0; a < u_.size(); ++a) {
      u[a] += (first[a] - u[a]) + (second[a] - u[a]);
      first[a] = second[a] = u[a];
    }
  }

  // As for_rows over all rows, on several threads; what `work` does must not depend on the order.
  template <class Work>
  void for_all_rows(const Work& work) {
    constexpr Index kShards = 16;
    const int threads = packed_.entries() >= kWorthSharding ? threads_ : 1;
    parallel_for(threads, kShards, [&](Index s) { for_rows(p_.n() * s / kShards, p_.n() * (s + 1) / kShards, work); });
  }

  // w = A x exactly: one pass over the entries in W.
  void verify_products(Run& run) {
    for_all_rows([&](Index q, const auto& line, double scale, const auto& inverse_q) {
      w_[static_cast<std::size_t>(q)] = product(line, u_.data(), scale, inverse_q);
    });
    run.charge(static_cast<double>(packed_.entries()));
  }

  // And with it P.
  void verify(Run& run) {
    verify_products(run);
    is_verified_ = true;
    const double primal = p_.loss->total_value(w_) / n_ + g_ + paid_;
    const double gap = primal - dual_;
    has_claimed_ = gap <= kClaimShare * tol_ * std::abs(primal);
    // Not good enough to be shown: another sweep is cheaper than a certificate that fails.
    if (!has_claimed_ && gap <= tol_ * std::abs(primal)) is_verified_ = false;
  }

  // What a step of Newton's method costs, in passes.
  [[nodiscard]] double newton_passes() const {
    return n_ * n_ * (n_ / 6 + static_cast<double>(nonzeros_) / 2) / static_cast<double>(p_.A->nonzeros());
  }

  [[nodiscard]] bool newton_pays() const { return has_few_rows_ && newton_passes() <= kMostNewtonPasses; }

  // The first sweeps are cheap, and leave fewer features outside the zone; a step that is cheaper still need not wait.
  [[nodiscard]] bool newton_is_due() const {
    return newton_pays() && sweeps_ >= next_newton_ && (sweeps_ >= kFirstNewton || newton_passes() <= kCheapNewton);
  }

  // [M17]  A step of Newton's method on the piece of D where the sweeps have come to, if it raises D. When it does not,
  // the sweeps go on alone for a while, and twice as long the next time.
  void newton_step(Run& run) {
    verify_products(run);
    look_at_dual();
    double multiply_adds = 0;
    const std::vector<double> e = dual_newton_direction(p_, {y_, w_, packed_, u_, q_in_play(), zone_}, multiply_adds);
    run.charge(multiply_adds);
    const double before = dual_;
    const std::vector<double> y = y_, u = u_;
    const DeadZone zone = zone_;
    double t = 1;
    for (int halving = 0; !e.empty() && halving < kMostHalvings && run.may_go_on(); ++halving, t /= 2) {
      for (std::size_t i = 0; i < e.size(); ++i) y_[i] = p_.loss->dual_prox(i, w_[i], y[i] + t * e[i], 0);
      refresh_u(run);
      look_at_dual();
      if (dual_ > before) {
        newton_pause_ = 1;
        return;
      }
    }
    y_ = y;
    u_ = u;
    zone_ = zone;
    newton_pause_ = std::min(2 * newton_pause_, kLongestPause);
    next_newton_ = sweeps_ + newton_pause_;
  }

  // u = -A'y / n on W, and with it lambda.
  void refresh_u(Run& run) {
    for (std::size_t a = 0; a < u_.size(); ++a)
      u_[a] = proximity_ > 0 ? proximity_ * centre_[static_cast<std::size_t>(packed_.features()[a])] : 0;
    for_rows(0, p_.n(), [&](Index q, const auto& line, double, const auto&) {
      add_scaled(line, -y_[static_cast<std::size_t>(q)] / n_, u_.data());
    });
    refresh_zone();
    run.charge(static_cast<double>(packed_.entries()), 1);
  }

  // -A'y / n of all features.
  [[nodiscard]] std::vector<double> full_u(Run& run) const {
    std::vector<double> u(static_cast<std::size_t>(p_.d()));
    multiply_transposed(*p_.A, y_, u, threads_);
    for (double& u_j : u) u_j /= -n_;
    run.charge(static_cast<double>(p_.A->nonzeros()), 1);
    return u;
  }

  // [M16]  W <- the features outside the dead zone or near its border; u is rid of its rounding.
  bool look_at_all(std::vector<double> u, Run& run) {
    if (proximity_ > 0)
      for (std::size_t j = 0; j < u.size(); ++j) u[j] += proximity_ * centre_[j];
    const DeadZone zone = set().dead_zone(u, q_, &zone_);
    std::vector<bool> is_in(u.size(), false);
    for (const Index j : packed_.features()) is_in[static_cast<std::size_t>(j)] = true;
    bool misses_one = false;
    for (std::size_t j = 0; j < u.size() && !misses_one; ++j) misses_one = !is_in[j] && zone.outside(u[j]) != 0;
    if (misses_one || !has_begun_) {
      std::vector<Index> features;
      for (std::size_t j = 0; j < u.size(); ++j)
        if (is_in_play(u[j], zone, kNearBorder) || (is_in[j] && misses_ >= kMostMisses))
          features.push_back(static_cast<Index>(j));
      ++misses_;
      pack(std::move(features), u, run);
      return true;
    }
    for (std::size_t a = 0; a < u_.size(); ++a) u_[a] = u[static_cast<std::size_t>(packed_.features()[a])];
    refresh_zone();
    return false;
  }

  // Outside the zone, or inside it by less than a share of the multiplier.
  [[nodiscard]] static bool is_in_play(double u, const DeadZone& zone, double share) {
    const double near = share * std::abs(zone.multiplier);
    return u > zone.upper - near || u < zone.lower + near;
  }

  // [M19]  Along a path y is a smooth function of log(radius) but for a few bends: go on in a straight line through the
  // last two ends, if that raises D.
  void extrapolate(Run& run) {
    const double t = std::log(p_.set->radius() / ends_.radius) / std::log(ends_.radius / ends_.radius_before);
    std::vector<double> y = y_;
    if (!ends_.y_before.empty() && t > 0 && t <= kFarthest) {
      const std::vector<double> u = u_;
      const DeadZone zone = zone_;
      const double before = dual_;
      for (std::size_t i = 0; i < y.size(); ++i)
        y_[i] = p_.loss->dual_prox(i, 0, y[i] + t * (y[i] - ends_.y_before[i]), 0);
      refresh_u(run);
      look_at_dual();
      if (!(dual_ > before)) {
        y_ = y;
        u_ = u;
        zone_ = zone;
        dual_ = before;
      }
    }
    ends_ = {std::move(y), ends_.radius, p_.set->radius()};
  }

  // [M16]  W loses the features that have come to rest well inside the zone, if that pays.
  void shrink(Run& run, double share) {
    if (packed_.entries() < kWorthShrinking || misses_ >= kMostMisses) return;
    std::vector<Index> kept;
    Index entries = 0;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      if (!is_in_play(u_[a], zone_, share)) continue;
      kept.push_back(static_cast<Index>(a));
      entries += packed_.column_entries()[a];
    }
    const double pays = has_few_rows_ ? kShrinkPaysNewton : kShrinkPays;
    if (static_cast<double>(entries) > pays * static_cast<double>(packed_.entries())) return;
    run.charge(static_cast<double>(packed_.entries()));
    packed_.shrink(kept);
    for (std::size_t a = 0; a < kept.size(); ++a) u_[a] = u_[static_cast<std::size_t>(kept[a])];
    u_.resize(kept.size());
    rows_have_changed();
  }

  const Problem& p_;
  const std::span<const double> b_ = p_.loss->targets();
  double tol_;
  int threads_;
  double n_;
  Random random_;
  Curvatures own_q_, q_;  // of the problem, and with the proximity added
  Index sweeps_in_round_ = 0;
  double proximity_ = 0;  // 0 where the problem has a ridge; then there is no centre
  std::vector<double> proximal_q_, centre_;
  std::shared_ptr<const Set> spare_;  // the smaller ball
  bool is_too_small_ = false;
  std::optional<Point> explained_;  // without loss
  PackedRows packed_;
  std::vector<double> y_, w_, step_;            // over rows
  std::array<QuadraticConjugate, 2> pieces_{};  // of targets <= 0 and > 0
  const bool has_pieces_ = look_for_pieces();   // then step_ holds 1 / (1 / step + q)
  Scratch column_sums_;                         // see ColumnBounds; empty: not looked at
  std::vector<double> signs_;
  std::vector<double> u_, packed_q_, inverse_q_;  // over W; the last two are empty when q is uniform
  DeadZone zone_;
  // On a path: where the radius before the last one ended, that radius, and the last one.
  struct Ends {
    std::vector<double> y_before;
    double radius_before, radius;
  } ends_;
  const bool has_few_rows_, is_warm_;
  bool fits_float_ = false;  // where it was not looked at, float64 is as good
  Index chunk_ = 1;
  std::vector<Index> chunks_;
  Index sweeps_ = 0, misses_ = 0;
  Index most_refreshes_ = kMostRefreshes, alone_until_ = 0, pause_ = 1;
  Index next_newton_ = 0, newton_pause_ = 1;
  const double price_ = price(*p_.set);  // of |x|_1                                                           [M39]
  double g_ = 0, paid_ = 0, dual_ = 0, dual_rise_ = 0;
  Index nonzeros_ = 0;
  bool has_begun_ = false, has_other_radius_ = false, is_verified_ = false, has_claimed_ = false;
  const bool has_avx2_ = processor_has_avx2();
};

}  // namespace

const Solver kSequentialSolver{.about = {.name = "sequential",
                                         .summary = "dual ascent row by row against the live primal point",
                                         .reference = "pdbfw"},
                               .make_engine = &Solver::make<SequentialEngine>};

}  // namespace pdbfw
