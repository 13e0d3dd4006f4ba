// Problems with an intercept and with weights, solved, certified, and compared with the same problem said otherwise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solve.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace intercept_and_weights_test {

using reference::DenseMatrix;
using test::random_matrix;
using test::random_targets;

struct Data {
  DenseMatrix A;
  std::vector<double> b;
};

// Columns that are far from centred, and few samples of one class.
Data uncentred(const std::string& loss, std::uint64_t seed) {
  Random random(seed);
  Data data{random_matrix({.n = 60, .d = 25, .density = 0.6}, random), {}};
  for (double& value : data.A.entry)
    if (value != 0) value += 2;
  const bool are_labels = test::takes_labels({.loss = loss});
  data.b = random_targets(data.A, are_labels, random);
  if (are_labels)
    for (std::size_t i = 0; i < data.b.size(); ++i) data.b[i] = i % 7 == 0 ? -1 : 1;
  return data;
}

Problem problem_of(const Data& data, const Formulation& formulation) {
  return make_problem(reference::sparse(data.A), data.b, formulation);
}

TEST(Intercept, IsLearntAndCertifiedForEveryLossByEverySolverThatTakesIt) {
  for (const std::string_view loss : loss_names())
    for (const Ridge ridge : {Ridge{1, true}, Ridge{0, false}})
      for (const SolverDescription& solver : solver_descriptions()) {
        if (!solver.takes_intercept) continue;
        const std::string name(loss);
        const Problem p =
            problem_of(uncentred(name, 3), {.loss = name, .radius = 2, .ridge = ridge, .intercept = true});
        const Result r = solve(p, {.tol = 1e-5, .solver = std::string(solver.name), .max_iterations = 100'000});
        EXPECT_EQ(r.status, Status::converged) << loss << ' ' << solver.name << ' ' << r.message;
        const Certificate again = certify(p, r.x, r.y);
        EXPECT_LE(again.relative_gap, 1e-5) << loss << ' ' << solver.name;
        EXPECT_GE(again.gap, 0);
        EXPECT_NE(r.intercept, 0) << loss;
      }
}

// P(x, t) with the weights written as copies and the intercept as any other number: nothing of what is tested.
double objective(const Data& data, const Formulation& f, const std::vector<double>& x, double t) {
  const std::vector<double> w = reference::times(data.A, x);
  const auto loss = make_loss(f, data.b);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += loss->value(i, w[i] + t);
  for (const double x_j : x) squares += x_j * x_j;
  return sum / static_cast<double>(w.size()) + 0.5 * f.ridge.value * squares;
}

TEST(Intercept, NoneNearByIsBetter) {
  for (const std::string_view loss : loss_names()) {
    const std::string name(loss);
    const Data data = uncentred(name, 4);
    const Formulation f{.loss = name, .radius = 2, .ridge = {0.01, false}, .intercept = true};
    const Result r = solve(problem_of(data, f), {.tol = 1e-9});
    const double here = objective(data, f, r.x, r.intercept);
    EXPECT_NEAR(here, r.certificate.primal, 1e-12 * std::abs(here)) << loss;
    for (const double step : {-1.0, -0.01, 0.01, 1.0})
      EXPECT_GE(objective(data, f, r.x, r.intercept + step), here * (1 - 1e-12)) << loss;
  }
}

// With the squared loss the intercept centres data and targets.
TEST(Intercept, OfTheSquaredLossCentresTheData) {
  const Data data = uncentred("squared", 5);
  Data centred = data;
  const auto n = static_cast<double>(data.A.rows);
  for (Index j = 0; j < data.A.columns; ++j) {
    double mean = 0;
    for (Index i = 0; i < data.A.rows; ++i) mean += data.A(i, j) / n;
    for (Index i = 0; i < data.A.rows; ++i) centred.A(i, j) -= mean;
  }
  double mean = 0;
  for (const double b : data.b) mean += b / n;
  for (double& b : centred.b) b -= mean;
  const Formulation f{.loss = "squared", .radius = 1.5, .ridge = {0.1, false}};
  Formulation with = f;
  with.intercept = true;
  const Result a = solve(problem_of(data, with), {.tol = 1e-11}), b = solve(problem_of(centred, f), {.tol = 1e-11});
  EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 1e-10);
  for (std::size_t j = 0; j < a.x.size(); ++j) EXPECT_NEAR(a.x[j], b.x[j], 1e-4);
}

TEST(Intercept, ShiftingATargetShiftsIt) {
  Data data = uncentred("huber", 6);
  const Formulation f{.loss = "huber", .radius = 1, .ridge = {0.1, false}, .intercept = true};
  const Result before = solve(problem_of(data, f), {.tol = 1e-10});
  for (double& b : data.b) b += 1000;
  const Result after = solve(problem_of(data, f), {.tol = 1e-10});
  EXPECT_NEAR(after.intercept, before.intercept + 1000, 1e-3);
  EXPECT_NEAR(after.certificate.primal, before.certificate.primal, 1e-9);
}

TEST(Intercept, GivesTheSameBitsForAnyNumberOfThreads) {
  const Problem p = problem_of(uncentred("logistic", 7), {.loss = "logistic", .radius = 5, .intercept = true});
  const Result one = solve(p, {.tol = 1e-8, .threads = 1});
  for (const int threads : {2, 8}) {
    const Result many = solve(p, {.tol = 1e-8, .threads = threads});
    EXPECT_EQ(one.x, many.x);
    EXPECT_EQ(one.intercept, many.intercept);
  }
}

TEST(Intercept, EveryPointOfAPathHasItsOwn) {
  const Problem p = problem_of(uncentred("smooth_hinge", 8), {.intercept = true});
  const std::vector<PathPoint> path = solve_path(p, {0.1, 1, 10}, {.tol = 1e-6});
  for (const PathPoint& point : path) {
    Problem one = p;
    one.set = p.set->with_radius(point.radius);
    const Result alone = solve(one, {.tol = 1e-8});
    EXPECT_NEAR(point.result.certificate.primal, alone.certificate.primal, 1e-5 * alone.certificate.primal);
    EXPECT_NEAR(point.result.intercept, alone.intercept, 0.05 * (1 + std::abs(alone.intercept)));
  }
}

TEST(Intercept, IsRefusedWhereItCannotBeLearnt) {
  Data data = uncentred("logistic", 9);
  const Formulation f{.loss = "logistic", .intercept = true};
  EXPECT_EQ(test::message_of([&] { (void)solve(problem_of(data, f), {.solver = "sequential"}); }),
            "solver: sequential breaks the rule: one that learns an intercept: auto, working_set, sharded, pg, apg");
  for (double& b : data.b) b = 1;
  EXPECT_EQ(test::message_of([&] { (void)problem_of(data, f); }),
            "targets: all +1 breaks the rule: some of each, where an intercept is learnt");
}

// Copies of rows, and rows left out.
Data repeated(const Data& data, const std::vector<double>& weight) {
  Index rows = 0;
  for (const double w : weight) rows += static_cast<Index>(w);
  Data out{DenseMatrix(rows, data.A.columns), {}};
  Index to = 0;
  for (Index i = 0; i < data.A.rows; ++i)
    for (int copy = 0; copy < static_cast<int>(weight[static_cast<std::size_t>(i)]); ++copy, ++to) {
      for (Index j = 0; j < data.A.columns; ++j) out.A(to, j) = data.A(i, j);
      out.b.push_back(data.b[static_cast<std::size_t>(i)]);
    }
  return out;
}

TEST(SampleWeight, WholeNumbersAreCopies) {
  for (const std::string_view loss : loss_names())
    for (const bool intercept : {false, true}) {
      const std::string name(loss);
      const Data data = uncentred(name, 10);
      std::vector<double> weight(data.b.size());
      for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<double>((i * i) % 4);  // 0, 1, 0, 1, ...
      weight[7] = 3;
      Formulation f{.loss = name, .radius = 2, .ridge = {5, true}, .intercept = intercept};
      const Result copies = solve(problem_of(repeated(data, weight), f), {.tol = 1e-9});
      f.sample_weight = weight;
      for (const std::string_view solver : {"auto", "working_set", "sequential", "pdbfw", "apg"}) {
        if (intercept && (solver == "sequential" || solver == "pdbfw")) continue;
        const Result r = solve(problem_of(data, f), {.tol = 1e-7, .solver = std::string(solver)});
        EXPECT_EQ(r.status, Status::converged) << loss << ' ' << solver << ' ' << r.message;
        EXPECT_NEAR(r.certificate.primal, copies.certificate.primal, 2e-7 * copies.certificate.primal)
            << loss << ' ' << solver << ' ' << intercept;
        EXPECT_NEAR(r.intercept, copies.intercept, 1e-2 * (1 + std::abs(copies.intercept))) << loss << ' ' << solver;
      }
    }
}

TEST(SampleWeight, OnlyRatiosMatter) {
  const Data data = uncentred("logistic", 11);
  Formulation f{.loss = "logistic", .radius = 3, .ridge = {0.1, false}};
  f.sample_weight.assign(data.b.size(), 1);
  f.sample_weight[3] = 2.5;
  const Result a = solve(problem_of(data, f), {.tol = 1e-9});
  for (double& w : f.sample_weight) w *= 1e6;
  const Result b = solve(problem_of(data, f), {.tol = 1e-9});
  EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 1e-9);
}

TEST(SampleWeight, IsJudged) {
  const Data data = uncentred("logistic", 12);
  const auto message = [&](std::vector<double> weight) {
    try {
      (void)problem_of(data, {.loss = "logistic", .sample_weight = std::move(weight)});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message({1, 2}), "sample_weight: 2 of them breaks the rule: one for each of 60 samples");
  std::vector<double> weight(60, 1.0);
  weight[1] = -1;
  EXPECT_EQ(message(weight), "sample_weight: -1 for sample 2 breaks the rule: finite numbers >= 0");
  weight[1] = std::nan("");
  EXPECT_EQ(message(weight), "sample_weight: nan for sample 2 breaks the rule: finite numbers >= 0");
  EXPECT_EQ(message(std::vector<double>(60, 0.0)), "sample_weight: 0 in all breaks the rule: a finite sum > 0");
}

}  // namespace intercept_and_weights_test
}  // namespace pdbfw
