// The sweeps of `sequential`, where one member of a team has only some of the rows, or none is in memory. Between two
// exchanges, of which there are a few in a sweep, member k moves its own rows against a point of its own:       [M49]
//
//   u_k = u + s (change of u by its own rows),    D_k(y_k, lambda_k) = -g*(u_k) / s - (1/n) sum_{i in k} f_i*(y_i)
//
// By the convexity of g*, the sum of all changes raises D by at least the sum of what the D_k rose if s is the number K
// of members; if s = 1, a K-th of it does. Data are seldom that bad: s begins at K / 2 and follows what the line search
// on D, along the sum of all changes, finds. So D never falls, whatever the data.
//
//   here     maths                                   |  invariants
//   y        dual iterate, rows of this member       |    (I1) u = -A'y / n on W, the same bits at every member
//   u        -A'y / n on W                           |    (I2) D(y, lambda) of the features in W never falls
//   scale    s                                       |  cost per iteration (a sweep): 2 nnz(A_W), and up to 8 exchanges
//   step     n / (s sum_{j in W} a_ij^2 / q_j)       |    of at most |W| numbers each
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/team.hpp"
#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "core/run.hpp"
#include "linalg/kernels.hpp"
#include "solvers/packed_blocks.hpp"
#include "solvers/row_kernels.hpp"
#include "solvers/solvers.hpp"
#include "solvers/sweep_constants.hpp"

namespace pdbfw {
namespace {

// The first dual point is t f'(0), for the best of t = 1, 1/2, 1/4, ...
constexpr std::size_t kFirstSteps = 12;
// All features are looked at when D rises by this share of what it did at the last look, until nothing was missing so
// many times.
constexpr double kBetweenLooks = 0.03;
constexpr Index kEnoughLooks = 2;
// Members meet so often in a sweep that an exchange is little beside the products in between: each number of it as good
// as kNumberCost multiply-adds, and the exchange itself as good as kExchangeCost more.
constexpr double kNumberCost = 16;
constexpr double kExchangeCost = 30'000;
constexpr double kMostParts = 8;
// The scale of the own changes grows by this factor when the sum of all was too long, and falls when it was too short;
// this is checked once per kSweepsBetweenLooks sweeps.
constexpr double kFirstScale = 0.5;  // of the number of members
constexpr double kScaleFactor = 1.5;
constexpr Index kSweepsBetweenLooks = 3;
constexpr std::array<double, 6> kShorter{0.75, 0.5, 0.25, 0.125, 0.0625, 0.03125};
constexpr std::array<double, 2> kNearby{0.75, 1.3};
// The curvature of the intercept's proximal term, as a share of the loss's own curvature, for each member.
constexpr double kBiasCurvature = 0.025;
// A position and a number.
constexpr double kBytesOfPair = 12;

class ShardedEngine final : public Engine {
 public:
  ShardedEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        tol_(settings.tol),
        n_(static_cast<double>(p.samples())),
        members_(p.team ? p.team->size() : 1),
        random_(settings.seed + static_cast<std::uint64_t>(p.team ? p.team->rank() : 0)),
        own_q_(p.regulariser->curvatures()),
        y_(start.y.empty() ? std::vector<double>(p.loss->size()) : start.y),
        next_(p.loss->size()),
        change_(p.loss->size()),
        w_(p.loss->size()),
        step_(p.loss->size()),
        centre_(start.x),
        has_intercept_(p.loss->has_free_columns()),
        is_warm_(sum(start.y.empty() ? 0 : 1) == static_cast<double>(members_)) {
    zone_.multiplier = start.multiplier;
    scale_ = std::max(1.0, kFirstScale * static_cast<double>(members_));
    choose_proximity(0);
  }

  [[nodiscard]] std::string name() const override { return "sharded"; }

  void radius_has_changed() override {
    has_claimed_ = false;
    if (!has_begun_) return;
    refresh_zone();
    look_at_dual();
    misses_ = 0;
  }

  [[nodiscard]] double first_look() const override { return proximity_ > 0 ? kFirstLookOfRounds : kFirstLookOfSweeps; }

  [[nodiscard]] Estimate estimate() override {
    if (has_begun_) return {primal_, shown_dual_, nonzeros_};
    std::array<double, 2> sums{own_loss(w_), own_conjugate(y_)};
    sum(sums);
    return {sums[0] / n_, -sums[1] / n_, 0};
  }

  // x_j = outside(u_j) / q_j, taken back into C.
  [[nodiscard]] Point point() override {
    if (!has_begun_) return {start_point(p_), y_};
    Point out{std::vector<double>(static_cast<std::size_t>(p_.d())), y_};
    std::vector<double> x(u_.size());
    for (std::size_t a = 0; a < x.size(); ++a) x[a] = zone_.outside(u_[a]) / q_[feature(a)];
    if (!x.empty()) p_.set->project(x);
    for (std::size_t a = 0; a < x.size(); ++a) out.x[static_cast<std::size_t>(feature(a))] = x[a];
    return out;
  }

  void iterate(Run& run) override {
    if (!has_begun_) begin(run);
    has_begun_ = true;
    if (has_claimed_) {  // and the certificate, which sees all features, did not agree
      const std::span<const double> u = run.certified_u();
      const bool is_own = !u.empty() && !has_intercept_;  // with an intercept the certificate's y is another
      look_at_all(is_own ? std::vector<double>(u.begin(), u.end()) : full_u(run));
    }
    has_claimed_ = false;
    const double before = dual_;
    sweep(run);
    const double rise = std::max(0.0, dual_ - before);
    // The first W was a guess. To solve the problem of a wrong one to the end would be a waste.
    if (rise <= next_look_ * std::abs(dual_)) {
      next_look_ = kBetweenLooks * rise / std::abs(dual_);
      if (!look_at_all(full_u(run)) && ++looks_without_a_miss_ == kEnoughLooks) next_look_ = 0;
    }
    if (rise <= kSettled * std::abs(dual_))
      shrink(rise <= kWellSettled * std::abs(dual_) ? kNearBorder : kNearUnsettledBorder);
    primal_ = std::max(stale_loss_ + g_, dual_ + rise);
    shown_dual_ = dual_;
    if (has_intercept_) move_bias_centre();
    if (proximity_ > 0)
      end_round_if_done(run);
    else if (rise <= kWorthVerifying * tol_ * std::abs(dual_))
      verify(run);
  }

 private:
  [[nodiscard]] Index feature(std::size_t a) const { return packed_->features()[a]; }
  [[nodiscard]] Curvatures q_in_play() const { return q_.is_uniform() ? q_ : Curvatures{0, packed_q_}; }

  void sum(std::span<double> values) const {
    if (p_.team) p_.team->sum(values);
  }
  [[nodiscard]] double sum(double value) const { return sum_over(p_.team, value); }
  [[nodiscard]] double mean_loss() const { return sum(own_loss(w_)) / n_; }
  [[nodiscard]] double mean_conjugate() const { return sum(own_conjugate(y_)) / n_; }

  // Over the rows here, with the intercept as it is: the loss itself would find the best one.
  [[nodiscard]] double own_loss(std::span<const double> w) const {
    if (!has_intercept_) return p_.loss->total_value(w);
    double total = 0;
    for (std::size_t i = 0; i < w.size(); ++i) total += p_.loss->value(i, w[i]);
    return total;
  }
  [[nodiscard]] double own_conjugate(std::span<const double> y) const {
    if (!has_intercept_) return p_.loss->total_conjugate(y);
    double total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) total += p_.loss->conjugate(i, y[i]);
    return total;
  }

  // [M18]
  void choose_proximity(double proximity) {
    proximity_ = proximity;
    proximal_q_.assign(own_q_.each.begin(), own_q_.each.end());
    for (double& q_j : proximal_q_) q_j += proximity;
    q_ = {own_q_.uniform + proximity, proximal_q_};
  }

  // One look at all entries: u for y = t f'(0), or for a y that was given; how many each feature has; how large.
  void begin(Run& run) {
    std::vector<double> y = y_;
    if (!is_warm_) p_.loss->derivatives(std::vector<double>(y.size(), 0.0), y);  // with an intercept, the best
    std::vector<double> u(static_cast<std::size_t>(p_.d()), 0.0);
    std::vector<Index> entries(u.size(), 0);
    double largest = 0, squares = 0;
    const auto look = [&](Index first, const auto& rows) {
      for (Index r = 0; r < rows.count; ++r) {
        const auto line = rows[r];
        const double y_i = y[static_cast<std::size_t>(first + r)];
        for (Index k = 0; k < line.size; ++k) {
          const auto j = static_cast<std::size_t>(line.index(k));
          const auto value = static_cast<double>(line.value[k]);
          u[j] -= y_i * value;
          ++entries[j];
          largest = std::max(largest, std::abs(value));
        }
        squares += squared_norm(line);
      }
    };
    p_.A->visit_rows(
        [&](Index first, const Lines& rows) { std::visit([&](const auto& own) { look(first, own); }, rows); });
    run.charge(static_cast<double>(p_.A->nonzeros()), 1);
    sum(u);
    for (double& u_j : u) u_j /= n_;
    team_entries_.assign(entries.begin(), entries.end());
    sum(team_entries_);
    std::array<double, 2> sums{squares, largest < kFloatHolds && largest > 1 / kFloatHolds ? 0.0 : 1.0};
    sum(sums);
    if (!(p_.regulariser->strong_convexity() > 0)) {
      choose_proximity(sums[0] > 0 ? kFirstProximity * sums[0] / (n_ * n_) : 1);
      centre_.resize(u.size());
    }
    packed_.emplace(*p_.A, std::move(entries), sums[1] == 0 && tol_ >= kFloatIsEnough && proximity_ == 0);
    if (has_intercept_) begin_bias(y);
    const double t = is_warm_ ? 1 : best_first_step(u, y);
    for (std::size_t i = 0; i < y.size(); ++i) y_[i] = t * y[i];
    for (double& u_j : u) u_j *= t;
    look_at_all(std::move(u));
  }

  // A small curvature lets the intercept move fast. But what one member does to it the others do not know, and the
  // smaller it is the less a member dares to do.
  void begin_bias(std::span<const double> y) {
    bias_q_ = kBiasCurvature * static_cast<double>(members_) * p_.loss->smoothness();
    bias_centre_ = p_.loss->free_weights(std::vector<double>(y.size(), 0.0))[0];
    bias_ = bias_q_ * bias_centre_ - sum(std::accumulate(y.begin(), y.end(), 0.0)) / n_;
  }

  // argmax D(t y), t = 1, 1/2, 1/4, ...
  [[nodiscard]] double best_first_step(std::span<const double> u, std::span<const double> y) const {
    std::array<double, kFirstSteps> conjugate{};
    std::vector<double> scaled(y.size()), scaled_u(u.size());
    double t = 1;
    for (double& sum : conjugate) {
      for (std::size_t i = 0; i < y.size(); ++i) scaled[i] = t * y[i];
      sum = own_conjugate(scaled);
      t /= 2;
    }
    sum(conjugate);
    double best = -std::numeric_limits<double>::infinity(), best_t = t = 1;
    for (const double sum : conjugate) {
      for (std::size_t j = 0; j < u.size(); ++j) scaled_u[j] = t * u[j] + proximity_ * centre(j);
      const double dual = set_part(scaled_u, q_, p_.set->dead_zone(scaled_u, q_), p_.set->radius()) - sum / n_;
      if (dual > best) best = dual, best_t = t;
      t /= 2;
    }
    return best_t;
  }

  // [M49]  The intercept is the weight of a column of ones that the set does not hold back: u of that column, whose
  // curvature is only that of a proximal term, whose centre follows it sweep by sweep. Its part of -D:
  [[nodiscard]] double bias_part(double bias) const {
    return 0.5 * bias * bias / bias_q_ - (has_intercept_ ? 0.5 * bias_q_ * bias_centre_ * bias_centre_ : 0);
  }
  // What the proximal term adds to P.
  [[nodiscard]] double bias_excess() const {
    return has_intercept_ ? 0.5 * std::pow(bias_ - bias_q_ * bias_centre_, 2) / bias_q_ : 0;
  }
  void move_bias_centre() {
    const double next = bias_ / bias_q_;
    bias_ += bias_q_ * (next - bias_centre_);
    bias_centre_ = next;
    look_at_dual();
  }

  [[nodiscard]] double centre(std::size_t j) const { return proximity_ > 0 ? centre_[j] : 0; }

  // [M6]  lambda <- argmax D(y, lambda)
  void refresh_zone() { zone_ = p_.set->dead_zone(u_, q_in_play(), &zone_); }

  // g(x), the non-zeros of x, and D(y, lambda), whose conjugates are given.
  void look_at_dual(double mean_conjugate) {
    const Curvatures q = q_in_play();
    g_ = 0;
    nonzeros_ = 0;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const double outside = zone_.outside(u_[a]);
      if (outside == 0) continue;
      g_ += 0.5 * outside * outside / q[static_cast<Index>(a)];
      ++nonzeros_;
    }
    dual_ = -g_ - zone_.multiplier * p_.set->radius() - bias_part(bias_) - mean_conjugate;
  }
  void look_at_dual() { look_at_dual(mean_conjugate()); }

  void rows_have_changed() {
    packed_q_.clear();
    inverse_q_.clear();
    if (!q_.is_uniform())
      for (const Index j : packed_->features()) {
        packed_q_.push_back(q_[j]);
        inverse_q_.push_back(1 / q_[j]);
      }
    knows_norms_ = false;
    last_change_.clear();
    sweeps_forward_ = 0;
    last_bias_change_ = 0;
    refresh_zone();
    look_at_dual();
  }

  // 1 / q_j = factor inverse_q(j).
  template <class Work>
  void with_curvatures(const Work& work) const {
    if (q_.is_uniform())
      work(1 / q_.uniform, One{});
    else
      work(1.0, [each = inverse_q_.data()](Index j) { return each[j]; });
  }

  struct One {
    double operator()(Index) const { return 1.0; }
  };

  // a_i'x on W.
  template <class Line, class InverseQ>
  [[nodiscard]] double product(const Line& line, const double* u, const DeadZone& zone, double factor,
                               const InverseQ& inverse_q) const {
#ifdef PDBFW_AVX2
    if constexpr (std::is_same_v<InverseQ, One>)
      if (has_avx2_) return factor * dot_outside_avx2(line, u, zone);
#endif
    return factor * dot_outside(line, u, zone, inverse_q);
  }

  // step_i = n / sum_j a_ij^2 / q_j over W, before the scale; an empty row needs no proximal term.
  template <class Line, class InverseQ>
  [[nodiscard]] double step_of(const Line& line, double factor, const InverseQ& inverse_q) const {
    double norm = 0;
    for (Index k = 0; k < line.size; ++k) {
      const auto value = static_cast<double>(line.value[k]);
      norm += value * value * inverse_q(line.index(k));
    }
    norm = factor * norm + 1 / bias_q_;
    return norm > 0 ? n_ / norm : std::numeric_limits<double>::infinity();
  }

  // Every row here once, chunk by chunk in an order drawn anew, against u_k; lambda_k is refreshed as often as it pays.
  //
  // Members that move at once move carefully, and many careful steps point the same way: a sweep begins beyond the last
  // one, at y + b (the last change of y), as in Nesterov's method, once D rises slowly. Where that leaves the domain of
  // a conjugate the row comes back when it is visited. When D does not rise by the whole change, the next sweep begins
  // at y again.
  void sweep(Run& run) {
    const double beyond = momentum();
    last_change_.resize(u_.size(), 0.0);
    whole_change_.resize(u_.size());
    meeting_ = {u_, bias_ + beyond * last_bias_change_};
    for (std::size_t a = 0; a < u_.size(); ++a) meeting_.u[a] += beyond * last_change_[a];
    own_ = meeting_;
    DeadZone zone = beyond > 0 ? p_.set->dead_zone(own_.u, q_in_play(), &zone_) : zone_;
    const Index worth = kRefreshCost * std::max<Index>(1, packed_->width());
    const Index refreshes = std::clamp(packed_->entries() / worth, kFewestRefreshes, kMostRefreshes);
    const Index rows_between = std::max<Index>(1, p_.n() / refreshes), parts = parts_of_a_sweep();
    Index touched = packed_->cost() - packed_->entries(), until_refresh = rows_between, visited = 0, part = 1;
    with_curvatures([&](double factor, const auto& inverse_q) {
      packed_->visit([&](const auto& block) {
        for_shuffled_rows(block.rows(), [&](Index r) {
          const auto line = block[r];
          const auto i = static_cast<std::size_t>(block.first + r);
          if (!knows_norms_) step_[i] = step_of(line, factor, inverse_q);
          // [M10]
          w_[i] = product(line, own_.u.data(), zone, factor, inverse_q) + own_.bias / bias_q_;
          const double from = y_[i] + beyond * change_[i];
          const double inside = beyond > 0 ? p_.loss->dual_prox(i, 0, from, 0) : from;
          const double y = p_.loss->dual_prox(i, w_[i], inside, step_[i] / scale_);
          next_[i] = y;
          change_[i] = y - y_[i];
          if (y != from) add_scaled(line, -scale_ * (y - from) / n_, own_.u.data());
          if (has_intercept_) own_.bias -= scale_ * (y - from) / n_;
          touched += y != from ? 2 * line.size : line.size;
          ++visited;
          // A member of few rows may have to meet the others more than once after one of them.
          for (; part < parts && visited * parts >= part * p_.n(); ++part, until_refresh = 1) meet({});
          if (--until_refresh > 0) return;
          zone = p_.set->dead_zone(own_.u, q_in_play(), &zone);
          until_refresh = rows_between;
        });
      });
    });
    knows_norms_ = true;
    run.charge(static_cast<double>(touched), refreshes);
    run.charge_other(kScalarStep * static_cast<double>(p_.n()));
    const std::array<double, 2> sums = meet({conjugate_after(1), own_loss(w_)});
    stale_loss_ = sums[1] / n_;
    for (std::size_t a = 0; a < u_.size(); ++a) whole_change_[a] = meeting_.u[a] - u_[a];
    bias_change_ = meeting_.bias - bias_;
    take_step(sums[0] / n_);
    ++sweeps_;
  }

  // How often the members meet in a sweep; all of them get the same number.
  [[nodiscard]] Index parts_of_a_sweep() const {
    if (members_ == 1) return 1;
    const double products = 2 * entries_of_team(packed_->features()) / static_cast<double>(members_);
    const double exchange = kNumberCost * static_cast<double>(packed_->width()) + kExchangeCost;
    return static_cast<Index>(std::clamp(products / exchange, 1.0, kMostParts));
  }

  // One exchange: the point of all moves by the sum of what the members have done since they last met, and they go on
  // from there. Sums that the next decisions need go with it.
  std::array<double, 2> meet(std::array<double, 2> sums) {
    const std::size_t width = u_.size();
    std::vector<double>& change = own_.u;
    for (std::size_t a = 0; a < width; ++a) change[a] = (change[a] - meeting_.u[a]) / scale_;
    const auto nonzeros =
        static_cast<double>(width) - static_cast<double>(std::count(change.begin(), change.end(), 0.0));
    change.insert(change.end(), {sums[0], sums[1], nonzeros, (own_.bias - meeting_.bias) / scale_});
    exchange(change);
    sums = {change[width], change[width + 1]};
    changes_ = change[width + 2];
    meeting_.bias += change[width + 3];
    for (std::size_t a = 0; a < width; ++a) meeting_.u[a] += change[a];
    own_ = meeting_;
    return sums;
  }

  template <class Visit>
  void for_shuffled_rows(Index rows, const Visit& visit) {
    const Index chunk = std::clamp<Index>(rows / kFewestChunks, 1, kLargestChunk);
    chunks_.resize(static_cast<std::size_t>((rows + chunk - 1) / chunk));
    std::iota(chunks_.begin(), chunks_.end(), Index{0});
    random_.shuffle(std::span(chunks_));
    for (const Index c : chunks_)
      for (Index r = c * chunk; r < std::min(rows, (c + 1) * chunk); ++r) visit(r);
  }

  [[nodiscard]] bool has_momentum() const { return members_ > 1 && sweeps_forward_ > 0; }
  [[nodiscard]] double momentum() const {
    return has_momentum() ? static_cast<double>(sweeps_forward_) / (static_cast<double>(sweeps_forward_) + 3) : 0;
  }

  // change <- the sum over all members: number by number, or, where that is fewer bytes, only those that are not zero.
  void exchange(std::vector<double>& change) const {
    if (!p_.team) return;
    // Every member receives what all others send; a sum sends and receives each number about twice. How many are not
    // zero was told by the last exchange.
    if (kBytesOfPair * changes_ >= 2.0 * sizeof(double) * static_cast<double>(change.size())) {
      p_.team->sum(change);
      return;
    }
    std::vector<std::byte> own;
    const auto append = [&](const auto& item) {
      const auto* const bytes = reinterpret_cast<const std::byte*>(&item);
      own.insert(own.end(), bytes, bytes + sizeof(item));
    };
    for (std::size_t a = 0; a < change.size(); ++a)
      if (change[a] != 0) append(static_cast<std::uint32_t>(a)), append(change[a]);
    const std::vector<std::vector<std::byte>> all = p_.team->gather(own);
    std::fill(change.begin(), change.end(), 0.0);
    for (const std::vector<std::byte>& bytes : all)
      for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t) + sizeof(double)) {
        std::uint32_t a = 0;
        double value = 0;
        std::memcpy(&a, bytes.data() + at, sizeof(a));
        std::memcpy(&value, bytes.data() + at + sizeof(a), sizeof(value));
        change[a] += value;
      }
  }

  // u and D after a share t of the change, whose conjugates are given.
  struct Trial {
    double t = 0, dual = -std::numeric_limits<double>::infinity();
    std::vector<double> u;
    DeadZone zone;
    double mean_conjugate = 0;
  };
  [[nodiscard]] Trial trial(double t, double mean_conjugate) const {
    Trial out;
    out.t = t;
    out.u = u_;
    out.mean_conjugate = mean_conjugate;
    for (std::size_t a = 0; a < u_.size(); ++a) out.u[a] += t * whole_change_[a];
    out.zone = p_.set->dead_zone(out.u, q_in_play(), &zone_);
    out.dual =
        set_part(out.u, q_in_play(), out.zone, p_.set->radius()) - bias_part(bias_ + t * bias_change_) - mean_conjugate;
    return out;
  }
  // The whole change as it is: y + (next - y) may be rounded out of the domain of a conjugate.
  [[nodiscard]] double y_after(std::size_t i, double t) const { return t == 1 ? next_[i] : y_[i] + t * change_[i]; }
  // sum_i f_i*(y_i after a share t of its change), of the rows here.
  [[nodiscard]] double conjugate_after(double t) const {
    std::vector<double> y(y_.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y_after(i, t);
    return own_conjugate(y);
  }
  void try_others(std::span<const double> steps, Trial& best) const {
    std::vector<double> sums;
    for (const double t : steps) sums.push_back(conjugate_after(t));
    sum(sums);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      Trial other = trial(steps[s], sums[s] / n_);
      if (other.dual > best.dual) best = std::move(other);
    }
  }

  // The whole change, if D rises with it; else the best shorter one. One member alone cannot fall.
  void take_step(double mean_conjugate) {
    Trial best = trial(1, mean_conjugate);
    if (members_ > 1) {
      const double floor = dual_ - kDualRounding * std::abs(dual_);
      if (!(best.dual >= floor)) {
        try_others(kShorter, best);
        if (!(best.dual >= floor)) best = {};
      } else if (sweeps_ % kSweepsBetweenLooks == 0) {
        try_others(kNearby, best);
      }
      const bool was_careful = has_momentum();  // then it was the momentum that went too far
      if (best.t < 1 && !was_careful) scale_ = std::min(static_cast<double>(members_), scale_ * kScaleFactor);
      if (best.t > 1) scale_ = std::max(1.0, scale_ / kScaleFactor);
      const bool is_settled = best.dual - dual_ <= kWellSettled * std::abs(best.dual);
      sweeps_forward_ = best.t < 1 || !is_settled ? 0 : sweeps_forward_ + 1;
      if (best.t == 0) return;
    }
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = y_after(i, best.t);
    last_change_ = whole_change_;
    bias_ += best.t * bias_change_;
    last_bias_change_ = bias_change_;
    u_ = std::move(best.u);
    zone_ = best.zone;
    look_at_dual(best.mean_conjugate);
  }

  // w = A x exactly, on W.
  void verify_products(Run& run) {
    run.charge(static_cast<double>(packed_->cost()));
    with_curvatures([&](double factor, const auto& inverse_q) {
      packed_->visit([&](const auto& block) {
        for (Index r = 0; r < block.rows(); ++r)
          w_[static_cast<std::size_t>(block.first + r)] =
              product(block[r], u_.data(), zone_, factor, inverse_q) + bias_ / bias_q_;
      });
    });
  }

  // And with it P.
  void verify(Run& run) {
    verify_products(run);
    const double primal = mean_loss() + g_ + bias_excess();
    has_claimed_ = primal - dual_ <= kClaimShare * tol_ * std::abs(primal);
    if (has_claimed_) primal_ = primal;
  }

  // [M18]  P and D of the problem itself at the point of the proximal one, and whether that is solved well enough.
  void end_round_if_done(Run& run) {
    verify_products(run);
    const double loss = mean_loss() + bias_excess();
    std::vector<double> own_u(u_.size()), each;
    double own_g = 0, tangent = 0;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const Index j = feature(a);
      const double x = zone_.outside(u_[a]) / q_[j], c = centre_[static_cast<std::size_t>(j)];
      own_u[a] = u_[a] - proximity_ * c;
      if (!own_q_.is_uniform()) each.push_back(own_q_[j]);
      own_g += 0.5 * own_q_[j] * x * x;
      tangent += proximity_ * c * x;
    }
    const Curvatures own{own_q_.uniform, each};
    primal_ = loss + own_g;
    shown_dual_ =
        set_part(own_u, own, p_.set->dead_zone(own_u, own), p_.set->radius()) - bias_part(bias_) - mean_conjugate();
    has_claimed_ = primal_ - shown_dual_ <= kClaimShare * tol_ * std::abs(primal_);
    const bool is_done = loss + g_ - tangent - dual_ <= kRoundShare * (primal_ - shown_dual_);
    ++sweeps_in_round_;
    if (!is_done && sweeps_in_round_ < kLongRound) return;
    if (is_done && packed_->width() < p_.d() && look_at_all(full_u(run))) return;
    begin_round(!is_done ? 1 / kRoundFactor : (sweeps_in_round_ <= kShortRound ? kRoundFactor : 1));
  }

  // The next centre lies a little beyond the solution of the round.
  void begin_round(double factor) {
    sweeps_in_round_ = 0;
    std::vector<double> next(centre_.size(), 0.0);
    for (std::size_t a = 0; a < u_.size(); ++a) {
      const auto j = static_cast<std::size_t>(feature(a));
      next[j] = zone_.outside(u_[a]) / q_[feature(a)];
      next[j] += kBeyond * (next[j] - centre_[j]);
      u_[a] += proximity_ * (factor * next[j] - centre_[j]);
    }
    centre_ = std::move(next);
    choose_proximity(factor * proximity_);
    rows_have_changed();
  }

  // -A'y / n of all features.
  [[nodiscard]] std::vector<double> full_u(Run& run) const {
    std::vector<double> u(static_cast<std::size_t>(p_.d()));
    multiply_transposed(*p_.A, y_, u);
    sum(u);
    for (double& u_j : u) u_j /= -n_;
    run.charge(static_cast<double>(p_.A->nonzeros()), 1);
    return u;
  }

  // [M16]  W <- the features outside the dead zone or near its border, if it has missed one; u is rid of its rounding.
  bool look_at_all(std::vector<double> u) {
    for (std::size_t j = 0; j < u.size(); ++j) u[j] += proximity_ * centre(j);
    const DeadZone zone = p_.set->dead_zone(u, q_, &zone_);
    std::vector<bool> is_in(u.size(), false);
    for (const Index j : packed_->features()) is_in[static_cast<std::size_t>(j)] = true;
    bool misses_one = !has_begun_;
    for (std::size_t j = 0; j < u.size() && !misses_one; ++j) misses_one = !is_in[j] && zone.outside(u[j]) != 0;
    if (misses_one) {
      std::vector<Index> features;
      const double near = has_begun_ ? kNearBorder : kNearUnsettledBorder;
      for (std::size_t j = 0; j < u.size(); ++j)
        if (is_in_play(u[j], zone, near) || (is_in[j] && misses_ >= kMostMisses))
          features.push_back(static_cast<Index>(j));
      if (has_begun_) ++misses_;
      packed_->choose(std::move(features));
    }
    u_.clear();
    for (const Index j : packed_->features()) u_.push_back(u[static_cast<std::size_t>(j)]);
    rows_have_changed();
    return misses_one;
  }

  // The number for all members, so that all decide alike.
  [[nodiscard]] double entries_of_team(std::span<const Index> features) const {
    double entries = 0;
    for (const Index j : features) entries += team_entries_[static_cast<std::size_t>(j)];
    return entries;
  }

  // Outside the zone, or inside it by less than a share of the multiplier.
  [[nodiscard]] static bool is_in_play(double u, const DeadZone& zone, double share) {
    const double near = share * std::abs(zone.multiplier);
    return u > zone.upper - near || u < zone.lower + near;
  }

  // [M16]  W loses the features that have come to rest well inside the zone, if that pays.
  void shrink(double share) {
    if (misses_ >= kMostMisses) return;
    std::vector<Index> kept;
    std::vector<double> u;
    for (std::size_t a = 0; a < u_.size(); ++a) {
      if (!is_in_play(u_[a], zone_, share)) continue;
      kept.push_back(feature(a));
      u.push_back(u_[a]);
    }
    if (entries_of_team(kept) > kShrinkPays * entries_of_team(packed_->features())) return;
    packed_->choose(std::move(kept));
    u_ = std::move(u);
    rows_have_changed();
  }

  const Problem& p_;
  double tol_;
  double n_;  // samples of all members
  int members_;
  Random random_;
  Curvatures own_q_, q_;  // of the problem, and with the proximity added
  double proximity_ = 0;
  Index sweeps_in_round_ = 0;
  std::vector<double> proximal_q_;
  std::optional<PackedBlocks> packed_;
  std::vector<double> y_, next_, change_, w_, step_;  // over the rows here
  std::vector<double> centre_;                        // over all features, where there is a proximity
  std::vector<double> whole_change_, last_change_;    // of u in a sweep, over W
  Index sweeps_forward_ = 0;                          // since the whole change last failed
  // What a sweep moves: where the members met last, and where this one has come to since.
  struct Moving {
    std::vector<double> u;  // over W
    double bias = 0;
  };
  Moving meeting_, own_;
  std::vector<double> u_, packed_q_, inverse_q_;  // over W; the last two are empty when q is uniform
  DeadZone zone_;
  std::vector<Index> chunks_;
  double scale_;
  double next_look_ = kWellSettled;  // by when D rises by less than this share, all features are looked at
  Index looks_without_a_miss_ = 0;
  // The intercept's u, its curvature (infinite where there is none), the centre, the change of u, and the last one.
  double bias_ = 0, bias_q_ = std::numeric_limits<double>::infinity(), bias_centre_ = 0;
  double bias_change_ = 0, last_bias_change_ = 0;
  std::vector<double> team_entries_;                          // of every feature, in the rows of all members
  double changes_ = std::numeric_limits<double>::infinity();  // non-zeros that all members sent in the last exchange
  double stale_loss_ = 0;  // (1/n) sum_i f_i(w_i), each w_i as it was when row i was visited
  Index sweeps_ = 0, misses_ = 0, nonzeros_ = 0;
  double g_ = 0, dual_ = 0, primal_ = 0, shown_dual_ = 0;
  const bool has_intercept_, is_warm_;
  bool has_begun_ = false, has_claimed_ = false, knows_norms_ = false;
  const bool has_avx2_ = processor_has_avx2();
};

}  // namespace

const Solver kShardedSolver{
    .about = {.name = "sharded",
              .summary = "the sweeps of sequential over rows that several processes share, or that are streamed",
              .reference = "pdbfw",
              .takes_intercept = true,
              .takes_streamed = true,
              .takes_team = true},
    .make_engine = &Solver::make<ShardedEngine>};

}  // namespace pdbfw
