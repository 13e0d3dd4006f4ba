// How long solves of the low-rank family take, in product pairs, on data like the paper's:
// `bench_trace_speed '{"n": 1000, "d": 800, "c": 600, "rank": 10, "design": "uniform", ...}'` prints one JSON object a
// line for every run that is asked for; without an argument it lists the solvers. trace_speed.py asks and makes tables.
//
//   n d c rank      A is n x d, the true X is d x c of this rank, the product of two Gaussian factors
//   design          gaussian; uniform: on [0, 1], with a column of ones
//   noise           added to B = A X, relative to its root mean square; 0 if not given
//   radius_share    of the trace norm of the truth; 1 if not given
//   ridge           times n; 10 in the paper for |A X - B|^2, which is 5 for our squared loss (p - b)^2 / 2
//   solvers         by name; tol, max_seconds, max_iterations, repeats, steps, block_primal and block_dual for all
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "base/random.hpp"
#include "core/spectral_set.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::low_rank {
namespace {

using Json = nlohmann::ordered_json;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Matrix normal_matrix(Index rows, Index columns, Random& random) {
  Matrix M(rows, columns);
  for (double& value : M.reshaped()) value = random.normal();
  return M;
}

struct Recipe {
  Index n, d, c, rank;
  std::string design;
  double noise, radius_share, ridge;
};

Recipe recipe_of(const Json& question) {
  return {question.value("n", Index{1000}),    question.value("d", Index{800}),     question.value("c", Index{600}),
          question.value("rank", Index{10}),   question.value("design", "uniform"), question.value("noise", 0.0),
          question.value("radius_share", 1.0), question.value("ridge", 5.0)};
}

Problem paper_problem(const Recipe& recipe) {
  Random random(1);
  Matrix A = normal_matrix(recipe.n, recipe.d, random);
  if (recipe.design == "uniform") {
    for (double& value : A.reshaped()) value = random.uniform();
    A.col(0).setOnes();
  }
  const Factors factors{normal_matrix(recipe.d, recipe.rank, random), Vector::Ones(recipe.rank),
                        normal_matrix(recipe.c, recipe.rank, random)};
  const Matrix truth = factors.dense();
  Matrix B = A * truth;
  const double size = B.norm() / std::sqrt(static_cast<double>(B.size()));
  if (recipe.noise > 0) B += recipe.noise * size * normal_matrix(recipe.n, recipe.c, random);
  const double norm = full_spectrum(truth, Spectrum::singular_values).s.sum();
  const auto data = own_dense_rows<double>(recipe.n, recipe.d, {A.data(), A.data() + A.size()});
  return make_problem(
      rows_map(data, recipe.c), std::move(B),
      {.loss = "squared", .set = "trace", .radius = recipe.radius_share * norm, .ridge = {recipe.ridge, true}});
}

// A X and A'Y for dense X and Y of full size, one thread, processor time.
double product_pair(const Problem& problem) {
  constexpr int kPairs = 3;
  const Matrix X = Matrix::Ones(problem.d(), problem.c());
  Matrix W, Z = Matrix::Zero(problem.d(), problem.c());
  std::vector<double> seconds;
  for (int k = 0; k < kPairs; ++k) {
    const double start = cpu_seconds();
    problem.map->apply(X, W);
    problem.map->add_adjoint(problem.loss->targets(), 1, Z);
    seconds.push_back(cpu_seconds() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[kPairs / 2];
}

// Of an iteration without a certificate, the median.
double seconds_per_iteration(const std::vector<TracePoint>& trace) {
  std::vector<double> steps;
  for (std::size_t k = 1; k < trace.size(); ++k)
    if (!trace[k - 1].is_certified && trace[k].iteration == trace[k - 1].iteration + 1)
      steps.push_back(trace[k].seconds - trace[k - 1].seconds);
  if (steps.empty()) return 0;
  std::sort(steps.begin(), steps.end());
  return steps[steps.size() / 2];
}

void answer(const Json& question) {
  const Problem problem = paper_problem(recipe_of(question));
  for (const std::string solver : question.at("solvers"))
    for (int repeat = 0; repeat < question.value("repeats", 1); ++repeat) {
      Settings settings{.tol = question.value("tol", 1e-4), .solver = solver};
      settings.max_seconds = question.value("max_seconds", 60.0);
      settings.max_iterations = question.value("max_iterations", settings.max_iterations);
      settings.steps = question.value("steps", settings.steps);
      if (question.contains("block_primal")) settings.block_primal = question.at("block_primal").get<Index>();
      if (question.contains("block_dual")) settings.block_dual = question.at("block_dual").get<Index>();
      const double pair = product_pair(problem);
      const double start = cpu_seconds();
      const Result result = solve(problem, settings);
      const double seconds = cpu_seconds() - start;
      Json row{{"solver", solver},
               {"status", to_string(result.status)},
               {"relative_gap", result.certificate.relative_gap},
               {"rank", result.X.rank()},
               {"iterations", result.work.iterations},
               {"passes", result.work.data_passes},
               {"cpu", seconds},
               {"pair", pair},
               {"seconds_per_iteration", seconds_per_iteration(result.trace)}};
      std::cout << row << "\n";
    }
}

}  // namespace
}  // namespace pdbfw::low_rank

int main(int count, char** arguments) {
  if (count < 2) {
    for (const std::string_view name : pdbfw::low_rank::solver_names()) std::cout << name << "\n";
    return 0;
  }
  try {
    pdbfw::low_rank::answer(nlohmann::ordered_json::parse(arguments[1]));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
