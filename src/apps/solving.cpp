#include "apps/solving.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/run.hpp"

namespace pdbfw {
namespace {

void check_point(std::string_view name, Index rows, Index columns, bool is_finite, Index wanted_rows,
                 Index wanted_columns) {
  if (rows != wanted_rows || columns != wanted_columns)
    throw InputError(name, fmt::format("{} x {}", rows, columns),
                     fmt::format("{} x {}, or nothing", wanted_rows, wanted_columns));
  if (!is_finite) throw InputError(name, "not all are finite", "finite numbers");
}

}  // namespace

void require_finite_objective(double objective, std::string_view where, std::string_view scale_down) {
  if (!std::isfinite(objective))
    throw InputError("objective", fmt::format("{} at {}", objective, where),
                     fmt::format("a finite number; scale {} down", scale_down));
}

void check_start(Index rows, Index columns, bool is_finite, Index d, Index c) {
  check_point("start.X", rows, columns, is_finite, d, c);
}

Matrix taken_into_domain(const RowLoss& loss, Index outputs, Matrix Y) {
  if (Y.rows() == 0) return Y;
  const Index n = loss.targets().rows();
  check_point("start.Y", Y.rows(), Y.cols(), Y.allFinite(), n, outputs);
  Matrix inside;
  loss.dual_proxes(Matrix::Zero(n, outputs), Y, 0, inside);
  return inside;
}

Outcome lost_at_once(const Settings& settings, const std::string& why) {
  Run run(settings, {}, 1);
  run.lose_team(why);
  return std::move(run).conclude(0);
}

}  // namespace pdbfw
