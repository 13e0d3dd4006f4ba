// Phase retrieval: measurements, and the signal from its lifted matrix.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "io/message.hpp"
#include "pdbfw/linear_map.hpp"
#include "support/low_rank_data.hpp"

namespace pdbfw::test {
namespace phase_test {

constexpr std::complex<double> i1{0, 1};

using test::expect_error;

Matrix intensities(const Measurements& m, const Factors& X) {
  Matrix W;
  quadratic_map(m.G, m.group)->apply(X, W);
  return W;
}

TEST(Phase, OneMeasurementByHand) {
  // a = (1 + 2i, 3),  x = (i, 1 - i):  a* x = (1 - 2i) i + 3 (1 - i) = 5 - 2i,  |a* x|^2 = 29.
  ComplexMatrix a(1, 2);
  a << 1.0 + 2.0 * i1, 3.0;
  ComplexVector x(2);
  x << i1, 1.0 - i1;
  const Measurements m = phase_measurements(a, SignalKind::complex);
  EXPECT_EQ(m.group, 2);
  EXPECT_NEAR(intensities(m, lifted(x, SignalKind::complex))(0, 0), 29, 1e-13);
  // For the real x = (1, 1): |4 - 2i|^2 = 20.
  const Measurements real = phase_measurements(a, SignalKind::real);
  EXPECT_NEAR(intensities(real, lifted(ComplexVector::Ones(2), SignalKind::real))(0, 0), 20, 1e-13);
}

// All four pairs of kinds: the map at the lifted signal gives the intensities, and the lifted signal gives the signal.
RC_GTEST_PROP(Phase, MapOfTheLiftedSignalGivesIntensities, ()) {
  const auto signal = *rc::gen::element(SignalKind::real, SignalKind::complex);
  const GeneratedPhase made = generate_phase({.size = *rc::gen::inRange<Index>(1, 9),
                                              .measurements = *rc::gen::inRange<Index>(1, 9),
                                              .signal = signal,
                                              .is_measured_complex = *rc::gen::arbitrary<bool>(),
                                              .seed = *rc::gen::arbitrary<std::uint64_t>()});
  const Factors X = lifted(made.truth, signal);
  const Matrix W = intensities(phase_measurements(made.a, signal), X);
  EXPECT_LE((W - made.intensity).norm(), 1e-12 * made.intensity.norm());
  if (made.a.imag().isZero(0)) {
    const Measurements m = phase_measurements(Matrix(made.a.real()), signal);
    EXPECT_EQ(m.group, signal == SignalKind::real ? 1 : 2);
    EXPECT_LE((intensities(m, X) - made.intensity).norm(), 1e-12 * made.intensity.norm());
  }
  EXPECT_LE(relative_error(signal_of(X, signal), made.truth), 1e-13);
}

// No intensity sees the phase, so X may be any mixture of lifted signals of different phases; the signal is the same.
TEST(Phase, MixtureOfPhasesGivesTheSignal) {
  const GeneratedPhase made = generate_phase(
      {.size = 6, .measurements = 20, .signal = SignalKind::complex, .is_measured_complex = true, .seed = 3});
  const std::complex<double> turn = std::polar(1.0, 0.7);
  const Factors one = lifted(made.truth, SignalKind::complex), two = lifted(turn * made.truth, SignalKind::complex);
  Factors X{Matrix(12, 2), Vector(2), Matrix()};
  X.U << one.U, two.U;
  X.V = X.U;
  X.s << 0.3 * one.s(0), 0.7 * two.s(0);
  const Measurements m = phase_measurements(made.a, SignalKind::complex);
  EXPECT_LE((intensities(m, X) - made.intensity).norm(), 1e-12 * made.intensity.norm());
  EXPECT_LE(relative_error(signal_of(X, SignalKind::complex), made.truth), 1e-13);
}

// X = 4 x x' + y y' with orthonormal x, y: the signal is 2 x.
TEST(Phase, SignalIsTheTopEigenvectorScaled) {
  const Matrix U = Matrix::Identity(3, 2);
  const ComplexVector x = signal_of({U, Vector(Eigen::Vector2d(4, 1)), U}, SignalKind::real);
  EXPECT_LE((x - 2.0 * ComplexVector::Unit(3, 0)).norm(), 1e-15);
}

TEST(Phase, LargestEntryIsPositive) {
  ComplexVector x(3);
  x << 0.5, -3.0, 1.0;
  EXPECT_LE((signal_of(lifted(x, SignalKind::real), SignalKind::real) + x).norm(), 1e-14);
  x << 0.5 * i1, 3.0 * i1, 1.0;
  const ComplexVector turned = signal_of(lifted(x, SignalKind::complex), SignalKind::complex);
  EXPECT_LE((turned + i1 * x).norm(), 1e-14);
}

TEST(Phase, DistanceForgetsThePhaseOnly) {
  ComplexVector truth(2);
  truth << 3.0, 4.0 * i1;
  EXPECT_LE(relative_error(truth * std::polar(1.0, 2.0), truth), 1e-15);
  EXPECT_NEAR(relative_error(1.1 * truth, truth), 0.1, 1e-15);
  EXPECT_NEAR(relative_error(ComplexVector::Zero(2), truth), 1, 1e-15);
  EXPECT_LE((aligned(-truth, truth) - truth).norm(), 1e-15);
}

TEST(Phase, ZeroSignal) {
  const Factors X = lifted(ComplexVector::Zero(2), SignalKind::complex);
  EXPECT_EQ(X.rank(), 0);
  EXPECT_EQ(X.rows(), 4);
  EXPECT_EQ(signal_of(X, SignalKind::complex), ComplexVector::Zero(2));
  EXPECT_EQ(signal_of({Matrix::Zero(4, 1), Vector::Zero(1), Matrix::Zero(4, 1)}, SignalKind::complex),
            ComplexVector::Zero(2));
}

TEST(Phase, Errors) {
  expect_error([] { (void)phase_measurements(Matrix(0, 2), SignalKind::real); },
               "measurements: 0 x 2 breaks the rule: at least one vector of at least one entry");
  expect_error([] { (void)phase_measurements(ComplexMatrix(2, 0), SignalKind::complex); },
               "measurements: 2 x 0 breaks the rule: at least one vector of at least one entry");
  EXPECT_THROW((void)phase_measurements(Matrix(Matrix::Constant(1, 1, std::nan(""))), SignalKind::real), InputError);
  const Matrix U = Matrix::Identity(3, 1);
  const Vector one = Vector::Ones(1);
  expect_error(
      [&] {
        (void)signal_of({U, one, -U}, SignalKind::real);
      },
      "X: U and V that differ breaks the rule: X = U diag(s) U'");
  expect_error(
      [&] {
        (void)signal_of({U, one, Matrix::Identity(2, 1)}, SignalKind::real);
      },
      "X: U and V that differ breaks the rule: X = U diag(s) U'");
  expect_error([&] { (void)signal_of({U, -one, U}, SignalKind::real); }, "s[0]: -1 breaks the rule: a number >= 0");
  expect_error(
      [&] {
        (void)signal_of({U, one, U}, SignalKind::complex);
      },
      "X: 3 rows breaks the rule: an even number: real and imaginary parts");
  expect_error([] { (void)relative_error(ComplexVector::Ones(2), ComplexVector::Ones(3)); },
               "truth: 3 entries breaks the rule: 2, as the signal has");
  expect_error([] { (void)relative_error(ComplexVector::Ones(2), ComplexVector::Zero(2)); },
               "truth: 0 breaks the rule: a signal of positive length");
}

}  // namespace phase_test
}  // namespace pdbfw::test
