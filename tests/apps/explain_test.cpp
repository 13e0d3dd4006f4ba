// Affine rank minimisation and phase retrieval: the truth is found again, and mistakes are told.
#include <gtest/gtest.h>

#include <cmath>

#include "io/message.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/recovery.hpp"
#include "support/low_rank_data.hpp"

namespace pdbfw::test {
namespace explain_test {

std::span<const double> numbers(const Matrix& column) {
  return {column.data(), static_cast<std::size_t>(column.size())};
}

TEST(Explain, FindsTheSmallestTraceNorm) {
  const GeneratedProducts made = generate_products({.rows = 8, .columns = 7, .measurements = 50, .rank = 1, .seed = 2});
  const Explanation found = explain(products_map(made.A, 8, 7), numbers(made.value));
  EXPECT_EQ(found.result.status, Status::converged);
  EXPECT_LE(found.misfit, 1e-6);
  EXPECT_LT(relative_error(found.result.X, made.truth.dense()), 1e-4);
  EXPECT_NEAR(found.radius / made.truth.trace_norm(), 1, 1e-4);
  for (std::size_t k = 1; k < found.steps.size(); ++k) EXPECT_GE(found.steps[k].radius, found.steps[k - 1].radius);
}

// X is 1 x 2 and only its first entry is measured, as 3: the smallest trace norm is 3.
TEST(Explain, ByHand) {
  const std::vector<double> e = {1, 0};
  const MapPtr map = products_map(borrow_dense_rows<double>(1, 2, e), 1, 2);
  const Explanation found = explain(map, std::vector<double>{3});
  EXPECT_NEAR(found.radius, 3, 1e-5);
  EXPECT_NEAR(found.result.X.dense()(0, 0), 3, 1e-5);
}

// The same number measured as 1 and as 2: nothing is nearer than 1.5, which misses by sqrt(1/2) of sqrt(5).
TEST(Explain, SaysHowFarContradictionsAreFromBeingExplained) {
  const std::vector<double> twice = {1, 1};
  const MapPtr map = products_map(borrow_dense_rows<double>(2, 1, twice), 1, 1);
  const Explanation found = explain(map, std::vector<double>{1, 2});
  EXPECT_NEAR(found.misfit, std::sqrt(0.5 / 5), 1e-3);
}

TEST(Explain, RefusesWhatDoesNotFit) {
  const std::vector<double> e = {1, 0};
  const MapPtr map = products_map(borrow_dense_rows<double>(1, 2, e), 1, 2);
  const std::vector<double> b = {1}, two = {1, 2};
  const auto refusal = [](const auto& call) { return message_of([&] { static_cast<void>(call()); }); };
  EXPECT_EQ(refusal([&] { return explain(nullptr, b); }), "map: none breaks the rule: a linear map");
  EXPECT_EQ(refusal([&] { return explain(map, two); }), "b: 2 numbers breaks the rule: 1, one a measurement");
  EXPECT_EQ(refusal([&] { return explain(map, b, {.misfit = 0}); }), "misfit: 0 breaks the rule: a number in (0, 1)");
  EXPECT_EQ(refusal([&] { return explain(map, b, {.radius = 0}); }), "radius: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal([&] { return relative_error(Factors::zero(2, 2), Matrix::Zero(2, 3)); }),
            "truth: 2 x 3 breaks the rule: 2 x 2, as X");
  EXPECT_EQ(refusal([&] { return relative_error(Factors::zero(2, 2), Matrix::Zero(2, 2)); }),
            "truth: zero breaks the rule: a matrix that is not zero");
}

TEST(RetrievePhase, FindsSignalsOfBothKinds) {
  for (const SignalKind signal : {SignalKind::real, SignalKind::complex}) {
    const bool is_complex = signal == SignalKind::complex;
    const GeneratedPhase made =
        generate_phase({.size = 5, .measurements = 40, .signal = signal, .is_measured_complex = is_complex, .seed = 5});
    const Measurements m = phase_measurements(made.a, signal);
    // On average over directions the squared length is right; here it is so to a factor.
    EXPECT_NEAR(std::log2(squared_length(m, numbers(made.intensity)) / made.truth.squaredNorm()), 0, 1);
    const PhaseRetrieval found = retrieve_phase(m, numbers(made.intensity));
    EXPECT_EQ(found.explanation.result.status, Status::converged);
    EXPECT_LT(relative_error(found.x, made.truth), 1e-5);
  }
}

// A point of C has s >= 0, which the signal is read from: no solver hands back eigenvalues that rounding made negative.
TEST(RetrievePhase, EverySolverKeepsEigenvaluesFromZeroUp) {
  for (const SignalKind signal : {SignalKind::real, SignalKind::complex}) {
    const bool is_complex = signal == SignalKind::complex;
    const GeneratedPhase made =
        generate_phase({.size = 6, .measurements = 60, .signal = signal, .is_measured_complex = is_complex, .seed = 3});
    const Measurements m = phase_measurements(made.a, signal);
    for (const SolverDescription& solver : low_rank::solver_descriptions()) {
      if (solver.needs_ridge || solver.name == "splitting") continue;  // which is for rows of A times X
      const PhaseRetrieval::Options options{.settings = {.solver = std::string(solver.name), .max_iterations = 60}};
      const PhaseRetrieval found = retrieve_phase(m, numbers(made.intensity), options);
      EXPECT_GE(found.explanation.result.X.s.minCoeff(), 0) << solver.name;
      EXPECT_LT(relative_error(found.x, made.truth), 0.5) << solver.name;
    }
  }
}

// a_i = e_i: the intensities are the squared entries, and their mean times the length is the squared length.
TEST(RetrievePhase, SquaredLengthByHand) {
  const Measurements m = phase_measurements(Matrix(Matrix::Identity(2, 2)), SignalKind::real);
  EXPECT_DOUBLE_EQ(squared_length(m, std::vector<double>{9, 16}), 25);
  EXPECT_EQ(message_of([&] { static_cast<void>(squared_length(m, std::vector<double>{1})); }),
            "intensities: 1 breaks the rule: 2, one a vector");
  EXPECT_EQ(message_of([&] {
              static_cast<void>(squared_length(m, std::vector<double>{0, 0}));
            }),
            "intensities: a signal of squared length 0 breaks the rule: intensities that are > 0 where the vectors are "
            "not 0");
}

}  // namespace explain_test
}  // namespace pdbfw::test
