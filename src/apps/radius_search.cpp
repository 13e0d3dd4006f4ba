#include "apps/radius_search.hpp"

#include <cmath>
#include <limits>

namespace pdbfw {
namespace {

constexpr int kMostSteps = 40;  // 2^40 is far enough from any first guess
constexpr int kHalvings = 3;    // the last one looks 9 % to either side
// An error that falls by less than this has reached the noise of the data; larger fits only cost more.
constexpr double kFalls = 0.999;
// Where the errors on both sides are above the best by less than this, the valley is flat and nothing is to be gained.
constexpr double kFlat = 1.003;
// Errors nearer to each other than this are the same; of two radii with the same error the smaller is better.
constexpr double kSame = 1e-4;

class Search {
 public:
  Search(const std::function<RadiusVerdict(double)>& fit, const std::function<void()>& keep) : fit_(fit), keep_(keep) {}

  // Whether the fit at this radius is clearly the best so far.
  bool improves(double radius) {
    const RadiusVerdict verdict = fit_(radius);
    is_over_ = is_over_ || std::isinf(verdict.error);
    is_binding_ = verdict.is_binding;
    const bool is_clear = verdict.error < kFalls * error_;
    last_ = verdict.error;
    if (verdict.error < (radius < best_ ? 1 + kSame : 1 - kSame) * error_) {
      error_ = verdict.error;
      best_ = radius;
      if (keep_) keep_();
    }
    return is_clear;
  }

  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] bool was_close() const { return last_ < kFlat * error_; }  // the last error to the best one
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] bool is_binding() const { return is_binding_; }  // at the last radius

 private:
  const std::function<RadiusVerdict(double)>& fit_;
  const std::function<void()>& keep_;
  double best_ = 0;  // none yet
  double error_ = std::numeric_limits<double>::infinity();
  double last_ = 0;
  bool is_over_ = false;
  bool is_binding_ = true;
};

// How many steps of this factor improve. Beyond a radius that does not bind, all fits are the same.
int walk(double radius, double factor, Search& search) {
  int steps = 0;
  for (; steps < kMostSteps && !search.is_over(); ++steps) {
    if (factor > 1 && !search.is_binding()) break;
    radius *= factor;
    if (!search.improves(radius)) break;
  }
  return steps;
}

}  // namespace

double best_radius(double first, const std::function<RadiusVerdict(double)>& fit, const std::function<void()>& keep) {
  Search search(fit, keep);
  if (!search.improves(first)) return first;
  if (walk(first, 2, search) == 0) walk(first, 0.5, search);
  double factor = std::sqrt(2.0);
  for (int round = 0; round < kHalvings && !search.is_over(); ++round, factor = std::sqrt(factor)) {
    const double middle = search.best();
    if (search.improves(middle / factor) || search.is_over()) continue;
    const bool is_flat_below = search.was_close();
    if (!search.improves(middle * factor) && is_flat_below && search.was_close()) break;
  }
  return search.best();
}

}  // namespace pdbfw
