// What the solve() of every family does the same way.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/factors.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/row_loss.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// The table of a family's solvers is a list of pointers to its rows.
template <class Solvers>
std::vector<SolverDescription> descriptions_of(const Solvers& solvers) {
  std::vector<SolverDescription> out;
  for (const auto* solver : solvers) out.push_back(solver->about);
  return out;
}

// Throws InputError unless `can` says so of the chosen solver; the message lists those that can.
template <class Solvers>
void require_able(const Solvers& solvers, const SolverDescription& chosen, bool SolverDescription::*can,
                  std::string_view what) {
  if (chosen.*can) return;
  std::vector<std::string_view> able;
  for (const auto* other : solvers)
    if (other->about.*can) able.push_back(other->name());
  throw InputError("solver", chosen.name, fmt::format("one {}: {}", what, fmt::join(able, ", ")));
}

// Everything after this assumes that the objective is a number where solvers begin. Throws InputError.
void require_finite_objective(double objective, std::string_view where, std::string_view scale_down);

// A start's dual point, taken into the domain of the conjugate; empty stays empty. Throws InputError for another shape
// than one row a sample and `outputs` columns, and for what is not finite.
[[nodiscard]] Matrix taken_into_domain(const RowLoss& loss, Index outputs, Matrix Y);
// Throws InputError unless a start's X, rows x columns, is d x c and finite.
void check_start(Index rows, Index columns, bool is_finite, Index d, Index c);

// The team was lost before the first iteration: nothing is known.
[[nodiscard]] Outcome lost_at_once(const Settings& settings, const std::string& why);

}  // namespace pdbfw
