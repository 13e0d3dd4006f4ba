#include "solvers/sweeps/first_guess_by_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/team.hpp"
#include "core/dual_value.hpp"
#include "linalg/kernels.hpp"
#include "solvers/sweeps/constants.hpp"

namespace pdbfw {
namespace {

constexpr std::size_t kSteps = 12;

}  // namespace

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
