// The dense decompositions against laws, and against another of Eigen's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "linalg/top_spectrum.hpp"
#include "reference/spectrum.hpp"
#include "support/maps.hpp"

namespace pdbfw {
namespace full_spectrum_test {

using test::random_matrix;

// Bidiagonal, of rank 22 with most values about 1e-14 of the largest: Eigen 3.4.0's divide and conquer answers NaN.
Matrix crowded_at_rounding() {
  Matrix M = Matrix::Zero(54, 54);
  M(0, 1) = 21;
  M(1, 1) = 6;
  constexpr std::array<double, 38> kSmall{-3.0,  -4.0,  1.0, -4.0, 3.0,  -2.0, 4.5,  -2.0,  2.3,   3.9,
                                          1.0,   -4.0,  3.5, 1.6,  -4.5, 1.7,  1.4,  -4.12, -1.8,  1.1,
                                          -4.18, 1.8,   0.5, 4.0,  3.0,  -0.8, -2.2, 3.998, -0.74, -1.67,
                                          -4.17, -1.04, 0,   0,    0,    0,    -3.0, -3.3};
  for (std::size_t k = 0; k < kSmall.size(); ++k) {
    const auto place = static_cast<Index>(k) + 23;  // along the zigzag of diagonal and superdiagonal
    M(place / 2, (place + 1) / 2) = kSmall[k] * 1e-14;
  }
  return M;
}

struct Named {
  std::string name;
  Matrix M;
};

std::vector<Named> matrices() {
  return {{"tall", random_matrix(90, 40, 1)},
          {"wide", random_matrix(40, 90, 2)},
          {"of low rank", random_matrix(80, 5, 3) * random_matrix(5, 60, 4)},
          {"zero", Matrix::Zero(30, 20)},
          {"identity", Matrix::Identity(40, 40)},
          {"one number", Matrix::Constant(1, 1, -3.0)},
          {"large", 1e150 * random_matrix(30, 30, 5)},
          {"small", 1e-150 * random_matrix(30, 30, 6)},
          {"crowded at rounding", crowded_at_rounding()}};
}

TEST(FullSpectrum, SingularValuesDecompose) {
  for (const auto& [name, M] : matrices()) {
    const Factors X = full_spectrum(M, Spectrum::singular_values);
    const double largest = M.cwiseAbs().maxCoeff();
    EXPECT_EQ(X.rank(), std::min(M.rows(), M.cols())) << name;
    EXPECT_LE((X.dense() - M).cwiseAbs().maxCoeff(), 1e-12 * largest) << name;
    EXPECT_LE((X.U.transpose() * X.U - Matrix::Identity(X.rank(), X.rank())).norm(), 1e-12) << name;
    EXPECT_LE((X.V.transpose() * X.V - Matrix::Identity(X.rank(), X.rank())).norm(), 1e-12) << name;
    EXPECT_TRUE(std::is_sorted(X.s.begin(), X.s.end(), std::greater<>())) << name;
    EXPECT_LE((X.s - reference::singular_values(M)).cwiseAbs().maxCoeff(), 1e-12 * X.s[0]) << name;
  }
}

TEST(FullSpectrum, EigenvaluesDecompose) {
  for (const auto& [name, R] : matrices()) {
    if (R.rows() != R.cols()) continue;
    const Matrix M = R + R.transpose();
    const Factors X = full_spectrum(M, Spectrum::eigenvalues);
    EXPECT_LE((X.dense() - M).cwiseAbs().maxCoeff(), 1e-12 * M.cwiseAbs().maxCoeff()) << name;
    EXPECT_TRUE(std::is_sorted(X.s.begin(), X.s.end(), std::greater<>())) << name;
    EXPECT_LE((X.s.reverse() - reference::eigenvalues(M)).cwiseAbs().maxCoeff(), 1e-12 * X.s.cwiseAbs().maxCoeff())
        << name;
  }
}

TEST(FullSpectrum, WhatIsNotFiniteHasNoValues) {
  Matrix M = random_matrix(5, 4, 7);
  M(2, 2) = std::numeric_limits<double>::infinity();
  const Factors X = full_spectrum(M, Spectrum::singular_values);
  EXPECT_TRUE(X.s.array().isNaN().all());
  EXPECT_EQ(full_spectrum(Matrix(3, 0), Spectrum::singular_values).rank(), 0);
}

}  // namespace full_spectrum_test
}  // namespace pdbfw
