#include "solvers/column_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/decompositions.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Multipliers of a ball that are tried, and how well the radius is met: what is missed, the projection takes.
constexpr int kMostMultipliers = 40;
constexpr double kMet = 1e-9;

// The model seen from its columns. rho_i = (f_i' + f_i'' (what margin i has moved by)) / n, so that the slope of entry
// j is <a_j, rho> + q_j x_j.
template <class Columns>
class Descent {
 public:
  Descent(const Problem& p, const ColumnModel& model, const Columns& columns, Run& run)
      : p_(p), model_(model), columns_(columns), run_(run), Z_(p.loss->free_columns()) {
    const auto n = static_cast<double>(p.n());
    rho_.resize(model.slope.size());
    weight_.resize(rho_.size());
    for (std::size_t i = 0; i < rho_.size(); ++i) {
      rho_[i] = model.slope[i] / n;
      weight_[i] = model.bend[i] / n;
    }
    const Curvatures q = p.regulariser->curvatures();
    double entries = 0;
    for (const Index j : model.features) {
      const auto line = columns[j];
      q_.push_back(q[j]);
      bend_.push_back(q_.back() + sum_in_lanes(line.size, [&](Index k) {
                        const auto value = static_cast<double>(line.value[k]);
                        return weight_[static_cast<std::size_t>(line.index(k))] * value * value;
                      }));
      entries += static_cast<double>(line.size);
    }
    run.charge(entries);
    step_.x.assign(model.x.begin(), model.x.end());
    step_.free.assign(static_cast<std::size_t>(Z_.count), 0.0);
    free_bend_.resize(Z_.count, Z_.count);
    for (Index c = 0; c < Z_.count; ++c)
      for (Index k = 0; k <= c; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < rho_.size(); ++i) sum += weight_[i] * Z_[c][i] * Z_[k][i];
        free_bend_(c, k) = free_bend_(k, c) = sum;
      }
  }

  ColumnStep minimise() {
    if (model_.hold.price > 0) {
      minimise_at(model_.hold.price);
      step_.multiplier = model_.hold.price;
    } else {
      search_multiplier();
    }
    return std::move(step_);
  }

 private:
  bool may_go_on() { return step_.work < model_.most_work && run_.may_go_on(); }

  void minimise_at(double price) {
    std::vector<std::size_t> all(step_.x.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<std::size_t> some = all, moving;
    bool is_whole = true;
    for (int t = 0; may_go_on(); ++t) {
      moving.clear();
      double largest = cycle(some, price, moving);
      largest = std::max(largest, move_free());
      if (t == 0) first_ = std::max(first_, largest);
      if (!(largest > model_.accuracy * first_)) {
        if (is_whole) return;
        some = all;
        is_whole = true;
      } else if (is_whole) {  // the others are at zero, and most of them stay there
        some = moving;
        is_whole = false;
      }
    }
  }

  // Returns the largest change; `moving` are the entries that are not zero afterwards.
  double cycle(const std::vector<std::size_t>& entries, double price, std::vector<std::size_t>& moving) {
    double largest = 0, touched = 0;
    for (const std::size_t a : entries) {
      const auto line = columns_[model_.features[a]];
      const double slope = dot(line, rho_.data()) + q_[a] * step_.x[a];
      touched += static_cast<double>(line.size);
      const bool has_no_minimum = !(bend_[a] > 0) && wants_to_move(slope, price, model_.hold.is_one_sided);
      if (has_no_minimum) step_.is_bounded = false;
      double next = has_no_minimum ? step_.x[a] : 0;
      if (bend_[a] > 0)
        next = soft_threshold(step_.x[a] - slope / bend_[a], price / bend_[a], model_.hold.is_one_sided);
      if (next != 0) moving.push_back(a);
      const double change = next - step_.x[a];
      if (change == 0) continue;
      step_.x[a] = next;
      for (Index k = 0; k < line.size; ++k) {
        const auto i = static_cast<std::size_t>(line.index(k));
        rho_[i] += change * static_cast<double>(line.value[k]) * weight_[i];
      }
      touched += static_cast<double>(line.size);
      largest = std::max(largest, std::abs(change) * std::sqrt(bend_[a]));
    }
    run_.charge(touched);
    step_.work += touched;
    return largest;
  }

  // The free weights, to their minimiser with all entries fixed.
  double move_free() {
    if (Z_.count == 0) return 0;
    Eigen::MatrixXd slope(Z_.count, 1);
    const auto n = static_cast<Index>(rho_.size());
    for (Index c = 0; c < Z_.count; ++c) slope(c, 0) = dense_dot(Z_[c].data(), rho_.data(), n);
    const Eigen::MatrixXd move = -solve_semidefinite(free_bend_, slope);
    for (Index c = 0; c < Z_.count; ++c) {
      const double change = move(c, 0);
      const std::span<const double> z = Z_[c];
      for (std::size_t i = 0; i < rho_.size(); ++i) rho_[i] += change * weight_[i] * z[i];
      step_.free[static_cast<std::size_t>(c)] += change;
    }
    run_.charge_other(2 * static_cast<double>(n * Z_.count));
    const double fall = -(slope.col(0).dot(move.col(0)));
    return std::sqrt(std::max(0.0, fall));
  }

  // |x|_1 falls with the multiplier: regula falsi, the end that stays counting half (Illinois).
  void search_multiplier() {
    const Hold& hold = model_.hold;
    double low = hold.meets_the_radius ? -kInfinity : 0, high = kInfinity;
    double low_excess = kInfinity, high_excess = -kInfinity;
    double multiplier = std::isnan(model_.multiplier) ? steepest() / 2 : model_.multiplier;
    int side = 0;
    for (int t = 0; t < kMostMultipliers && may_go_on(); ++t) {
      minimise_at(multiplier);
      step_.multiplier = multiplier;
      double norm = 0;
      for (const double x_a : step_.x) norm += std::abs(x_a);
      const double excess = norm - hold.radius;
      if (std::abs(excess) <= kMet * hold.radius) return;
      if (excess < 0 && multiplier == 0 && !hold.meets_the_radius) return;
      if (excess > 0) {
        low = multiplier;
        low_excess = excess;
        if (side == 1) high_excess /= 2;
        side = 1;
      } else {
        high = multiplier;
        high_excess = excess;
        if (side == -1) low_excess /= 2;
        side = -1;
      }
      double next = multiplier;
      if (std::isinf(high))
        next = multiplier > 0 ? 2 * multiplier : steepest();
      else if (std::isinf(low))
        next = multiplier - 2 * std::max(std::abs(multiplier), steepest());
      else if (std::isinf(low_excess))
        next = high / 2 > 1e-12 * steepest() ? high / 2 : 0;
      else
        next = low + (high - low) * low_excess / (low_excess - high_excess);
      if (next == multiplier) return;
      multiplier = next;
    }
  }

  [[nodiscard]] double steepest() const {
    double largest = std::numeric_limits<double>::min();
    for (std::size_t a = 0; a < step_.x.size(); ++a)
      largest = std::max(largest, std::abs(dot(columns_[model_.features[a]], rho_.data()) + q_[a] * step_.x[a]));
    return largest;
  }

  const Problem& p_;
  const ColumnModel& model_;
  const Columns& columns_;
  Run& run_;
  const FreeColumns Z_;
  std::vector<double> rho_, weight_, bend_, q_;
  Eigen::MatrixXd free_bend_;
  double first_ = 0;
  ColumnStep step_;
};

}  // namespace

ColumnStep descend_by_columns(const Problem& p, const ColumnModel& model, Run& run) {
  return std::visit([&](const auto& columns) { return Descent(p, model, columns, run).minimise(); }, p.A->by_column());
}

}  // namespace pdbfw
