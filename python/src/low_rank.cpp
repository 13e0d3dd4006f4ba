#include "pdbfw/low_rank.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/low_rank_judge.hpp"
#include "matrix.hpp"
#include "outcome.hpp"
#include "problem.hpp"
#include "team.hpp"
#include "watch.hpp"

namespace pdbfw::python {
namespace {

using FactorsGiven = std::tuple<Table, Numbers, Table>;  // U, s, V

Factors factors_of(const FactorsGiven& given) {
  const auto& [U, s, V] = given;
  if (U.shape(1) != s.size() || V.shape(1) != s.size())
    throw InputError("factors", std::to_string(U.shape(1)) + " and " + std::to_string(V.shape(1)) + " columns",
                     "as many as singular values, " + std::to_string(s.size()));
  return {as_matrix(U), Eigen::Map<const Vector>(s.data(), static_cast<Index>(s.size())), as_matrix(V)};
}

low_rank::Problem problem_of(const BorrowedMatrix& A, const Table& B, Index outputs, const Formulation& f,
                             TeamPtr team = {}) {
  return low_rank::make_problem(rows_map(A.A, outputs), as_matrix(B), f, std::move(team));
}

}  // namespace

void bind_low_rank(nb::module_& module) {
  module.def(
      "solve_low_rank",
      [](const BorrowedMatrix& A, const Table& B, Index outputs, const nb::dict& options, nb::object callback,
         const std::optional<FactorsGiven>& X, const std::optional<Table>& Y, nb::object members) {
        const Request request = request_of(options);
        low_rank::Start start;
        if (X) start.X = factors_of(*X);
        if (Y) start.Y = as_matrix(*Y);
        const PythonTeamPtr team = team_of(std::move(members));
        Watch watch(std::move(callback));
        low_rank::Result result = over_team(team, [&] {
          const low_rank::Problem problem = problem_of(A, B, outputs, request.formulation, team);
          return watch.run(
              [&](const Callback& between) { return low_rank::solve(problem, request.settings, between, start); });
        });
        return low_rank_to_dict(result);
      },
      "A"_a, "B"_a, "outputs"_a, "options"_a, nb::kw_only(), "callback"_a = nb::none(), "X"_a = nb::none(),
      "Y"_a = nb::none(), "team"_a = nb::none());

  module.def(
      "certify_low_rank",
      [](const BorrowedMatrix& A, const Table& B, Index outputs, const FactorsGiven& X, const std::optional<Table>& Y,
         const nb::dict& options) {
        const Request request = request_of(options);
        const low_rank::Problem problem = problem_of(A, B, outputs, request.formulation);
        const Factors point = factors_of(X);
        if (point.rows() != problem.d() || point.columns() != problem.c())
          throw InputError("x", std::to_string(point.rows()) + " x " + std::to_string(point.columns()),
                           std::to_string(problem.d()) + " x " + std::to_string(problem.c()));
        if (Y && (static_cast<Index>(Y->shape(0)) != problem.n() || static_cast<Index>(Y->shape(1)) != problem.k()))
          throw InputError("y", std::to_string(Y->shape(0)) + " x " + std::to_string(Y->shape(1)),
                           std::to_string(problem.n()) + " x " + std::to_string(problem.k()));
        const int threads = request.settings.threads;
        const Matrix given = Y ? as_matrix(*Y) : Matrix();
        return certificate_to_dict(released([&] {
          return low_rank::certify(problem, point, Y ? given : low_rank::dual_candidate(problem, point, threads),
                                   threads);
        }));
      },
      "A"_a, "B"_a, "outputs"_a, "X"_a, "Y"_a.none(), "options"_a);
}

}  // namespace pdbfw::python
