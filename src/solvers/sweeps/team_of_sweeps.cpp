// The team's part of a sweep: when its members meet, and how far they go together.                              [M49]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/team.hpp"
#include "solvers/sweeps/sweep.hpp"

namespace pdbfw {
namespace {

// Members meet so often in a sweep that an exchange is little beside the products in between: each number of it as good
// as kNumberCost multiply-adds, and the exchange itself as good as kExchangeCost more.
constexpr double kNumberCost = 16;
constexpr double kExchangeCost = 30'000;
constexpr double kMostParts = 8;
// The scale of the own changes grows by this factor when the sum of all was too long, and falls when it was too short;
// this is checked once per kSweepsBetweenLooks sweeps.
constexpr double kScaleFactor = 1.5;
constexpr Index kSweepsBetweenLooks = 3;
constexpr std::array<double, 6> kShorter{0.75, 0.5, 0.25, 0.125, 0.0625, 0.03125};
constexpr std::array<double, 2> kNearby{0.75, 1.3};
// A position and a number.
constexpr std::size_t kBytesOfPair = sizeof(std::uint32_t) + sizeof(double);

std::vector<std::byte> pairs_of(const std::vector<double>& v) {
  std::vector<std::byte> pairs;
  const auto append = [&](const auto& item) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&item);
    pairs.insert(pairs.end(), bytes, bytes + sizeof(item));
  };
  for (std::size_t a = 0; a < v.size(); ++a)
    if (v[a] != 0) append(static_cast<std::uint32_t>(a)), append(v[a]);
  return pairs;
}

void add_pairs(const std::vector<std::byte>& pairs, std::vector<double>& v) {
  for (std::size_t at = 0; at < pairs.size(); at += kBytesOfPair) {
    std::uint32_t a = 0;
    double value = 0;
    std::memcpy(&a, pairs.data() + at, sizeof(a));
    std::memcpy(&value, pairs.data() + at + sizeof(a), sizeof(value));
    v[a] += value;
  }
}

}  // namespace

// How often the members meet in a sweep; all of them get the same number.
Index Sweep::parts() const {
  if (s_.members == 1) return 1;
  const double products = 2 * s_.rows.entries_of_all() / static_cast<double>(s_.members);
  const double exchange = kNumberCost * static_cast<double>(s_.rows.width()) + kExchangeCost;
  return static_cast<Index>(std::clamp(products / exchange, 1.0, kMostParts));
}

// v <- the sum over all members: number by number, or, where that is fewer bytes, only those that are not zero.
void Sweep::add_up(std::vector<double>& v) {
  Team& team = *s_.p.team;
  const auto zeros = std::count(v.begin(), v.end(), 0.0);
  v.push_back(static_cast<double>(v.size()) - static_cast<double>(zeros));
  // Every member receives what all others send; a sum sends and receives each number about twice. All were told by the
  // last exchange how many numbers were not zero, so that all decide alike.
  if (kBytesOfPair * nonzeros_sent_ >= 2.0 * sizeof(double) * static_cast<double>(v.size())) {
    team.sum(v);
  } else {
    const std::vector<std::vector<std::byte>> all = team.gather(pairs_of(v));
    std::fill(v.begin(), v.end(), 0.0);
    for (const std::vector<std::byte>& pairs : all) add_pairs(pairs, v);
  }
  nonzeros_sent_ = v.back();
  v.pop_back();
}

// One exchange: the point of all moves by the sum of what the members have done since they last met, and they go on
// from there. Sums that the next decisions need go with it.
std::array<double, 2> Sweep::meet(std::array<double, 2> sums) {
  if (s_.members == 1) return sums;
  const std::size_t width = s_.now.u.size();
  std::vector<double> change(width);
  for (std::size_t a = 0; a < width; ++a) change[a] = (s_.now.u[a] - meeting_.u[a]) / scale_;
  change.insert(change.end(), {sums[0], sums[1], (s_.now.bias - meeting_.bias) / scale_});
  add_up(change);
  for (std::size_t a = 0; a < width; ++a) meeting_.u[a] += change[a];
  meeting_.bias += change[width + 2];
  s_.now = meeting_;
  s_.refresh_zone();
  return {change[width], change[width + 1]};
}

// Members that move at once move carefully, and many careful steps point the same way: a sweep begins beyond the last
// one, at y + b (the last change of y), as in Nesterov's method, once D rises slowly. Where that leaves the domain of
// a conjugate the row comes back when it is visited. When D does not rise by the whole change, the next sweep begins
// at y again.
void Sweep::go_beyond() {
  is_beyond_ = sweeps_forward_ > 0;
  if (!is_beyond_) return;
  const double share = static_cast<double>(sweeps_forward_) / (static_cast<double>(sweeps_forward_) + 3);
  for (std::size_t i = 0; i < s_.y.size(); ++i) s_.y[i] += share * last_.y[i];
  for (std::size_t a = 0; a < s_.now.u.size(); ++a) s_.now.u[a] += share * last_.now.u[a];
  s_.now.bias += share * last_.now.bias;
  s_.refresh_zone();
}

// D after a share t of the last step, where the mean of the conjugates is known. The products and the zone move there.
double Sweep::dual_after(double t, double mean_conjugate) {
  for (std::size_t a = 0; a < s_.now.u.size(); ++a) s_.now.u[a] = before_.now.u[a] + t * last_.now.u[a];
  s_.now.bias = before_.now.bias + t * last_.now.bias;
  s_.refresh_zone();
  s_.look(mean_conjugate);
  return s_.dual;
}

// The whole step, if D rises with it; else the best shorter one.
void Sweep::take_step() {
  // The whole step as it is: y + (next - y) may be rounded out of the domain of a conjugate.
  std::vector<double> whole_y = std::move(s_.y);
  const auto y_after = [&](double t) {
    std::vector<double> y(whole_y.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = before_.y[i] + t * last_.y[i];
    return y;
  };
  last_.y.resize(whole_y.size());
  for (std::size_t i = 0; i < whole_y.size(); ++i) last_.y[i] = whole_y[i] - before_.y[i];
  last_.now.u.resize(s_.now.u.size());
  for (std::size_t a = 0; a < s_.now.u.size(); ++a) last_.now.u[a] = s_.now.u[a] - before_.now.u[a];
  last_.now.bias = s_.now.bias - before_.now.bias;

  struct Trial {
    double t, dual, mean_conjugate;
  } best{1, s_.dual, s_.mean_conjugate};
  const auto try_others = [&](std::span<const double> shares) {
    std::vector<double> sums;
    for (const double t : shares) sums.push_back(s_.loss.total_conjugate(y_after(t)));
    s_.p.team->sum(sums);
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double mean = sums[k] / s_.n, dual = dual_after(shares[k], mean);
      if (dual > best.dual) best = {shares[k], dual, mean};
    }
  };
  if (!(s_.dual >= least_dual()))
    try_others(kShorter);
  else if (count_ % kSweepsBetweenLooks == 0)
    try_others(kNearby);
  const bool is_taken = best.dual >= least_dual();
  if (!is_taken) best = {0, before_.dual, 0};
  // With momentum it was that which went too far.
  const double last_scale = scale_;
  if (best.t < 1 && !is_beyond_) scale_ = std::min(static_cast<double>(s_.members), scale_ * kScaleFactor);
  if (best.t > 1) scale_ = std::max(1.0, scale_ / kScaleFactor);
  if (scale_ != last_scale)
    for (std::size_t i = 0; i < step_.size(); ++i) choose_step(i);
  const bool is_settled = best.dual - before_.dual <= kWellSettled * std::abs(best.dual);
  sweeps_forward_ = best.t >= 1 && is_settled ? sweeps_forward_ + 1 : 0;
  if (!is_taken) return s_.return_to(before_);
  s_.y = best.t == 1 ? std::move(whole_y) : y_after(best.t);
  if (s_.dual != best.dual) dual_after(best.t, best.mean_conjugate);
}

}  // namespace pdbfw
