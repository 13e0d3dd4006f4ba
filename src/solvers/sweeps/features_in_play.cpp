#include "solvers/sweeps/features_in_play.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "linalg/products.hpp"
#include "solvers/sweeps/first_guess.hpp"

namespace pdbfw {
namespace {

// W loses the features that are inside the zone by more than this share of its multiplier once a sweep raises D by no
// more than kSettled; at first it keeps more. When the radius has changed, the way to the border is short.
constexpr double kNearUnsettledBorder = 0.7;
constexpr double kSettled = 0.05;
constexpr double kNearBorder = 0.5;
constexpr double kNearNextBorder = 0.22;
// It must leave out enough to pay for the packing. With few rows Newton's steps jump, and W is cheap to repair.
constexpr double kShrinkPays = 0.8;
constexpr double kShrinkPaysNewton = 0.6;
constexpr double kWorthShrinking = 10'000;
// When W has missed a feature this many times, it only grows: what was left out twice would be left out again.
constexpr Index kMostMisses = 3;
// A guess is looked at again when D rises by this share of what it did at the last look, until nothing was missing so
// many times.
constexpr double kBetweenLooks = 0.03;
constexpr Index kEnoughLooks = 2;
// float32 copies of float64 data are good for gaps down to about this.
constexpr double kFloatIsEnough = 1e-7;
// The first proximity [M18] in units of the mean |a_i|^2 / n; a smaller one where Newton's method helps.
constexpr double kFirstProximity = 1;
constexpr double kFirstProximityOfNewton = 1e-3;

// Outside the zone, or inside it by less than a share of the multiplier.
bool is_in_play(double u, const DeadZone& zone, double share) {
  const double near = share * std::abs(zone.multiplier);
  return u > zone.upper - near || u < zone.lower + near;
}

}  // namespace

void FeaturesInPlay::begin(Run& run) {
  if (s_.is_alone)
    begin_by_columns(run);
  else
    begin_by_rows(run);
}

// From a given y, what it puts near the border. On data of few rows, or where features differ in curvature, anything.
void FeaturesInPlay::begin_by_columns(Run& run) {
  const auto d = static_cast<std::size_t>(s_.p.d());
  if (!(s_.p.regulariser->strong_convexity() > 0)) {
    std::vector<double> norms(s_.y.size());
    row_squared_norms(*s_.p.A, norms);
    choose_proximity(std::accumulate(norms.begin(), norms.end(), 0.0) / s_.n);
  }
  if (s_.is_warm) {
    std::vector<double> u = s_.full_u(run);
    add_proximity(u);
    choose_near(u, s_.set().dead_zone(u, s_.q, &s_.zone), kNearBorder, run);
  } else if (s_.has_few_rows || !s_.q.is_uniform()) {
    std::vector<Index> features(d);
    std::iota(features.begin(), features.end(), Index{0});
    choose(std::move(features), std::vector<double>(d, 0.0), run);
  } else {
    FirstGuess guess = make_first_guess(s_.p, s_.q.uniform, s_.threads);
    run.charge(static_cast<double>(s_.p.A->nonzeros()), 1);
    s_.y = std::move(guess.y);
    signs_ = s_.y;
    column_sums_ = std::move(guess.column_sums);
    fits_float_ = guess.fits_float;
    choose(std::move(guess.features), guess.u, run);
  }
}

// Rows that others have, or that are streamed, are looked at once.
void FeaturesInPlay::begin_by_rows(Run& run) {
  GuessByRows guess = look_at_rows(s_.p, s_.is_warm ? s_.y : std::vector<double>());
  run.charge(static_cast<double>(s_.p.A->nonzeros()), 1);
  if (!(s_.p.regulariser->strong_convexity() > 0)) choose_proximity(guess.mean_norm);
  if (!s_.is_warm) shorten(s_.p, s_.q, guess);
  fits_float_ = guess.fits_float;
  s_.rows.know_entries(std::move(guess.entries), std::move(guess.entries_of_all));
  s_.y = std::move(guess.y);
  if (s_.p.loss->has_free_columns()) s_.begin_intercept();
  add_proximity(guess.u);
  choose_near(guess.u, s_.set().dead_zone(guess.u, s_.q, &s_.zone), kNearUnsettledBorder, run);
  next_look_ = kWellSettled;
  looks_left_ = kEnoughLooks;
}

void FeaturesInPlay::choose_proximity(double mean_norm) {
  const double first = s_.has_few_rows ? kFirstProximityOfNewton : kFirstProximity;
  s_.set_proximity(mean_norm > 0 ? first * mean_norm / s_.n : 1);
}

void FeaturesInPlay::add_proximity(std::span<double> u) const {
  if (s_.proximity > 0)
    for (std::size_t j = 0; j < u.size(); ++j) u[j] += s_.proximity * s_.centre[j];
}

void FeaturesInPlay::choose(std::vector<Index> features, std::span<const double> u, Run& run) {
  if (!s_.p.A->is_streamed()) run.charge(static_cast<double>(s_.p.A->nonzeros()));  // else the next visit packs them
  s_.choose(std::move(features), u, fits_float_ && s_.tol >= kFloatIsEnough && s_.proximity == 0);
}

void FeaturesInPlay::choose_near(std::span<const double> u, const DeadZone& zone, double share, Run& run) {
  std::vector<bool> stays(u.size(), false);
  if (misses_ >= kMostMisses)
    for (const Index j : s_.rows.features()) stays[static_cast<std::size_t>(j)] = true;
  std::vector<Index> features;
  for (std::size_t j = 0; j < u.size(); ++j)
    if (is_in_play(u[j], zone, share) || stays[j]) features.push_back(static_cast<Index>(j));
  choose(std::move(features), u, run);
}

bool FeaturesInPlay::look_at_all(std::vector<double> u, Run& run) {
  add_proximity(u);
  const DeadZone zone = s_.set().dead_zone(u, s_.q, &s_.zone);
  std::vector<bool> is_in(u.size(), false);
  for (const Index j : s_.rows.features()) is_in[static_cast<std::size_t>(j)] = true;
  bool misses_one = false;
  for (std::size_t j = 0; j < u.size() && !misses_one; ++j) misses_one = !is_in[j] && zone.outside(u[j]) != 0;
  if (misses_one) {
    choose_near(u, zone, kNearBorder, run);
    ++misses_;
  } else {
    for (std::size_t a = 0; a < s_.now.u.size(); ++a) s_.now.u[a] = u[static_cast<std::size_t>(s_.feature(a))];
    s_.refresh_zone();
    s_.look(s_.mean_conjugate);
  }
  return misses_one;
}

void FeaturesInPlay::adapt(double rise, Run& run) {
  if (looks_left_ > 0 && rise <= next_look_ * std::abs(s_.dual)) {
    next_look_ = kBetweenLooks * rise / std::abs(s_.dual);
    if (!look_at_all(s_.full_u(run), run)) --looks_left_;
  }
  if (s_.has_few_rows || rise <= kWellSettled * std::abs(s_.dual))
    shrink(kNearBorder, run);
  else if (rise <= kSettled * std::abs(s_.dual))
    shrink(kNearUnsettledBorder, run);
}

void FeaturesInPlay::shrink_to_next_radius(Run& run) { shrink(kNearNextBorder, run); }

// If that pays.
void FeaturesInPlay::shrink(double share, Run& run) {
  if (s_.rows.entries_of_all() < kWorthShrinking || misses_ >= kMostMisses) return;
  std::vector<Index> kept;
  double entries = 0;
  for (std::size_t a = 0; a < s_.now.u.size(); ++a) {
    if (!is_in_play(s_.now.u[a], s_.zone, share)) continue;
    kept.push_back(static_cast<Index>(a));
    entries += s_.rows.entries_of_all(a);
  }
  if (entries > (s_.has_few_rows ? kShrinkPaysNewton : kShrinkPays) * s_.rows.entries_of_all()) return;
  if (!s_.p.A->is_streamed()) run.charge(static_cast<double>(s_.rows.entries()));
  s_.shrink(kept);
}

}  // namespace pdbfw
