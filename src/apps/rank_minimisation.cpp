// The matrix of smallest trace norm that explains measurements, and phase retrieval, where these are squares.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "base/clock.hpp"
#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/recovery.hpp"

namespace pdbfw {
namespace {

constexpr int kMostSteps = 50;
// A step need not be exact, only right; the last solve is. But P must be told from zero where the goal lies.
constexpr double kStepTol = 1e-2;
double step_tol(const ExplainOptions& options) {
  constexpr double kTold = 0.1;
  return std::min(kStepTol, std::max(options.settings.tol, kTold * options.misfit * options.misfit / kTinyFraction));
}
// A step that changes the radius by less than this changes nothing.
constexpr double kSmallestStep = 1e-9;
// Newton's method comes as near to its goal as one likes and never over it: the goal is a little beyond what is wanted.
constexpr double kBeyond = 0.9;

void check(const MapPtr& map, std::span<const double> b, const ExplainOptions& options) {
  if (!map) throw InputError("map", "none", "a linear map");
  if (map->outputs() != 1)
    throw InputError("map", fmt::format("{} outputs a sample", map->outputs()), "one, to measure numbers");
  if (static_cast<Index>(b.size()) != map->samples())
    throw InputError("b", fmt::format("{} numbers", b.size()), fmt::format("{}, one a measurement", map->samples()));
  if (!(options.misfit > 0 && options.misfit < 1))
    throw InputError("misfit", fmt::format("{}", options.misfit), "a number in (0, 1)");
}

double misfit(const low_rank::Problem& problem, const Factors& X, int threads) {
  Matrix W;
  problem.map->apply(X, W, threads);
  const double size = problem.loss->targets().norm();
  return size > 0 ? (W - problem.loss->targets()).norm() / size : W.norm();
}

// |b|^2 / |A*(b)|, the norm being the one whose ball is the dual of the set; at the smallest, a radius that is none.
double first_radius(const low_rank::Problem& problem, int threads) {
  constexpr double kRough = 1e-3;
  TopSpectrum top(problem.set->spectrum(), threads);
  const auto Z = problem.map->adjoint(problem.loss->targets());
  const Factors largest = top.largest(*Z, 1, kRough);
  const double radius =
      largest.rank() > 0 && largest.s[0] > 0 ? problem.loss->targets().squaredNorm() / largest.s[0] : 1;
  return radius > 0 && std::isfinite(radius) ? radius : 1;
}

class Search {
 public:
  Search(const ExplainOptions& options, const Callback& callback) : options_(options), callback_(callback) {}

  void solve(double tol, Explanation& now) {
    const Stopwatch watch;
    Settings settings = options_.settings;
    settings.tol = tol;
    settings.max_seconds = std::max(0.0, settings.max_seconds - watch_.seconds());
    now.problem.set = now.problem.set->with_radius(now.radius);
    now.result = low_rank::solve(now.problem, settings, callback_, {now.result.X, now.result.Y});
    now.misfit = misfit(now.problem, now.result.X, settings.threads);
    now.steps.push_back({now.radius, now.misfit, now.result.X.rank(), watch.seconds()});
  }

 private:
  const ExplainOptions& options_;
  const Callback& callback_;
  Stopwatch watch_;
};

bool has_been_stopped(const low_rank::Result& result) {
  return result.status == Status::interrupted || result.status == Status::time_limit;
}

// sqrt P(r) = misfit sqrt P(0) by Newton:  r + (sqrt P - misfit sqrt P(0)) 2 sqrt P / multiplier
double next_radius(const Explanation& now, double wanted) {
  const double n = static_cast<double>(now.problem.n());
  const double root = now.misfit * now.problem.loss->targets().norm() / std::sqrt(2 * n);
  const double goal = wanted * now.problem.loss->targets().norm() / std::sqrt(2 * n);
  return now.radius + (root - goal) * 2 * root / now.result.multiplier;
}

}  // namespace

Explanation explain(MapPtr map, std::span<const double> b, const ExplainOptions& options, const Callback& callback,
                    const low_rank::Start& start) {
  check(map, b, options);
  const auto& settings = options.settings;
  Explanation now;
  now.result.X = start.X;
  now.result.Y = start.Y;
  now.problem = low_rank::make_problem(
      std::move(map), Eigen::Map<const Matrix>(b.data(), static_cast<Index>(b.size()), 1),
      {.loss = "squared", .set = options.set, .radius = options.radius.value_or(1), .ridge = options.ridge});
  now.radius = options.radius.value_or(first_radius(now.problem, settings.threads));
  Search search(options, callback);
  if (options.radius) {
    search.solve(settings.tol, now);
    return now;
  }
  for (int step = 0; step < kMostSteps; ++step) {
    search.solve(step_tol(options), now);
    if (now.misfit <= options.misfit || has_been_stopped(now.result) || !(now.result.multiplier > 0)) break;
    const double next = next_radius(now, kBeyond * options.misfit);
    if (!(next > (1 + kSmallestStep) * now.radius)) break;
    now.radius = next;
  }
  if (!has_been_stopped(now.result) && now.result.certificate.relative_gap > settings.tol)
    search.solve(settings.tol, now);
  return now;
}

double relative_error(const Factors& X, const Matrix& truth) {
  if (X.rows() != truth.rows() || X.columns() != truth.cols())
    throw InputError("truth", fmt::format("{} x {}", truth.rows(), truth.cols()),
                     fmt::format("{} x {}, as X", X.rows(), X.columns()));
  const double size = truth.norm();
  if (!(size > 0)) throw InputError("truth", "zero", "a matrix that is not zero");
  double squares = 0;
  for (Index i = 0; i < truth.rows(); ++i)
    squares += (X.V * X.s.cwiseProduct(X.U.row(i).transpose()) - truth.row(i).transpose()).squaredNorm();
  return std::sqrt(squares) / size;
}

namespace {

constexpr double kRoom = 2;  // of the first radius above the estimate, and of each above the last
constexpr int kMostRadii = 20;
constexpr double kBinds = 0.999;  // of the radius; a trace above that has touched it

// |a_i|^2 from the rows of sample i. Of a complex signal both rows of a vector hold all of it.
std::vector<double> squared_lengths(const Measurements& m) {
  std::vector<double> out(static_cast<std::size_t>(m.G->rows() / m.group));
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < m.G->rows(); ++i) {
          const auto row = rows[i];
          double sum = 0;
          for (Index k = 0; k < row.size; ++k)
            sum += static_cast<double>(row.value[k]) * static_cast<double>(row.value[k]);
          out[static_cast<std::size_t>(i / m.group)] += sum;
        }
      },
      m.G->by_row());
  return out;
}

}  // namespace

// The rows g of sample i have sum |g|^2 = q |a_i|^2 and X has q d rows, q = 1 for real and 2 for complex signals: the
// ratio is the same.
double squared_length(const Measurements& measurements, std::span<const double> b) {
  const std::vector<double> w = squared_lengths(measurements);
  if (b.size() != w.size())
    throw InputError("intensities", fmt::format("{}", b.size()), fmt::format("{}, one a vector", w.size()));
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    products += b[i] * w[i];
    squares += w[i] * w[i];
  }
  const double estimate = static_cast<double>(measurements.G->columns()) * products / squares;
  if (!(estimate > 0 && std::isfinite(estimate)))
    throw InputError("intensities", fmt::format("a signal of squared length {}", estimate),
                     "intensities that are > 0 where the vectors are not 0");
  return estimate;
}

PhaseRetrieval retrieve_phase(const Measurements& measurements, std::span<const double> b,
                              const PhaseRetrieval::Options& options, const Callback& callback) {
  const Stopwatch watch;
  const MapPtr map = quadratic_map(measurements.G, measurements.group);
  ExplainOptions how{.set = "psd_trace", .settings = options.settings};
  how.radius = options.radius ? *options.radius : kRoom * squared_length(measurements, b);
  Explanation found = explain(map, b, how, callback);
  std::vector<Explanation::Step> steps = found.steps;
  for (int t = 1; t < kMostRadii && !options.radius; ++t) {
    if (has_been_stopped(found.result) || found.result.X.trace_norm() < kBinds * found.radius) break;
    how.radius = kRoom * found.radius;
    how.settings.max_seconds = std::max(0.0, options.settings.max_seconds - watch.seconds());
    found = explain(map, b, how, callback, {found.result.X, found.result.Y});
    steps.insert(steps.end(), found.steps.begin(), found.steps.end());
  }
  found.steps = std::move(steps);
  ComplexVector x = signal_of(found.result.X, measurements.signal);
  return {std::move(found), std::move(x)};
}

}  // namespace pdbfw
