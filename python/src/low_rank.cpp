#include "pdbfw/low_rank.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/low_rank_judge.hpp"
#include "exchange.hpp"
#include "pdbfw/joint.hpp"
#include "team.hpp"

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

nb::dict solve_low_rank(const BorrowedMatrix& A, const Table& B, Index outputs, const nb::dict& options,
                        nb::object callback, const std::optional<FactorsGiven>& X, const std::optional<Table>& Y,
                        nb::object members) {
  const Request request = request_of(options);
  low_rank::Start start;
  if (X) start.X = factors_of(*X);
  if (Y) start.Y = as_matrix(*Y);
  const PythonTeamPtr team = team_of(std::move(members));
  low_rank::Result result = over_team(team, [&] {
    const low_rank::Problem problem = problem_of(A, B, outputs, request.formulation, team);
    return Watch(std::move(callback)).run([&](const Callback& between) {
      return low_rank::solve(problem, request.settings, between, start);
    });
  });
  return low_rank_to_dict(result);
}

nb::dict certify_low_rank(const BorrowedMatrix& A, const Table& B, Index outputs, const FactorsGiven& X,
                          const std::optional<Table>& Y, const nb::dict& options) {
  const Request request = request_of(options);
  const low_rank::Problem problem = problem_of(A, B, outputs, request.formulation);
  const Factors point = factors_of(X);
  check_shape("x", point.rows(), point.columns(), problem.d(), problem.c());
  const int threads = request.settings.threads;
  const Matrix given = Y ? as_matrix(*Y) : Matrix();
  if (Y) check_shape("y", given.rows(), given.cols(), problem.n(), problem.k());
  return certificate_to_dict(released([&] {
    return low_rank::certify(problem, point, Y ? given : low_rank::dual_candidate(problem, point, threads), threads);
  }));
}

// The columns of a c x d table of weights.
joint::SparseRows rows_of(const Table& coef) {
  const Matrix X = as_matrix(coef).transpose();
  joint::SparseRows out{X.rows(), {}, {}};
  for (Index j = 0; j < X.rows(); ++j)
    if ((X.row(j).array() != 0).any()) out.at.push_back(j);
  out.value = X(out.at, Eigen::all);
  return out;
}

Matrix table_of(const joint::SparseRows& X) {
  Matrix coef = Matrix::Zero(X.columns(), X.rows);
  for (std::size_t k = 0; k < X.at.size(); ++k) coef.col(X.at[k]) = X.value.row(static_cast<Index>(k)).transpose();
  return coef;
}

nb::dict solve_joint(const BorrowedMatrix& A, const Integers& place, Index classes, const nb::dict& options,
                     const std::optional<Numbers>& sample_weight, nb::object callback, const std::optional<Table>& coef,
                     const std::optional<Table>& Y) {
  Request request = request_of(options);
  if (sample_weight) request.formulation.sample_weight = as_vector(*sample_weight);
  Classes known{{place.data(), place.data() + place.size()}, {}};
  for (Index k = 0; k < classes; ++k) known.original.push_back(static_cast<double>(k));
  const joint::Problem problem = joint::make_problem(A.A, known, request.formulation);
  joint::Start start;
  if (coef) start.X = rows_of(*coef);
  if (Y) start.Y = as_matrix(*Y);
  joint::Result result = Watch(std::move(callback)).run([&](const Callback& between) {
    return joint::solve(problem, request.settings, between, start);
  });
  nb::dict d = outcome_to_dict(result);
  d["coef"] = to_table(table_of(result.X));
  d["intercepts"] = to_table(std::move(result.intercepts));
  d["y"] = to_table(std::move(result.Y));
  return d;
}

}  // namespace

void bind_low_rank(nb::module_& module) {
  module.def("solve_low_rank", &solve_low_rank, "A"_a, "B"_a, "outputs"_a, "options"_a, nb::kw_only(),
             "callback"_a = nb::none(), "X"_a = nb::none(), "Y"_a = nb::none(), "team"_a = nb::none());
  module.def("certify_low_rank", &certify_low_rank, "A"_a, "B"_a, "outputs"_a, "X"_a, "Y"_a.none(), "options"_a);
  module.def("solve_joint", &solve_joint, "A"_a, "place"_a, "classes"_a, "options"_a, nb::kw_only(),
             "sample_weight"_a = nb::none(), "callback"_a = nb::none(), "coef"_a = nb::none(), "Y"_a = nb::none());
}

}  // namespace pdbfw::python
