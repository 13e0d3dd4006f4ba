// The inner steps of SVRG on a set whose projection is a soft threshold, at a price that does not depend on d.
//
//   x <- Proj_C( x - step v ),   v = (1/b) sum_{i in rows} ( f_i'(a_i'x) - f_i'(a_i'x~) ) a_i - u~ + q x
//
// The projection couples all features, but only through its threshold: a feature that is 0, that no row of the batch
// holds, and whose step * u~_j lies inside the dead zone, stays 0 and does not move the zone. So only three kinds of
// features are looked at: non-zeros of x, those in the rows, and the heavy ones: whose u~_j is not well inside the zone
// at the snapshot. Whether that was enough is seen from the zone itself, and if it was not, all features are heavy from
// then on. So the steps are exactly those of the plain method, up to the order of sums. Where the radius is slack all
// features move in every step, and all are heavy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {

class ProjectedSteps {
 public:
  // No setting matters to them; those of the other family have some to obey.
  explicit ProjectedSteps(const Problem& p, const Settings& /*settings*/ = {})
      : p_(p),
        correction_(static_cast<std::size_t>(p.d())),
        is_heavy_(correction_.size()),
        is_looked_(correction_.size()) {}

  static constexpr Index kStepsBetweenLooks = 64;  // at the clock

  // The snapshot must live as long as the steps; x begins there.
  void begin(const PrimalPoint& snapshot, double step) {
    snapshot_ = &snapshot;
    step_ = step;
    steps_ = sum_in_play_ = 0;
    x_ = snapshot.x;
    const Curvatures q = p_.regulariser->curvatures();
    moved_.resize(x_.size());
    for (std::size_t j = 0; j < x_.size(); ++j)
      moved_[j] = x_[j] + step * (snapshot.u[j] - q[static_cast<Index>(j)] * x_[j]);
    zone_ = p_.set->dead_zone(moved_, kUnitCurvatures);

    in_play_.clear();
    lowest_ = highest_ = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const double pull = step * snapshot.u[j];
      is_heavy_[j] = pull < kWellInside * zone_.lower || pull > kWellInside * zone_.upper ? 1 : 0;
      if (is_heavy_[j] != 0 || x_[j] != 0) in_play_.push_back(static_cast<Index>(j));
      if (is_heavy_[j] != 0) continue;
      lowest_ = std::min(lowest_, pull);
      highest_ = std::max(highest_, pull);
    }
  }

  // One step with these rows, repeated ones counted as often. Returns the entries of A touched.
  double step(std::span<const Index> rows) {
    looked_.clear();
    for (const Index j : in_play_) look_at(j);
    const double touched = add_rows(rows);
    const auto batch = static_cast<double>(rows.size());
    if (!find_zone(batch)) {
      take_all_as_heavy();
      (void)find_zone(batch);
    }
    in_play_.clear();
    for (std::size_t k = 0; k < looked_.size(); ++k) {
      const auto j = static_cast<std::size_t>(looked_[k]);
      x_[j] = zone_.outside(moved_[k]);
      correction_[j] = 0;
      is_looked_[j] = 0;
      if (x_[j] != 0 || is_heavy(looked_[k])) in_play_.push_back(looked_[k]);
    }
    ++steps_;
    sum_in_play_ += features_in_play();
    return touched;
  }

  // to.x <- x, with its rounding taken back into C.
  void write(PrimalPoint& to) const {
    to.x = x_;
    p_.set->project(to.x);
  }

  // Those of the next epoch: as large as the features in play in the last one, so that these are paid for.
  [[nodiscard]] Batches batches() const {
    const Index n = p_.n(), in_play = steps_ == 0 ? p_.d() : sum_in_play_ / steps_;
    const double mean_row = static_cast<double>(p_.A->nonzeros()) / static_cast<double>(n);
    const auto size = static_cast<Index>(
        std::clamp(static_cast<double>(in_play) / std::max(1.0, mean_row), 1.0, static_cast<double>(n)));
    return {(n + size - 1) / size, static_cast<double>(size)};
  }

  // Of projections, beside the products with A.
  [[nodiscard]] static double work() { return 0; }

  // In C up to rounding.
  [[nodiscard]] const std::vector<double>& x() const { return x_; }
  // Features that the last step looked at, besides those in its rows.
  [[nodiscard]] Index features_in_play() const { return static_cast<Index>(in_play_.size()); }

 private:
  // A feature is heavy unless its u~_j lies within this share of the zone: noise moves the zone to and fro.
  static constexpr double kWellInside = 0.7;

  static constexpr Curvatures kUnitCurvatures{1.0, {}};

  void look_at(Index j) {
    if (is_looked_[static_cast<std::size_t>(j)] != 0) return;
    is_looked_[static_cast<std::size_t>(j)] = 1;
    looked_.push_back(j);
  }

  void take_all_as_heavy() {
    std::fill(is_heavy_.begin(), is_heavy_.end(), std::uint8_t{1});
    std::fill(is_looked_.begin(), is_looked_.end(), std::uint8_t{1});
    lowest_ = highest_ = 0;
    looked_.resize(x_.size());
    std::iota(looked_.begin(), looked_.end(), Index{0});
  }

  // sum_i ( f_i'(a_i'x) - f_i'(a_i'x~) ) a_i
  double add_rows(std::span<const Index> rows) {
    return std::visit(
        [&](const auto& lines) {
          Index touched = 0;
          for (const Index i : rows) {
            const auto line = lines[i];
            const auto row = static_cast<std::size_t>(i);
            const double change = p_.loss->derivative(row, dot(line, x_.data())) - snapshot_->y[row];
            touched += line.size;
            if (change == 0) continue;
            for (Index k = 0; k < line.size; ++k) look_at(line.index(k));
            add_scaled(line, change, correction_.data());
            touched += line.size;
          }
          return static_cast<double>(touched);
        },
        p_.A->by_row());
  }

  // The zone of the projection of x - step v; false if a feature that was not looked at lies outside.
  [[nodiscard]] bool find_zone(double batch) {
    const Curvatures q = p_.regulariser->curvatures();
    moved_.resize(looked_.size());
    for (std::size_t k = 0; k < looked_.size(); ++k) {
      const auto j = static_cast<std::size_t>(looked_[k]);
      moved_[k] = x_[j] + step_ * (snapshot_->u[j] - q[looked_[k]] * x_[j] - correction_[j] / batch);
    }
    zone_ = p_.set->dead_zone(moved_, kUnitCurvatures, &zone_);
    return zone_.lower <= lowest_ && highest_ <= zone_.upper;
  }

  [[nodiscard]] bool is_heavy(Index j) const { return is_heavy_[static_cast<std::size_t>(j)] != 0; }

  const Problem& p_;
  const PrimalPoint* snapshot_ = nullptr;
  double step_ = 0;
  Index steps_ = 0, sum_in_play_ = 0;    // since it began
  std::vector<double> x_;                // d
  std::vector<double> correction_;       // d: sum of the rows' terms; 0 between steps
  std::vector<std::uint8_t> is_heavy_;   // d
  std::vector<std::uint8_t> is_looked_;  // d: in `looked_`
  std::vector<Index> in_play_;           // non-zeros of x and heavy features
  std::vector<Index> looked_;            // in_play_ and the features in the rows
  std::vector<double> moved_;            // x - step v on looked_
  double lowest_ = 0, highest_ = 0;      // of step * u~ on the features that are not heavy
  DeadZone zone_;
};

}  // namespace pdbfw
