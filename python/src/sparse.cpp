#include "sparse.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"
#include "matrix.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "pdbfw/certificate.hpp"
#include "pdbfw/penalty.hpp"
#include "pdbfw/solve.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace pdbfw::python {
namespace {

// What defines a problem besides options that are numbers and names.
struct Extras {
  std::optional<Numbers> sample_weight;
  std::optional<Numbers> ridge_scale;
  const BorrowedMatrix* atoms;
};

Problem problem_of(const BorrowedMatrix& A, const Numbers& b, Formulation formulation, const Extras& extras) {
  if (extras.sample_weight) formulation.sample_weight = as_vector(*extras.sample_weight);
  if (extras.ridge_scale) formulation.ridge_scale = as_vector(*extras.ridge_scale);
  if (extras.atoms != nullptr) formulation.atoms = extras.atoms->A;
  return make_problem(A.A, as_vector(b), formulation);
}

nb::dict to_dict(Result result) {
  nb::dict d = outcome_to_dict(result);
  d["x"] = to_array(std::move(result.x));
  d["y"] = to_array(std::move(result.y));
  d["intercept"] = result.intercept;
  return d;
}

Start start_of(const std::optional<Numbers>& x, const std::optional<Numbers>& y, double multiplier) {
  Start start;
  if (x) start.x = as_vector(*x);
  if (y) start.y = as_vector(*y);
  start.multiplier = multiplier;
  return start;
}

}  // namespace

void bind_sparse(nb::module_& module) {
  using OptionalNumbers = std::optional<Numbers>;

  module.def(
      "solve",
      [](const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const OptionalNumbers& sample_weight,
         const OptionalNumbers& ridge_scale, const BorrowedMatrix* atoms, nb::object callback, const OptionalNumbers& x,
         const OptionalNumbers& y, double multiplier) {
        const Request request = request_of(options);
        const Problem problem = problem_of(A, b, request.formulation, {sample_weight, ridge_scale, atoms});
        const Start start = start_of(x, y, multiplier);
        Watch watch(std::move(callback));
        return to_dict(
            watch.run([&](const Callback& between) { return solve(problem, request.settings, between, start); }));
      },
      nb::arg("A"), nb::arg("b"), nb::arg("options"), nb::kw_only(), nb::arg("sample_weight") = nb::none(),
      nb::arg("ridge_scale") = nb::none(), nb::arg("atoms") = nb::none(), nb::arg("callback") = nb::none(),
      nb::arg("x") = nb::none(), nb::arg("y") = nb::none(), nb::arg("multiplier") = 0.0);

  module.def(
      "solve_path",
      [](const BorrowedMatrix& A, const Numbers& b, const Numbers& radii, const nb::dict& options,
         const OptionalNumbers& sample_weight, const OptionalNumbers& ridge_scale, nb::object callback) {
        const Request request = request_of(options);
        const Problem problem = problem_of(A, b, request.formulation, {sample_weight, ridge_scale, nullptr});
        Watch watch(std::move(callback));
        std::vector<PathPoint> path = watch.run(
            [&](const Callback& between) { return solve_path(problem, as_vector(radii), request.settings, between); });
        nb::list points;
        for (PathPoint& point : path) points.append(nb::make_tuple(point.radius, to_dict(std::move(point.result))));
        return points;
      },
      nb::arg("A"), nb::arg("b"), nb::arg("radii"), nb::arg("options"), nb::kw_only(),
      nb::arg("sample_weight") = nb::none(), nb::arg("ridge_scale") = nb::none(), nb::arg("callback") = nb::none());

  module.def(
      "solve_penalised",
      [](const BorrowedMatrix& A, const Numbers& b, double alpha, const nb::dict& options,
         const OptionalNumbers& sample_weight, const OptionalNumbers& ridge_scale, nb::object callback) {
        const Request request = request_of(options);
        const Problem problem = problem_of(A, b, request.formulation, {sample_weight, ridge_scale, nullptr});
        Watch watch(std::move(callback));
        Penalised found = watch.run(
            [&](const Callback& between) { return solve_penalised(problem, alpha, request.settings, between); });
        return nb::make_tuple(found.radius, to_dict(std::move(found.result)), certificate_to_dict(found.certificate));
      },
      nb::arg("A"), nb::arg("b"), nb::arg("alpha"), nb::arg("options"), nb::kw_only(),
      nb::arg("sample_weight") = nb::none(), nb::arg("ridge_scale") = nb::none(), nb::arg("callback") = nb::none());

  module.def(
      "certify",
      [](const BorrowedMatrix& A, const Numbers& b, const Numbers& x, const OptionalNumbers& y, const nb::dict& options,
         const OptionalNumbers& sample_weight, const OptionalNumbers& ridge_scale, const BorrowedMatrix* atoms) {
        const Request request = request_of(options);
        const Problem problem = problem_of(A, b, request.formulation, {sample_weight, ridge_scale, atoms});
        const auto point = as_span("x", x, problem.d());
        const auto proof = y ? as_span("y", *y, problem.n()) : std::span<const double>();
        const Certificate found = [&] {
          const nb::gil_scoped_release released;
          const int threads = request.settings.threads;
          return proof.empty() ? certify(problem, point, dual_candidate(problem, point, threads), threads)
                               : certify(problem, point, proof, threads);
        }();
        return certificate_to_dict(found);
      },
      nb::arg("A"), nb::arg("b"), nb::arg("x"), nb::arg("y").none(), nb::arg("options"), nb::kw_only(),
      nb::arg("sample_weight") = nb::none(), nb::arg("ridge_scale") = nb::none(), nb::arg("atoms") = nb::none());
}

}  // namespace pdbfw::python
