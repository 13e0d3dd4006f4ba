#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "apps/registry.hpp"
#include "apps/set_path.hpp"
#include "base/team.hpp"
#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "core/verdict.hpp"
#include "pdbfw/solve.hpp"
#include "sets/l1_sets.hpp"

namespace pdbfw {
namespace {

// So many solves are more than any problem has needed.
constexpr int kMostSolves = 60;
// A ball is solved to this share of the tolerance, which leaves the rest to the radius.
constexpr double kShareOfTol = 0.25;
// A radius that is as good as 0: its solution is 0.
constexpr double kNothing = 1e-12;
// What |x|_1, its price and the two differences may lose of the price, next to the gap that they leave.
constexpr double kRoundingOfPrice = 4 * std::numeric_limits<double>::epsilon();

void check(const Problem& p, double alpha) {
  if (!(alpha > 0 && std::isfinite(alpha))) throw InputError("alpha", fmt::format("{}", alpha), "a finite number > 0");
  if (p.set->name() != "l1" && p.set->name() != "nonnegative")
    throw InputError("set", p.set->name(), "l1 or nonnegative, for a penalty on the l1 norm");
}

// The penalty in the place of the ball.
std::shared_ptr<const Set> penalty(const Problem& p, double alpha) {
  return std::make_shared<L1Penalty>(alpha, p.set->name() == "nonnegative");
}

// (1/n) sum_i f_i(w_i), of all rows.
double mean_loss(const Problem& p, std::span<const double> w) {
  return sum_over(p.team, p.loss->total_value(w)) / static_cast<double>(p.samples());
}

double at_zero(const Problem& p) { return mean_loss(p, std::vector<double>(p.loss->size(), 0.0)); }

// u = -A'y / n, of all rows.
std::vector<double> dual_slopes(const Problem& p, std::span<const double> y, int threads) {
  std::vector<double> u(static_cast<std::size_t>(p.d()));
  multiply_transposed(*p.A, y, u, threads);
  if (p.team) p.team->sum(u);
  for (double& u_j : u) u_j /= -static_cast<double>(p.samples());
  return u;
}

// The last two balls that were solved.
struct RadiusPoints {
  double radius = 0, multiplier = 0;  // of the last one; radius 0: none
  double radius_before = 0, multiplier_before = 0;

  void add(double new_radius, double new_multiplier) {
    if (new_radius != radius) {
      radius_before = radius;
      multiplier_before = multiplier;
    }
    radius = new_radius;
    multiplier = new_multiplier;
  }
  // As if the multiplier were a power of the radius, its inverse where the two do not tell; at most four times as far.
  [[nodiscard]] double radius_of(double wanted) const {
    constexpr double kFlattest = -1e-6, kSteepest = -100, kFarthest = 4;
    double power = std::log(multiplier / multiplier_before) / std::log(radius / radius_before);
    if (!(power < kFlattest && power > kSteepest)) power = -1;
    const double factor = multiplier > 0 ? std::pow(wanted / multiplier, 1 / power) : 0;
    return std::clamp(factor, 1 / kFarthest, kFarthest) * radius;
  }
};

// A ball need not be solved better than this while its multiplier is further than kFar, in logarithms, from the one
// that is looked for.
constexpr double kRough = 1e-3;
constexpr double kFar = 0.02;
constexpr double kBest = 1e-15;
// How far above alpha the search aims, in square roots of the tolerance.
constexpr double kAbove = 0.3;

// Which radius has the multiplier `aim`? The multiplier falls as the radius grows, much like a power of it, so the
// search is regula falsi, as they do it in Illinois, on logarithms.
class RadiusSearch {
 public:
  RadiusSearch(double aim, double largest) : aim_(aim), largest_(largest) {}

  // The logarithm of a multiplier beside that of the one that is looked for.
  [[nodiscard]] double excess(double multiplier) const {
    constexpr double kFarBelow = -3;  // also for 0, where the radius holds nothing back
    return multiplier > 0 ? std::max(kFarBelow, std::log(multiplier / aim_)) : kFarBelow;
  }
  // The same end has moved again and again: the other one may have been misjudged, by a ball that was solved too
  // roughly for its multiplier.
  [[nodiscard]] bool is_stuck() const {
    return low_.radius > 0 && !std::isnan(high_.excess) && std::abs(one_side_) >= kStuck;
  }

  // A ball was solved; `norm` is that of its solution.
  void add(const RadiusPoints& last, double norm) {
    const double e = excess(last.multiplier);
    const bool is_too_small = e > 0;
    (is_too_small ? low_ : high_) = {is_too_small ? last.radius : std::min(last.radius, norm), e};
    one_side_ = is_too_small ? std::max(1, one_side_ + 1) : std::min(-1, one_side_ - 1);
    if (one_side_ >= 2) high_.excess /= 2;
    if (one_side_ <= -2) low_.excess /= 2;
  }
  // Look for another multiplier from now on.
  void change_aim(double aim) {
    low_.excess += std::log(aim_ / aim);
    high_.excess += std::log(aim_ / aim);
    if (!(low_.excess > 0)) low_ = {0, kUnknown};
    if (!(high_.excess <= 0)) high_ = {largest_, kUnknown};
    aim_ = aim;
  }
  // Nothing that was added counts any more: it was too rough.
  void forget() {
    low_ = {0, kUnknown};
    high_ = {largest_, kUnknown};
    one_side_ = 0;
  }

  // Where to look next; 0: the ends are neighbours.
  [[nodiscard]] double next(const RadiusPoints& last) const {
    double radius = last.radius_of(aim_);
    if (!(radius > low_.radius && radius < high_.radius)) {
      double share = low_.excess / (low_.excess - high_.excess);  // of the way from low to high
      if (!(share > 0.01 && share < 0.99)) share = 0.5;
      radius = low_.radius > 0 ? low_.radius * std::pow(high_.radius / low_.radius, share) : high_.radius / 4;
    }
    radius = std::max(radius, kNothing * largest_);
    const bool are_neighbours = radius == low_.radius || (radius == high_.radius && !std::isnan(high_.excess));
    return are_neighbours ? 0 : radius;
  }

 private:
  static constexpr int kStuck = 3;
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  struct End {
    double radius, excess;
  };
  double aim_, largest_;
  End low_{0, kUnknown}, high_{largest_, kUnknown};
  int one_side_ = 0;  // how often in a row the same end has moved
};

}  // namespace

Certificate certify_penalised(const Problem& p, double alpha, std::span<const double> x, std::span<const double> y,
                              int threads) {
  check(p, alpha);
  Problem penalised = p;
  penalised.set = penalty(p, alpha);
  return certify(penalised, x, y, threads);
}

double largest_alpha(const Problem& p, int threads) {
  check(p, 1);
  std::vector<double> y(p.loss->size());
  p.loss->derivatives(std::vector<double>(p.loss->size(), 0.0), y);
  double largest = 0;
  for (const double u_j : dual_slopes(p, y, threads))
    largest = std::max(largest, p.set->name() == "l1" ? std::abs(u_j) : u_j);
  return largest;
}

std::vector<double> path_alphas(const Problem& problem, const PathOptions& options, int threads) {
  std::vector<double> alphas = path_shares(options);
  const double largest = largest_alpha(problem, threads);
  if (!(largest > 0)) throw InputError("alphas", "none", "data of which some feature explains something");
  for (double& alpha : alphas) alpha *= largest;
  std::reverse(alphas.begin(), alphas.end());
  return alphas;
}

namespace {

// What one search leaves for the next one, of a smaller penalty.
struct Known {
  Start start{};
  RadiusPoints last{};
};

// By `auto` and by the engine that knows every penalty.
bool is_solved_directly(const Problem& problem, const Settings& settings) {
  return !problem.team && !problem.A->is_streamed() && (settings.solver == "auto" || settings.solver == "working_set");
}

// Where nothing is worth its penalty any ball has the solution 0; in this one its price is nothing beside P.
double smallest_radius(const Problem& p, double alpha, double at_nothing) {
  return kNothing * (at_nothing > 0 ? unit_of_gap(at_zero(p), at_nothing) / alpha : 1);
}

// Of the ball with the same solution: its P is without the price, and its D is at least D(y) - alpha radius.   [M39]
Certificate of_ball(const Penalised& found, double at_nothing) {
  const double norm = l1_norm(found.result.x), price = found.alpha * norm;
  Certificate ball = found.certificate;
  ball.primal -= price;
  ball.dual -= found.alpha * found.radius;
  compare(ball, {.of_gap = kRoundingOfPrice * price}, at_nothing);
  return ball;
}

// The penalised problem itself; the ball of its solution comes afterwards.
Penalised solve_directly(const Problem& problem, double alpha, SetPath& path, double at_nothing) {
  Penalised found{.alpha = alpha};
  found.result = path.solve(penalty(problem, alpha));
  found.certificate = found.result.certificate;
  const double norm = l1_norm(found.result.x);
  found.radius = norm > 0 ? norm : smallest_radius(problem, alpha, at_nothing);
  found.result.certificate = of_ball(found, at_nothing);
  return found;
}

// The solution where no feature is worth the penalty.
void set_to_zero(const Problem& ball, int threads, Result& result) {
  std::fill(result.x.begin(), result.x.end(), 0.0);
  result.certificate = certify(ball, result.x, result.y, threads);
}

// From below, where balls are easy: features that went on as well as the best one begins would leave no loss here.
double first_radius(double at_none, double most, double largest, double aim, const Known& known) {
  return std::min(largest, known.last.radius > 0 ? known.last.radius_of(aim) : at_none / most);
}

// The status and the message are those of the penalised problem.
void conclude(const Settings& settings, Penalised& best) {
  const bool has_converged = best.certificate.relative_gap <= settings.tol;
  if (has_converged)
    best.result.status = Status::converged;
  else if (best.result.status == Status::converged)
    best.result.status = Status::stalled;
  best.result.settings.tol = settings.tol;
  best.result.message = fmt::format("penalised: relative gap {} {} tol {}", text_of_gap(best.certificate.relative_gap),
                                    has_converged ? "<=" : ">", settings.tol);
}

// Whether a ball that is solved to `tol` tells too little about where to look next.
bool is_too_rough(const RadiusSearch& search, const RadiusPoints& last, double tol, double accurate) {
  const bool is_here = std::abs(search.excess(last.multiplier)) <= kFar;
  return (is_here && tol > accurate) || (search.is_stuck() && tol > kBest);
}

bool is_stopped(Status status) { return status == Status::interrupted || status == Status::time_limit; }

// For solvers that know balls only, and for rows that are elsewhere.
Penalised search_radius(const Problem& problem, double alpha, const Settings& settings, const Callback& callback,
                        Known& known) {
  // alpha |x*|_1 <= P(0) bounds the radius from above. Where P(0) = 0 any ball will do.
  const double at_none = at_zero(problem), largest = at_none > 0 ? at_none / alpha : 1;
  const double accurate = std::max(kBest, kShareOfTol * settings.tol), most = largest_alpha(problem, settings.threads);
  const bool is_zero = alpha >= most;  // no feature is worth it
  // A multiplier m below alpha costs the gap (alpha - m) |x|_1, one above it only the square of that: aim a little
  // high.
  double above = std::min(kAbove * std::sqrt(settings.tol), is_zero ? 0 : 0.5 * (most / alpha - 1));
  RadiusSearch search((1 + above) * alpha, largest);
  double radius = is_zero ? kNothing * largest : first_radius(at_none, most, largest, (1 + above) * alpha, known);
  Settings inner = settings;
  inner.tol = is_zero ? accurate : std::max(accurate, kRough);
  Problem ball = problem;
  Penalised best{.alpha = alpha};
  best.certificate.relative_gap = std::numeric_limits<double>::infinity();
  for (int solves = 0; solves < kMostSolves && radius > 0; ++solves) {
    ball.set = problem.set->with_radius(radius);
    Result result = solve(ball, inner, callback, known.start);
    if (result.status == Status::team_lost) throw TeamLost(result.message);  // nothing can be certified any more
    const double norm = l1_norm(result.x);
    if (is_zero) set_to_zero(ball, settings.threads, result);
    const Certificate c = certify_penalised(problem, alpha, result.x, result.y, settings.threads);
    known.start = {result.x, result.y, result.multiplier};
    known.last.add(radius, result.multiplier);
    const bool is_last = is_stopped(result.status);
    if (!(c.relative_gap >= best.certificate.relative_gap)) best = {alpha, radius, std::move(result), c};
    if (best.certificate.relative_gap <= settings.tol || is_last) break;
    search.add(known.last, norm);
    if (is_too_rough(search, known.last, inner.tol, accurate)) {  // the same ball, better
      inner.tol = std::max(kBest, inner.tol > accurate ? accurate : inner.tol / 30);
      search.forget();
      continue;
    }
    // Where the square of it is too much already, aim lower.
    const double share = (known.last.multiplier - alpha) / (above * alpha);
    if (inner.tol <= accurate && share > 0 && share < 2) {
      above *= std::clamp(share * std::sqrt(0.5 * settings.tol / c.relative_gap), 0.05, 0.7);
      search.change_aim((1 + above) * alpha);
    }
    radius = search.next(known.last);
  }
  if (is_zero) known = {};  // says nothing about the size of others
  conclude(settings, best);
  return best;
}

// From the largest down, every one from where the last one ended.
class Penalties {
 public:
  Penalties(const Problem& problem, const Settings& settings, const Callback& callback)
      : problem_(problem), settings_(settings), callback_(callback) {
    if (!is_solved_directly(problem, settings)) return;
    path_.emplace(problem, settings, callback);
    at_nothing_ = objective_of_nothing(problem);
  }
  [[nodiscard]] Penalised solve(double alpha) {
    return path_ ? solve_directly(problem_, alpha, *path_, at_nothing_)
                 : search_radius(problem_, alpha, settings_, callback_, known_);
  }

 private:
  const Problem& problem_;
  const Settings& settings_;
  const Callback& callback_;
  std::optional<SetPath> path_;
  double at_nothing_ = 0;
  Known known_;
};

// P without its penalties.
double loss_of(const Problem& p, const Penalised& found) {
  return found.certificate.primal - found.alpha * l1_norm(found.result.x) - p.regulariser->value(found.result.x);
}

}  // namespace

Penalised solve_penalised(const Problem& problem, double alpha, const Settings& settings, const Callback& callback) {
  together(problem.team, [&] {
    validate(problem);
    check(problem, alpha);
  });
  return Penalties(problem, settings, callback).solve(alpha);
}

std::vector<Penalised> solve_penalties(const Problem& problem, std::vector<double> alphas, const Settings& settings,
                                       bool stops_early, const Callback& callback) {
  constexpr double kFallsNoMore = 1e-5, kNothingLeft = 1e-3;
  together(problem.team, [&] {
    validate(problem);
    if (alphas.empty()) throw InputError("alphas", "none", "at least one");
    for (const double alpha : alphas) check(problem, alpha);
  });
  std::sort(alphas.rbegin(), alphas.rend());
  const double whole = at_zero(problem);
  double last = whole;
  Penalties penalties(problem, settings, callback);
  std::vector<Penalised> path;
  for (const double alpha : alphas) {
    path.push_back(penalties.solve(alpha));
    const Result& result = path.back().result;
    if (result.status == Status::interrupted) break;
    const double loss = loss_of(problem, path.back());
    const bool has_moved = std::any_of(result.x.begin(), result.x.end(), [](double x_j) { return x_j != 0; });
    if (stops_early && has_moved && (last - loss <= kFallsNoMore * (whole - loss) || loss <= kNothingLeft * whole))
      break;
    last = loss;
  }
  return path;
}

}  // namespace pdbfw
