#include "solvers/sweeps/state.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "linalg/kernels.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {
namespace {

// Up to this number of rows Newton's method on the dual [M17] helps the sweeps, while its steps are cheap.
constexpr Index kFewRows = 2'000;
// The curvature of the intercept's proximal term, as a share of the loss's own curvature, for each member.
constexpr double kInterceptCurvature = 0.025;

}  // namespace

SweepState::SweepState(const Problem& problem, const Settings& settings, const Start& start)
    : p(problem),
      tol(settings.tol),
      threads(settings.threads),
      n(static_cast<double>(p.samples())),
      members(p.team ? p.team->size() : 1),
      is_alone(!p.team && !p.A->is_streamed() && !p.loss->has_free_columns()),
      has_few_rows(is_alone && p.n() <= kFewRows),
      is_warm(sum_over(p.team, start.y.empty() ? 0 : 1) == static_cast<double>(members)),
      rows(*p.A, settings.threads),
      y(start.y.empty() ? std::vector<double>(p.loss->size()) : start.y),
      w(p.loss->size()),
      centre(is_warm ? start.x : std::vector<double>()) {
  zone.multiplier = start.multiplier;
  set_proximity(0);
}

std::vector<double> SweepState::full_x() const {
  std::vector<double> in_play(now.u.size()), out(static_cast<std::size_t>(p.d()));
  for (std::size_t a = 0; a < in_play.size(); ++a) in_play[a] = x(a);
  if (!in_play.empty()) set().project(in_play);
  for (std::size_t a = 0; a < in_play.size(); ++a) out[static_cast<std::size_t>(feature(a))] = in_play[a];
  return out;
}

void SweepState::look() { look(sum_over(p.team, loss.total_conjugate(y)) / n); }

void SweepState::look(double mean_conjugate_at_y) {
  const Curvatures curvatures = q_in_play();
  g = 0;
  nonzeros = 0;
  double norm = 0;
  for (std::size_t a = 0; a < now.u.size(); ++a) {
    const double outside = zone.outside(now.u[a]);
    if (outside == 0) continue;
    const double x_a = outside / curvatures[static_cast<Index>(a)];
    g += 0.5 * outside * x_a;
    norm += std::abs(x_a);
    ++nonzeros;
  }
  paid = price_ * norm;
  mean_conjugate = mean_conjugate_at_y;
  dual = -g - zone.multiplier * set().radius() - part_of_intercept(now.bias) - mean_conjugate;
}

double SweepState::part_of_intercept(double bias) const {
  if (!has_intercept()) return 0;
  return 0.5 * (bias * bias * intercept.inverse_q - intercept.centre * intercept.centre / intercept.inverse_q);
}

double SweepState::excess_of_intercept() const {
  return has_intercept() ? 0.5 * std::pow(free_weight() - intercept.centre, 2) / intercept.inverse_q : 0;
}

// A small curvature lets the intercept move fast. But what one member does to it the others do not know, and the
// smaller it is the less a member dares to do.
void SweepState::begin_intercept() {
  intercept.inverse_q = 1 / (kInterceptCurvature * static_cast<double>(members) * loss.smoothness());
  intercept.centre = p.loss->free_weights(std::vector<double>(y.size(), 0.0))[0];
  now.bias = intercept.centre / intercept.inverse_q - sum_over(p.team, std::accumulate(y.begin(), y.end(), 0.0)) / n;
}

void SweepState::move_centre_of_intercept() {
  if (!has_intercept()) return;
  const double next = free_weight();
  now.bias += (next - intercept.centre) / intercept.inverse_q;
  intercept.centre = next;
  look(mean_conjugate);
}

void SweepState::choose(std::vector<Index> features, std::span<const double> u, bool as_float) {
  rows.choose(std::move(features), as_float);
  now.u.clear();
  for (const Index j : rows.features()) now.u.push_back(u[static_cast<std::size_t>(j)]);
  rows_have_changed();
}

void SweepState::shrink(std::span<const Index> positions) {
  rows.shrink(positions);
  for (std::size_t a = 0; a < positions.size(); ++a) now.u[a] = now.u[static_cast<std::size_t>(positions[a])];
  now.u.resize(positions.size());
  rows_have_changed();
}

void SweepState::set_proximity(double next) {
  proximity = next;
  const Curvatures own = own_q();
  proximal_q_.assign(own.each.begin(), own.each.end());
  for (double& q_j : proximal_q_) q_j += proximity;
  q = {own.uniform + proximity, proximal_q_};
  if (proximity > 0) centre.resize(static_cast<std::size_t>(p.d()));
}

void SweepState::set_proximity(double next, std::vector<double> next_centre) {
  for (std::size_t a = 0; a < now.u.size(); ++a) {
    const auto j = static_cast<std::size_t>(feature(a));
    now.u[a] += next * next_centre[j] - proximity * centre[j];
  }
  centre = std::move(next_centre);
  set_proximity(next);
  rows_have_changed();
}

void SweepState::rows_have_changed() {
  packed_q_.clear();
  inverse_q_.clear();
  if (!q.is_uniform())
    for (const Index j : rows.features()) {
      packed_q_.push_back(q[j]);
      inverse_q_.push_back(1 / q[j]);
    }
  ++edition;
  refresh_zone();
  look();
}

void SweepState::verify_products(Run& run) {
  const double t = free_weight();
  run.charge(static_cast<double>(rows.cost()));
  with_curvatures([&](const auto& x_of) {
    rows.visit([&](Index first, Index count, const auto& lines) {
      for_rows_in_shards(
          count, [&](Index r) { w[static_cast<std::size_t>(first + r)] = x_of.dot(lines[r], now.u.data(), zone) + t; });
    });
  });
}

void SweepState::refresh_products(Run& run) {
  run.charge(static_cast<double>(rows.cost()), 1);
  std::vector<double> sums(now.u.size() + 1, 0.0);
  rows.visit([&](Index first, Index count, const auto& lines) {
    for (Index r = 0; r < count; ++r) add_scaled(lines[r], -y[static_cast<std::size_t>(first + r)] / n, sums.data());
  });
  sums.back() = -std::accumulate(y.begin(), y.end(), 0.0) / n;
  if (p.team) p.team->sum(sums);
  for (std::size_t a = 0; a < now.u.size(); ++a)
    now.u[a] = sums[a] + (proximity > 0 ? proximity * centre[static_cast<std::size_t>(feature(a))] : 0);
  if (has_intercept()) now.bias = sums.back() + intercept.centre / intercept.inverse_q;
  refresh_zone();
}

std::vector<double> SweepState::full_u(Run& run) const {
  std::vector<double> u(static_cast<std::size_t>(p.d()));
  multiply_transposed(*p.A, y, u, threads);
  if (p.team) p.team->sum(u);
  for (double& u_j : u) u_j /= -n;
  run.charge(static_cast<double>(p.A->nonzeros()), 1);
  return u;
}

void SweepState::return_to(const Place& place) {
  y = place.y;
  now = place.now;
  zone = place.zone;
  look();
}

}  // namespace pdbfw
