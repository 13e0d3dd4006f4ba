#include "baselines/projected_steps.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

// A feature is heavy unless its u~_j lies within this share of the zone: noise moves the zone to and fro.
constexpr double kWellInside = 0.7;

constexpr Curvatures kUnitCurvatures{1.0, {}};

}  // namespace

ProjectedSteps::ProjectedSteps(const Problem& p, const Settings& /*settings*/)
    : p_(p),
      correction_(static_cast<std::size_t>(p.d())),
      is_heavy_(correction_.size()),
      is_looked_(correction_.size()) {}

void ProjectedSteps::begin(const PrimalPoint& snapshot, double step) {
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

void ProjectedSteps::look_at(Index j) {
  if (is_looked_[static_cast<std::size_t>(j)] != 0) return;
  is_looked_[static_cast<std::size_t>(j)] = 1;
  looked_.push_back(j);
}

void ProjectedSteps::take_all_as_heavy() {
  std::fill(is_heavy_.begin(), is_heavy_.end(), std::uint8_t{1});
  std::fill(is_looked_.begin(), is_looked_.end(), std::uint8_t{1});
  lowest_ = highest_ = 0;
  looked_.resize(x_.size());
  std::iota(looked_.begin(), looked_.end(), Index{0});
}

// sum_i ( f_i'(a_i'x) - f_i'(a_i'x~) ) a_i
double ProjectedSteps::add_rows(std::span<const Index> rows) {
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
bool ProjectedSteps::find_zone(double batch) {
  const Curvatures q = p_.regulariser->curvatures();
  moved_.resize(looked_.size());
  for (std::size_t k = 0; k < looked_.size(); ++k) {
    const auto j = static_cast<std::size_t>(looked_[k]);
    moved_[k] = x_[j] + step_ * (snapshot_->u[j] - q[looked_[k]] * x_[j] - correction_[j] / batch);
  }
  zone_ = p_.set->dead_zone(moved_, kUnitCurvatures, &zone_);
  return zone_.lower <= lowest_ && highest_ <= zone_.upper;
}

double ProjectedSteps::step(std::span<const Index> rows) {
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

void ProjectedSteps::write(PrimalPoint& to) const {
  to.x = x_;
  p_.set->project(to.x);
}

Batches ProjectedSteps::batches() const {
  const Index n = p_.n(), in_play = steps_ == 0 ? p_.d() : sum_in_play_ / steps_;
  const double mean_row = static_cast<double>(p_.A->nonzeros()) / static_cast<double>(n);
  const auto size = static_cast<Index>(
      std::clamp(static_cast<double>(in_play) / std::max(1.0, mean_row), 1.0, static_cast<double>(n)));
  return {(n + size - 1) / size, static_cast<double>(size)};
}

}  // namespace pdbfw
