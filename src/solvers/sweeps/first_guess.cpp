#include "solvers/sweeps/first_guess.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "base/team.hpp"
#include "core/dual_value.hpp"
#include "linalg/above.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

// A feature is taken if its sum, which bounds |u_j|, brings it this near to the border that the guess suggests.
constexpr double kShare = 0.25;
constexpr double kShareOfStep = 0.5;  // the longer the step, the fewer features are taken
// The border is judged on about this number of features, those with the largest |u_j|.
constexpr Index kMostSuggesting = 65'536;
// The steps tried are 1, kStepFactor, its square ... down to kShortestStep.
constexpr double kStepFactor = 0.7;
constexpr double kShortestStep = 1e-3;
// Below this many entries the start of a thread costs more than it saves.
constexpr Index kWorthThreads = 250'000;
// The steps tried where rows are looked at: 1, 1/2, 1/4 ...
constexpr std::size_t kSteps = 12;

// float32 copies of float64 data are good for entries up to some size; those that are all tiny would lose digits.
bool float_holds(double largest_entry) {
  constexpr double kFloatHolds = 1e30;
  return largest_entry < kFloatHolds && largest_entry > 1 / kFloatHolds;
}

double mean_magnitude(std::span<const double> v) {
  double sum = 0;
  for (const double v_i : v) sum += std::abs(v_i);
  return sum / static_cast<double>(v.size());
}

// The larger one of two classes weighs less: in the end they all but balance.
void balance(std::span<double> slope) {
  double up = 0, down = 0;
  for (const double slope_i : slope) (slope_i > 0 ? up : down) += std::abs(slope_i);
  if (!(up > 0 && down > 0)) return;
  for (double& slope_i : slope) slope_i *= std::min(1.0, slope_i > 0 ? down / up : up / down);
}

// u = -A'y / n and the sums of the columns, in one pass.
void look_at_columns(const DataMatrix& A, std::span<const double> y, int threads, FirstGuess& out) {
  constexpr Index kShards = 64;
  const auto n = static_cast<double>(A.rows());
  std::array<double, kShards> largest{};
  std::visit(
      [&](const auto& columns) {
        parallel_for(A.nonzeros() >= kWorthThreads ? threads : 1, kShards, [&](Index s) {
          double largest_here = 0;
          for (Index j = A.columns() * s / kShards; j < A.columns() * (s + 1) / kShards; ++j) {
            const auto line = columns[j];
            double sum = 0, absolute = 0, with_sign = 0;
            for (Index k = 0; k < line.size; ++k) {
              const auto value = static_cast<double>(line.value[k]);
              const double y_i = y[static_cast<std::size_t>(line.index(k))];
              sum += value * y_i;
              absolute += std::abs(value);
              with_sign += std::copysign(1.0, y_i) * value;
              largest_here = std::max(largest_here, std::abs(value));
            }
            out.u[static_cast<std::size_t>(j)] = -sum / n;
            out.column_sums[static_cast<std::size_t>(j)] = (absolute + std::abs(with_sign)) / 2;
          }
          largest[static_cast<std::size_t>(s)] = largest_here;
        });
      },
      A.by_column());
  out.fits_float = float_holds(*std::max_element(largest.begin(), largest.end()));
}

// All entries beyond some magnitude, kMostSuggesting at most unless many are of one size.
std::vector<double> largest_magnitudes(std::span<const double> u, int threads) {
  constexpr Index kShards = 16;
  using Counts = std::array<Index, 2048>;  // by binary exponent
  const auto exponent = [](double v) {
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(v) >> 52U) & 2047U;
  };
  const auto d = static_cast<Index>(u.size());
  const auto shard = [&](Index s) {
    return u.subspan(static_cast<std::size_t>(d * s / kShards),
                     static_cast<std::size_t>(d * (s + 1) / kShards - d * s / kShards));
  };
  std::vector<Counts> counts(kShards);
  parallel_for(d >= kWorthThreads ? threads : 1, kShards, [&](Index s) {
    Counts& own = counts[static_cast<std::size_t>(s)];
    own.fill(0);
    for (const double u_j : shard(s)) ++own[exponent(u_j)];
  });
  const auto count = [&](std::size_t e) {
    Index sum = 0;
    for (const Counts& own : counts) sum += own[e];
    return sum;
  };
  std::size_t lowest = Counts().size() - 1;
  for (Index above = count(lowest); lowest > 1 && above + count(lowest - 1) <= kMostSuggesting;)
    above += count(--lowest);
  std::vector<std::vector<double>> found(kShards);
  parallel_for(d >= kWorthThreads ? threads : 1, kShards, [&](Index s) {
    for (const double u_j : shard(s))
      if (exponent(u_j) >= lowest) found[static_cast<std::size_t>(s)].push_back(u_j);
  });
  std::vector<double> out;
  for (const std::vector<double>& own : found) out.insert(out.end(), own.begin(), own.end());
  return out;
}

struct Step {
  double t = 0;
  double border = 0;  // of the zone there
};

// The step with the largest D(t y). D is concave in t: the first one that is no better ends the search.
Step best_step(const Problem& p, double q, std::span<const double> y, std::span<const double> u, int threads) {
  const std::vector<double> largest = largest_magnitudes(u, threads);
  std::vector<double> scaled_u(largest.size()), scaled_y(y.size());
  Step best;
  double best_dual = -std::numeric_limits<double>::infinity();
  DeadZone zone;
  for (double t = 1; t > kShortestStep; t *= kStepFactor) {
    for (std::size_t a = 0; a < scaled_u.size(); ++a) scaled_u[a] = t * largest[a];
    for (std::size_t i = 0; i < scaled_y.size(); ++i) scaled_y[i] = t * y[i];
    zone = p.set->dead_zone(scaled_u, {q, {}}, &zone);
    const double dual = set_part(scaled_u, {q, {}}, zone, p.set->radius()) -
                        p.loss->total_conjugate(scaled_y) / static_cast<double>(p.n());
    if (!(dual > best_dual)) break;
    best_dual = dual;
    best = {t, std::abs(zone.multiplier)};
  }
  return best;
}

}  // namespace

FirstGuess make_first_guess(const Problem& p, double q, int threads) {
  FirstGuess out;
  out.y.resize(p.loss->size());
  out.u.resize(static_cast<std::size_t>(p.d()));
  out.column_sums.resize(out.u.size());
  p.loss->derivatives(std::vector<double>(p.loss->size(), 0.0), out.y);
  const double mean = mean_magnitude(out.y);
  balance(out.y);
  look_at_columns(*p.A, out.y, threads, out);

  const Step step = best_step(p, q, out.y, out.u, threads);
  for (double& y_i : out.y) y_i *= step.t;
  // |u_j| <= max|y| sum_j / n; the mean of |f'(0)| is a fair guess at the max of what |y| becomes.
  const double to_bound = step.t * mean / static_cast<double>(p.n());
  const double near_border = std::max(kShare, kShareOfStep * step.t) * step.border;
  out.features = positions_above(near_border / to_bound, out.column_sums, threads);
  for (const Index j : out.features) out.u[static_cast<std::size_t>(j)] *= step.t;
  return out;
}

GuessByRows look_at_rows(const Problem& p, std::vector<double> y) {
  const auto d = static_cast<std::size_t>(p.d());
  const auto n = static_cast<double>(p.samples());
  GuessByRows out{
      .y = std::move(y), .u = std::vector<double>(d), .entries = std::vector<Index>(d), .entries_of_all = {}};
  if (out.y.empty()) {
    out.y.resize(p.loss->size());
    p.loss->derivatives(std::vector<double>(out.y.size(), 0.0), out.y);  // with an intercept, the best
  }
  double largest = 0, squares = 0;
  const auto look = [&](Index first, const auto& rows) {
    for (Index r = 0; r < rows.count; ++r) {
      const auto line = rows[r];
      const double y_i = out.y[static_cast<std::size_t>(first + r)];
      for (Index k = 0; k < line.size; ++k) {
        const auto j = static_cast<std::size_t>(line.index(k));
        const auto value = static_cast<double>(line.value[k]);
        out.u[j] -= y_i * value;
        ++out.entries[j];
        largest = std::max(largest, std::abs(value));
      }
      squares += squared_norm(line);
    }
  };
  p.A->visit_rows(
      [&](Index first, const Lines& rows) { std::visit([&](const auto& own) { look(first, own); }, rows); });
  out.entries_of_all.assign(out.entries.begin(), out.entries.end());
  std::array<double, 2> sums{squares, float_holds(largest) ? 0.0 : 1.0};
  if (p.team) {
    p.team->sum(out.u);
    p.team->sum(out.entries_of_all);
    p.team->sum(sums);
  }
  for (double& u_j : out.u) u_j /= n;
  out.mean_norm = sums[0] / n;
  out.fits_float = sums[1] == 0;
  return out;
}

void shorten(const Problem& p, const Curvatures& q, GuessByRows& guess) {
  const auto n = static_cast<double>(p.samples());
  std::array<double, kSteps> conjugates{};
  std::vector<double> y(guess.y.size()), u(guess.u.size());
  double t = 1;
  for (double& conjugate : conjugates) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = t * guess.y[i];
    conjugate = p.loss->of_samples().total_conjugate(y);
    t /= 2;
  }
  if (p.team) p.team->sum(conjugates);
  double best = -std::numeric_limits<double>::infinity(), best_t = t = 1;
  for (const double conjugate : conjugates) {
    for (std::size_t j = 0; j < u.size(); ++j) u[j] = t * guess.u[j];
    const double dual = set_part(u, q, p.set->dead_zone(u, q), p.set->radius()) - conjugate / n;
    if (dual > best) best = dual, best_t = t;
    t /= 2;
  }
  for (double& y_i : guess.y) y_i *= best_t;
  for (double& u_j : guess.u) u_j *= best_t;
}

}  // namespace pdbfw
