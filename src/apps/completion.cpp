#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "apps/radius_search.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/metrics.hpp"
#include "pdbfw/recovery.hpp"

namespace pdbfw {
namespace {

// A radius is judged by its error on entries held out, which such a gap hardly moves.
constexpr double kSearchTol = 1e-2;
// Smaller radii on the way to a given one only show where to begin.
constexpr double kClimbTol = 1e-1;
// The search may take this share of the time; the rest is for the fit on all entries.
constexpr double kSearchShare = 0.5;
// Beyond the best radius a fit follows the noise, and its rank multiplies. Where it exceeds that of the best one so far
// this often, and this much, the radius is given up before it costs more than all others together.
constexpr Index kRanksBeyond = 4, kRankBeyond = 50;

void check(const CompletionOptions& options) {
  const std::array<std::string_view, 2> losses = {"squared", "huber"};
  if (std::find(losses.begin(), losses.end(), options.loss) == losses.end())
    throw InputError("loss", options.loss, "squared or huber");
  if (!(options.holdout >= 0 && options.holdout < 1))
    throw InputError("holdout", fmt::format("{}", options.holdout), "a number in [0, 1)");
  if (!options.radius && options.holdout == 0)
    throw InputError("holdout", "0", "> 0 where the radius is to be found, for it is found by what is held out");
}

// Some of the entries, copied.
struct Part {
  std::vector<Index> row, column;
  std::vector<double> value;

  void add(const EntriesView& entries, std::size_t k) {
    row.push_back(entries.row[k]);
    column.push_back(entries.column[k]);
    value.push_back(entries.value[k]);
  }
  [[nodiscard]] EntriesView view(const EntriesView& whole) const {
    return {whole.rows, whole.columns, row, column, value};
  }
};

struct Parts {
  Part seen, held_out;
};

// Every choice of this number of entries is as likely as any other: from those that are left, the next one is drawn
// with the chance that is left.
Parts split(const EntriesView& entries, double share, std::uint64_t seed) {
  const Index n = entries.size();
  auto wanted = static_cast<Index>(std::llround(share * static_cast<double>(n)));
  if (wanted == 0 || wanted == n)
    throw InputError("holdout", fmt::format("{} of {} entries", wanted, n), "at least one, and at least one left");
  Parts parts;
  Random random(seed);
  for (Index k = 0; k < n; ++k) {
    const bool is_drawn = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - k))) < wanted;
    if (is_drawn) --wanted;
    (is_drawn ? parts.held_out : parts.seen).add(entries, static_cast<std::size_t>(k));
  }
  return parts;
}

// One fit: the means of these entries, and the problem for what they leave.
struct Fit {
  TwoWayMeans means;
  low_rank::Problem problem;
  low_rank::Result result{};
};

// The entries less their means, in the trace-norm ball.
low_rank::Problem completion_problem(const EntriesView& entries, const TwoWayMeans& means,
                                     const Formulation& formulation) {
  Matrix B(entries.size(), 1);
  for (Index k = 0; k < entries.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    B(k, 0) = entries.value[at] - means(entries.row[at], entries.column[at]);
  }
  MapPtr map = entries_map(entries.rows, entries.columns, {entries.row.begin(), entries.row.end()},
                           {entries.column.begin(), entries.column.end()});
  return low_rank::make_problem(std::move(map), std::move(B), formulation);
}

Fit prepare(const EntriesView& entries, const CompletionOptions& options, double radius) {
  TwoWayMeans means = two_way_means(entries, options.means);
  low_rank::Problem problem = completion_problem(entries, means,
                                                 {.loss = options.loss,
                                                  .set = "trace",
                                                  .radius = radius,
                                                  .ridge = options.ridge,
                                                  .huber_width = options.huber_width});
  return {std::move(means), std::move(problem)};
}

// The trace norm of the best multiple of the first singular pair u v' of the entries: the smallest fit that says
// anything.      t = <A(u v'), b> / |A(u v')|^2
double first_radius(const low_rank::Problem& problem, int threads) {
  constexpr double kRough = 0.1;
  TopSpectrum top(Spectrum::singular_values, threads);
  const auto Z = problem.map->adjoint(problem.loss->targets());
  Factors pair = top.largest(*Z, 1, kRough);
  if (pair.rank() == 0 || !(pair.s[0] > 0)) return 1;  // nothing is left to explain
  pair.s[0] = 1;
  Matrix W;
  problem.map->apply(pair, W, threads);
  const double t = W.cwiseProduct(problem.loss->targets()).sum() / W.squaredNorm();
  return t > 0 && std::isfinite(t) ? t : 1;
}

// All solves of one completion: they share the time, and each begins where the last one ended unless told otherwise.
class Solves {
 public:
  Solves(const CompletionOptions& options, const Callback& callback)
      : options_(options), callback_([&callback, this](const Progress& progress) {
          is_interrupted_ = is_interrupted_ || (callback && !callback(progress));
          exceeds_rank_ = progress.now.nonzeros > most_rank_;
          return !is_interrupted_ && !exceeds_rank_;
        }) {}

  // Gives up where the rank exceeds `most_rank`.
  void run(Fit& fit, double tol, double share = 1, Index most_rank = std::numeric_limits<Index>::max()) {
    Settings settings = options_.settings;
    settings.tol = tol;
    most_rank_ = most_rank;
    exceeds_rank_ = false;
    settings.max_seconds = std::max(0.0, share * settings.max_seconds - watch_.seconds());
    if (start_.Y.rows() != fit.problem.n()) start_.Y.resize(0, 0);  // of other entries
    fit.result = low_rank::solve(fit.problem, settings, callback_, start_);
    start_ = {fit.result.X, fit.result.Y};
  }
  void begin_at(Factors X) { start_ = {std::move(X), {}}; }
  [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }
  [[nodiscard]] bool exceeds_rank() const { return exceeds_rank_; }
  [[nodiscard]] bool has_time(double share) const { return watch_.seconds() < share * options_.settings.max_seconds; }

 private:
  const CompletionOptions& options_;
  bool is_interrupted_ = false, exceeds_rank_ = false;
  Index most_rank_ = 0;
  Callback callback_;
  Stopwatch watch_;
  low_rank::Start start_;
};

Completion::HeldOut judge(const Fit& fit, const Part& held_out) {
  return compare(predict(fit.means, fit.result.X, held_out.row, held_out.column), held_out.value);
}

// From nothing, a large radius leads through fits of high rank; smaller ones, each twice the last, keep the rank low.
void climb(double radius, const CompletionOptions& options, Solves& solves, Fit& fit) {
  for (double r = first_radius(fit.problem, options.settings.threads); 2 * r <= radius && solves.has_time(kSearchShare);
       r *= 2) {
    fit.problem.set = fit.problem.set->with_radius(r);
    solves.run(fit, std::max(options.settings.tol, kClimbTol), kSearchShare);
    if (solves.is_interrupted()) break;
  }
  fit.problem.set = fit.problem.set->with_radius(radius);
}

// Fits at one radius after the other, on what is not held out; gives the best, and leaves the next solve to begin
// there.
double search(const Part& held_out, const CompletionOptions& options, Solves& solves, Fit& fit, Completion& done) {
  constexpr double kEnd = std::numeric_limits<double>::infinity();
  const double tol = std::max(options.settings.tol, kSearchTol);
  Factors best = Factors::zero(fit.problem.d(), fit.problem.c());
  Completion::HeldOut found;
  const auto fit_at = [&](double radius) -> RadiusVerdict {
    if (solves.is_interrupted() || !solves.has_time(kSearchShare)) return {kEnd};
    const Stopwatch watch;
    fit.problem.set = fit.problem.set->with_radius(radius);
    solves.begin_at(best);
    solves.run(fit, tol, kSearchShare, kRanksBeyond * best.rank() + kRankBeyond);
    found = judge(fit, held_out);
    const double seen = options.loss == "huber" ? found.mae : found.rmse;
    const double error = solves.exceeds_rank() ? std::numeric_limits<double>::max() : seen;
    done.trials.push_back({radius, seen, fit.result.X.rank(), watch.seconds()});
    return {error, fit.result.multiplier > 0};
  };
  const double radius = best_radius(first_radius(fit.problem, options.settings.threads), fit_at, [&] {
    done.held_out = found;
    best = fit.result.X;
  });
  solves.begin_at(std::move(best));
  return radius;
}

}  // namespace

Completion complete(const EntriesView& entries, const CompletionOptions& options, const Callback& callback) {
  check(options);
  Completion done;
  Solves solves(options, callback);
  done.radius = options.radius.value_or(1);
  Fit whole = prepare(entries, options, done.radius);  // judges the entries and the numbers
  if (options.holdout > 0) {
    const Parts parts = split(entries, options.holdout, options.settings.seed);
    Fit part = prepare(parts.seen.view(entries), options, done.radius);
    if (options.radius) {
      climb(done.radius, options, solves, part);
      solves.run(part, options.settings.tol, kSearchShare);
      done.held_out = judge(part, parts.held_out);
    } else {
      done.radius = search(parts.held_out, options, solves, part, done);
    }
  } else {
    climb(done.radius, options, solves, whole);
  }
  whole.problem.set = whole.problem.set->with_radius(done.radius);
  solves.run(whole, options.settings.tol);
  done.means = std::move(whole.means);
  done.problem = std::move(whole.problem);
  done.result = std::move(whole.result);
  return done;
}

std::vector<double> predict(const TwoWayMeans& means, const Factors& X, std::span<const Index> row,
                            std::span<const Index> column) {
  std::vector<double> out(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    const Index i = row[k];
    const Index j = column[k];
    out[k] = means.mean;
    if (i >= 0) out[k] += means.row[static_cast<std::size_t>(i)];
    if (j >= 0) out[k] += means.column[static_cast<std::size_t>(j)];
    if (i >= 0 && j >= 0) out[k] += X.U.row(i).cwiseProduct(X.V.row(j)).dot(X.s.transpose());
  }
  return out;
}

Completion::HeldOut compare(std::span<const double> predicted, std::span<const double> value) {
  return {static_cast<Index>(value.size()), root_mean_squared_error(predicted, value),
          mean_absolute_error(predicted, value)};
}

}  // namespace pdbfw
