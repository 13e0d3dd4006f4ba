#include "pdbfw/joint.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "matrix.hpp"
#include "outcome.hpp"
#include "problem.hpp"
#include "watch.hpp"

namespace pdbfw::python {
namespace {

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

}  // namespace

void bind_joint(nb::module_& module) {
  module.def(
      "solve_joint",
      [](const BorrowedMatrix& A, const Integers& place, Index classes, const nb::dict& options,
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
        Watch watch(std::move(callback));
        joint::Result result =
            watch.run([&](const Callback& between) { return joint::solve(problem, request.settings, between, start); });
        nb::dict d = outcome_to_dict(result);
        d["coef"] = to_table(table_of(result.X));
        d["intercepts"] = to_table(std::move(result.intercepts));
        d["y"] = to_table(std::move(result.Y));
        return d;
      },
      "A"_a, "place"_a, "classes"_a, "options"_a, nb::kw_only(), "sample_weight"_a = nb::none(),
      "callback"_a = nb::none(), "coef"_a = nb::none(), "Y"_a = nb::none());
}

}  // namespace pdbfw::python
