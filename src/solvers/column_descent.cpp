#include "solvers/column_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "linalg/decompositions.hpp"
#include "linalg/kernels.hpp"
#include "solvers/bracket.hpp"

namespace pdbfw {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Multipliers of a ball that are tried, and how well the radius is met at the best.
constexpr int kMostMultipliers = 40;
constexpr double kMet = 1e-10;
// The first step away from a multiplier that is too small, as a share of the largest slope.
constexpr double kFirstStep = 1e-3;
// Changes of the entries that an extrapolation is made from.
constexpr std::size_t kChanges = 5;

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
    step_.stiffness = model.stiffness;
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
      const bool is_found = search_multiplier();
      meet_radius();
      if (!is_found) step_.multiplier = std::numeric_limits<double>::quiet_NaN();
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
    int extrapolations = 0;
    path_.clear();
    for (int t = 0; may_go_on(); ++t) {
      moving.clear();
      double largest = cycle(some, price, moving);
      largest = std::max(largest, move_free());
      if (t == 0) first_ = std::max(first_, largest);
      if (!(largest > model_.accuracy * first_)) {
        if (is_whole) return;
        some = all;
        is_whole = true;
        path_.clear();
      } else if (is_whole) {  // the others are at zero, and most of them stay there
        some = moving;
        is_whole = false;
        path_.clear();
      }
      if (!is_whole && extrapolate(price) && ++extrapolations >= model_.most_extrapolations) return;
    }
  }

  struct Place {
    std::vector<double> x, free, rho;
  };

  // Cycles that leave the signs as they are repeat one linear map, so the last points tell where they lead
  // (Anderson 1965). We go there if the model falls. Returns false while there are too few of them.
  bool extrapolate(double price) {
    path_.push_back({step_.x, step_.free, rho_});
    if (path_.size() <= kChanges) return false;
    const Place ahead = mean_of_least_change();
    const auto is_negative = [](double x) { return x < 0; };
    const bool is_outside = model_.hold.is_one_sided && std::any_of(ahead.x.begin(), ahead.x.end(), is_negative);
    if (!is_outside && rise(ahead, price) < 0) {
      step_.x = ahead.x;
      step_.free = ahead.free;
      rho_ = ahead.rho;
    }
    run_.charge_other(kChanges * kChanges / 2.0 * static_cast<double>(step_.x.size()) +
                      2.0 * kChanges * static_cast<double>(rho_.size()));
    path_.clear();
    return true;
  }

  // The mean of the last points whose weights, of sum 1, make the same mean of their changes the least.
  [[nodiscard]] Place mean_of_least_change() const {
    Eigen::MatrixXd products(kChanges, kChanges);
    for (std::size_t k = 0; k < kChanges; ++k)
      for (std::size_t l = 0; l <= k; ++l) {
        double sum = 0;
        for (std::size_t a = 0; a < bend_.size(); ++a)
          sum += bend_[a] * (path_[k + 1].x[a] - path_[k].x[a]) * (path_[l + 1].x[a] - path_[l].x[a]);
        products(static_cast<Index>(k), static_cast<Index>(l)) = sum;
        products(static_cast<Index>(l), static_cast<Index>(k)) = sum;
      }
    Eigen::VectorXd weight = solve_semidefinite(products, Eigen::MatrixXd::Ones(kChanges, 1)).col(0);
    if (!(weight.sum() > 0)) return path_.back();
    weight /= weight.sum();
    Place mean{std::vector<double>(step_.x.size()), std::vector<double>(step_.free.size()),
               std::vector<double>(rho_.size())};
    const auto add = [](std::vector<double>& to, double share, const std::vector<double>& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += share * from[i];
    };
    for (std::size_t k = 0; k < kChanges; ++k) {
      add(mean.x, weight[static_cast<Index>(k)], path_[k + 1].x);
      add(mean.free, weight[static_cast<Index>(k)], path_[k + 1].free);
      add(mean.rho, weight[static_cast<Index>(k)], path_[k + 1].rho);
    }
    return mean;
  }

  // By how much the model is larger there than here.
  [[nodiscard]] double rise(const Place& there, double price) const {
    double sum = 0;
    for (std::size_t a = 0; a < q_.size(); ++a) {
      const double from = step_.x[a], to = there.x[a], slope = model_.gradient[a] - q_[a] * model_.x[a];
      sum += (to - from) * (slope + 0.5 * q_[a] * (to + from)) + price * (std::abs(to) - std::abs(from));
    }
    for (std::size_t c = 0; c < there.free.size(); ++c)
      sum += (there.free[c] - step_.free[c]) * model_.free_gradient[c];
    for (std::size_t i = 0; i < rho_.size(); ++i) {
      if (weight_[i] == 0) continue;
      const double mean = 0.5 * (there.rho[i] + rho_[i]) - model_.slope[i] / static_cast<double>(rho_.size());
      sum += (there.rho[i] - rho_[i]) * mean / weight_[i];
    }
    return sum;
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

  // |x|_1 falls with the multiplier: the secant's method inside a bracket. A radius need not be met better than the
  // models before were solved, for what is missed is taken off afterwards.
  bool search_multiplier() {
    const Hold& hold = model_.hold;
    step_.multiplier = std::isnan(model_.multiplier) ? steepest() / 2 : model_.multiplier;
    Bracket bracket(!hold.meets_the_radius, kFirstStep * steepest());
    double last = step_.multiplier, last_excess = std::numeric_limits<double>::quiet_NaN();
    for (int t = 0; t < kMostMultipliers && may_go_on(); ++t) {
      minimise_at(step_.multiplier);
      double norm = 0, way = 0, spread = 0;
      for (std::size_t a = 0; a < step_.x.size(); ++a) {
        norm += std::abs(step_.x[a]);
        way += std::abs(step_.x[a] - model_.x[a]);
        if (step_.x[a] != 0) spread += 1 / bend_[a];  // as if the columns did not know of each other
      }
      const double excess = norm - hold.radius, secant = (last_excess - excess) / (step_.multiplier - last);
      if (std::abs(excess) <= std::max(kMet * hold.radius, model_.accuracy * way)) return true;
      if (excess < 0 && step_.multiplier == 0 && !hold.meets_the_radius) return true;
      const double next =
          bracket.next(step_.multiplier, excess, excess / (secant > 0 ? secant : step_.stiffness * spread));
      if (secant > 0 && spread > 0) step_.stiffness = secant / spread;
      if (next == step_.multiplier) return true;
      last = std::exchange(step_.multiplier, next);
      last_excess = excess;
    }
    return false;
  }

  // What the multiplier missed: a little more or less of it, as if the columns did not know of each other.
  void meet_radius() {
    if (step_.multiplier == 0 && !model_.hold.meets_the_radius) return;  // the ball holds nothing back
    double more = -kInfinity, before = 0;
    do {  // entries that come to zero leave the sums
      double norm = 0, spread = 0;
      for (std::size_t a = 0; a < step_.x.size(); ++a) {
        if (step_.x[a] == 0 || !(std::abs(step_.x[a]) * bend_[a] > more)) continue;
        norm += std::abs(step_.x[a]);
        spread += 1 / bend_[a];
      }
      if (spread == 0) return;
      before = std::exchange(more, std::max(more, (norm - model_.hold.radius) / spread));
    } while (more > before);
    for (std::size_t a = 0; a < step_.x.size(); ++a)
      if (step_.x[a] != 0 && bend_[a] > 0)
        step_.x[a] = std::copysign(std::max(0.0, std::abs(step_.x[a]) - more / bend_[a]), step_.x[a]);
  }

  [[nodiscard]] double steepest() const {
    double largest = std::numeric_limits<double>::min();
    for (const double g : model_.gradient) largest = std::max(largest, std::abs(g));
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
  std::vector<Place> path_;
  ColumnStep step_;
};

}  // namespace

ColumnStep descend_by_columns(const Problem& p, const ColumnModel& model, Run& run) {
  return std::visit([&](const auto& columns) { return Descent(p, model, columns, run).minimise(); }, p.A->by_column());
}

}  // namespace pdbfw
