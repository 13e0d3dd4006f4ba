#include <nanobind/stl/optional.h>

#include <optional>

#include "apps/registry.hpp"
#include "bindings.hpp"
#include "core/judge.hpp"
#include "exchange.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/solve.hpp"
#include "team.hpp"

namespace pdbfw::python {
namespace {

using OptionalNumbers = std::optional<Numbers>;

// Options and arrays together, as the library takes them.
struct Stated {
  Settings settings;
  Problem problem;
  nb::object arrays;  // whose memory the problem looks at
  PythonTeamPtr team;
};

Stated state(const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const nb::dict& arrays,
             nb::object members) {
  const PythonTeamPtr team = team_of(std::move(members));
  const Request request = request_of(options);
  const Formulation formulation = formulation_of(request, arrays, *A.A);
  return {request.settings, over_team(team, [&] { return make_problem(A.A, as_vector(b), formulation, team); }),
          nb::make_tuple(A.arrays, arrays), team};
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

nb::dict solve_one(const Stated& stated, nb::object callback, const OptionalNumbers& weights, const OptionalNumbers& y,
                   double multiplier) {
  Start start;
  if (weights) start.x = point_of(stated.problem, *weights);
  if (y) start.y = as_vector(*y);
  start.multiplier = multiplier;
  return over_team(stated.team, [&] {
    return to_dict(stated.problem, Watch(std::move(callback)).run([&](const Callback& between) {
      return solve(stated.problem, stated.settings, between, start);
    }));
  });
}

nb::list solve_radii(const Stated& stated, const Numbers& radii, nb::object callback) {
  std::vector<PathPoint> path = Watch(std::move(callback)).run([&](const Callback& between) {
    return solve_path(stated.problem, as_vector(radii), stated.settings, between);
  });
  nb::list points;
  for (PathPoint& point : path)
    points.append(nb::make_tuple(point.radius, to_dict(stated.problem, std::move(point.result))));
  return points;
}

nb::tuple solve_penalty(const Stated& stated, double alpha, nb::object callback) {
  return to_tuple(stated.problem, Watch(std::move(callback)).run([&](const Callback& between) {
    return solve_penalised(stated.problem, alpha, stated.settings, between);
  }));
}

nb::list solve_alphas(const Stated& stated, const Numbers& alphas, bool stops_early, nb::object callback) {
  std::vector<Penalised> path = Watch(std::move(callback)).run([&](const Callback& between) {
    return solve_penalties(stated.problem, as_vector(alphas), stated.settings, stops_early, between);
  });
  nb::list points;
  for (Penalised& found : path) {
    const double alpha = found.alpha;
    points.append(nb::make_tuple(alpha, to_tuple(stated.problem, std::move(found))));
  }
  return points;
}

nb::object find_radii(const Stated& stated, Index points, double smallest, nb::object callback) {
  return to_array(Watch(std::move(callback)).run([&](const Callback& between) {
    return path_radii(stated.problem, {.points = points, .smallest = smallest}, stated.settings, between);
  }));
}

nb::object find_alphas(const Stated& stated, Index points, double smallest) {
  return to_array(released(
      [&] { return path_alphas(stated.problem, {.points = points, .smallest = smallest}, stated.settings.threads); }));
}

nb::dict certify_point(const Stated& stated, const OptionalNumbers& x, const OptionalNumbers& weights,
                       const OptionalNumbers& y) {
  const Problem& problem = stated.problem;
  const int threads = stated.settings.threads;
  if (x.has_value() == weights.has_value())
    throw InputError("x", x ? "beside weights" : "none", "one of x and weights");
  const std::vector<double> of_weights = weights ? point_of(problem, *weights) : std::vector<double>();
  const std::span<const double> point = x ? as_span("x", *x, problem.d()) : of_weights;
  const auto proof = y ? as_span("y", *y, problem.n()) : std::span<const double>();
  return certificate_to_dict(released([&] {
    return proof.empty() ? certify(problem, point, dual_candidate(problem, point, threads), threads)
                         : certify(problem, point, proof, threads);
  }));
}

}  // namespace

void bind_sparse(nb::module_& module) {
  nb::class_<Stated>(module, "Problem")
      .def(nb::new_(&state), "A"_a, "b"_a, "options"_a, "arrays"_a, "team"_a = nb::none())
      .def("solve", &solve_one, nb::kw_only(), "callback"_a = nb::none(), "weights"_a = nb::none(), "y"_a = nb::none(),
           "multiplier"_a = 0.0)
      .def("solve_path", &solve_radii, "radii"_a, nb::kw_only(), "callback"_a = nb::none())
      .def("solve_penalised", &solve_penalty, "alpha"_a, nb::kw_only(), "callback"_a = nb::none())
      .def("solve_penalties", &solve_alphas, "alphas"_a, nb::kw_only(), "stops_early"_a, "callback"_a = nb::none())
      .def("path_radii", &find_radii, nb::kw_only(), "points"_a, "smallest"_a, "callback"_a = nb::none())
      .def("path_alphas", &find_alphas, nb::kw_only(), "points"_a, "smallest"_a)
      .def("largest_alpha",
           [](const Stated& stated) {
             return released([&] { return largest_alpha(stated.problem, stated.settings.threads); });
           })
      .def("certify", &certify_point, "x"_a.none(), "weights"_a.none(), "y"_a.none());
}

}  // namespace pdbfw::python
