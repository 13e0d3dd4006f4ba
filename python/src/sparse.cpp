#include "sparse.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "apps/registry.hpp"
#include "arrays.hpp"
#include "core/judge.hpp"
#include "formulation.hpp"
#include "matrix.hpp"
#include "outcome.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solve.hpp"
#include "team.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace pdbfw::python {
namespace {

using OptionalNumbers = std::optional<Numbers>;

// Options and arrays together, as the library takes them.
struct Stated {
  Settings settings;
  Problem problem;
};

Stated state(const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const nb::dict& arrays,
             const TeamPtr& team = {}) {
  const Request request = request_of(options);
  return {request.settings, make_problem(A.A, as_vector(b), formulation_of(request, arrays, *A.A), team)};
}

nb::dict to_dict(const Problem& problem, Result result) {
  nb::dict d = outcome_to_dict(result);
  const bool is_point = problem.feature_scale.empty() && problem.free_features.empty();
  std::vector<double> weights = is_point ? std::vector<double>() : feature_weights(problem, result);
  d["x"] = to_array(std::move(result.x));
  d["weights"] = is_point ? nb::object(d["x"]) : to_array(std::move(weights));
  d["y"] = to_array(std::move(result.y));
  d["intercept"] = result.intercept;
  d["free_weights"] = to_array(std::move(result.free_weights));
  return d;
}

nb::tuple to_tuple(const Problem& problem, Penalised found) {
  return nb::make_tuple(found.radius, to_dict(problem, std::move(found.result)),
                        certificate_to_dict(found.certificate));
}

std::vector<double> point_of(const Problem& problem, const Numbers& weights) {
  return point_of_weights(problem, as_span("weights", weights, problem.features()));
}

Start start_of(const Problem& problem, const OptionalNumbers& weights, const OptionalNumbers& y, double multiplier) {
  Start start;
  if (weights) start.x = point_of(problem, *weights);
  if (y) start.y = as_vector(*y);
  start.multiplier = multiplier;
  return start;
}

}  // namespace

void bind_sparse(nb::module_& module) {
  module.def(
      "solve",
      [](const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const nb::dict& arrays,
         nb::object callback, const OptionalNumbers& weights, const OptionalNumbers& y, double multiplier,
         nb::object members) {
        const PythonTeamPtr team = team_of(std::move(members));
        Watch watch(std::move(callback));
        return over_team(team, [&] {
          const Stated stated = state(A, b, options, arrays, team);
          const Start start = start_of(stated.problem, weights, y, multiplier);
          return to_dict(stated.problem, watch.run([&](const Callback& between) {
            return solve(stated.problem, stated.settings, between, start);
          }));
        });
      },
      nb::arg("A"), nb::arg("b"), nb::arg("options"), nb::arg("arrays"), nb::kw_only(),
      nb::arg("callback") = nb::none(), nb::arg("weights") = nb::none(), nb::arg("y") = nb::none(),
      nb::arg("multiplier") = 0.0, nb::arg("team") = nb::none());

  module.def(
      "solve_path",
      [](const BorrowedMatrix& A, const Numbers& b, const Numbers& radii, const nb::dict& options,
         const nb::dict& arrays, nb::object callback) {
        const Stated stated = state(A, b, options, arrays);
        Watch watch(std::move(callback));
        std::vector<PathPoint> path = watch.run([&](const Callback& between) {
          return solve_path(stated.problem, as_vector(radii), stated.settings, between);
        });
        nb::list points;
        for (PathPoint& point : path)
          points.append(nb::make_tuple(point.radius, to_dict(stated.problem, std::move(point.result))));
        return points;
      },
      nb::arg("A"), nb::arg("b"), nb::arg("radii"), nb::arg("options"), nb::arg("arrays"), nb::kw_only(),
      nb::arg("callback") = nb::none());

  module.def(
      "solve_penalised",
      [](const BorrowedMatrix& A, const Numbers& b, double alpha, const nb::dict& options, const nb::dict& arrays,
         nb::object callback) {
        const Stated stated = state(A, b, options, arrays);
        Watch watch(std::move(callback));
        return to_tuple(stated.problem, watch.run([&](const Callback& between) {
          return solve_penalised(stated.problem, alpha, stated.settings, between);
        }));
      },
      nb::arg("A"), nb::arg("b"), nb::arg("alpha"), nb::arg("options"), nb::arg("arrays"), nb::kw_only(),
      nb::arg("callback") = nb::none());

  module.def(
      "solve_penalties",
      [](const BorrowedMatrix& A, const Numbers& b, const Numbers& alphas, const nb::dict& options,
         const nb::dict& arrays, bool stops_early, nb::object callback) {
        const Stated stated = state(A, b, options, arrays);
        Watch watch(std::move(callback));
        std::vector<Penalised> path = watch.run([&](const Callback& between) {
          return solve_penalties(stated.problem, as_vector(alphas), stated.settings, stops_early, between);
        });
        nb::list points;
        for (Penalised& found : path) {
          const double alpha = found.alpha;
          points.append(nb::make_tuple(alpha, to_tuple(stated.problem, std::move(found))));
        }
        return points;
      },
      nb::arg("A"), nb::arg("b"), nb::arg("alphas"), nb::arg("options"), nb::arg("arrays"), nb::kw_only(),
      nb::arg("stops_early"), nb::arg("callback") = nb::none());

  module.def(
      "largest_alpha",
      [](const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const nb::dict& arrays) {
        const Stated stated = state(A, b, options, arrays);
        const nb::gil_scoped_release released;
        return largest_alpha(stated.problem, stated.settings.threads);
      },
      nb::arg("A"), nb::arg("b"), nb::arg("options"), nb::arg("arrays"));

  module.def(
      "path_alphas",
      [](const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const nb::dict& arrays, Index points,
         double smallest) {
        const Stated stated = state(A, b, options, arrays);
        return to_array([&] {
          const nb::gil_scoped_release released;
          return path_alphas(stated.problem, {.points = points, .smallest = smallest}, stated.settings.threads);
        }());
      },
      nb::arg("A"), nb::arg("b"), nb::arg("options"), nb::arg("arrays"), nb::kw_only(), nb::arg("points"),
      nb::arg("smallest"));

  module.def(
      "certify",
      [](const BorrowedMatrix& A, const Numbers& b, const OptionalNumbers& x, const OptionalNumbers& weights,
         const OptionalNumbers& y, const nb::dict& options, const nb::dict& arrays) {
        const Stated stated = state(A, b, options, arrays);
        const Problem& problem = stated.problem;
        if (x.has_value() == weights.has_value())
          throw InputError("x", x ? "beside weights" : "none", "one of x and weights");
        const std::vector<double> of_weights = weights ? point_of(problem, *weights) : std::vector<double>();
        const std::span<const double> point = x ? as_span("x", *x, problem.d()) : of_weights;
        const auto proof = y ? as_span("y", *y, problem.n()) : std::span<const double>();
        const Certificate found = [&] {
          const nb::gil_scoped_release released;
          const int threads = stated.settings.threads;
          return proof.empty() ? certify(problem, point, dual_candidate(problem, point, threads), threads)
                               : certify(problem, point, proof, threads);
        }();
        return certificate_to_dict(found);
      },
      nb::arg("A"), nb::arg("b"), nb::arg("x").none(), nb::arg("weights").none(), nb::arg("y").none(),
      nb::arg("options"), nb::arg("arrays"));
}

}  // namespace pdbfw::python
