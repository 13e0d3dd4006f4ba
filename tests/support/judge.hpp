// What every test of a solve asks of its result: the certificate belongs to x and y, and says what the status says.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "pdbfw/result.hpp"
#include "reference/judge.hpp"

namespace pdbfw::test {

// Whatever the status. Numbers agree up to the rounding of sums of this size.
inline void expect_honest(const Problem& problem, const Result& result, const std::string& what) {
  ASSERT_EQ(result.x.size(), static_cast<std::size_t>(problem.d())) << what;
  ASSERT_EQ(result.y.size(), static_cast<std::size_t>(problem.n())) << what;
  const Certificate& said = result.certificate;
  const Certificate again = certify(problem, result.x, result.y);
  const double size = std::max(std::abs(again.primal), std::abs(again.dual));
  EXPECT_LE(std::abs(said.primal - again.primal), 1e-13 * size) << what;
  EXPECT_LE(std::abs(said.dual - again.dual), 1e-13 * size) << what;
  EXPECT_LE(std::abs(said.gap - again.gap), 1e-13 * size) << what;
  EXPECT_EQ(said.violation, again.violation) << what;
  EXPECT_LE(said.violation, 1e-9 * problem.set->radius()) << what;
  EXPECT_GE(said.gap, -1e-12 * size) << what;
  EXPECT_TRUE(std::isfinite(said.primal)) << what;
  EXPECT_FALSE(std::isnan(said.relative_gap)) << what;
  EXPECT_EQ(result.status == Status::converged, said.relative_gap <= result.settings.tol)
      << what << ": " << result.message;
  EXPECT_FALSE(result.message.empty()) << what;
}

inline void expect_certified(const Problem& problem, const Result& result, const std::string& what) {
  EXPECT_EQ(to_string(result.status), "converged") << what << ": " << result.message;
  expect_honest(problem, result, what);
  // The slow judge shares nothing with the library but the scalar formulas.
  const Certificate slow = reference::certify(problem, result.x, result.y);
  EXPECT_LE(slow.relative_gap, result.settings.tol + 1e-11) << what;
}

}  // namespace pdbfw::test
