// The inner loops of a sweep against the formula.
#include "solvers/sweeps/row_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "solvers/sweeps/packed_rows.hpp"

namespace pdbfw {
namespace row_kernels_test {

constexpr Index kWidth = 60;
constexpr double kInf = std::numeric_limits<double>::infinity();

// The zones of the l1 ball and of the simplex with t of either sign, and one that contains nothing.
const std::vector<DeadZone> kZones{{-0.5, 0.5, 0.5, true}, {-kInf, 0.5, 0.5, true}, {-kInf, -0.5, -0.5, true}, {}};

template <class Line>
double by_formula(const Line& line, const std::vector<double>& u, const DeadZone& zone,
                  const std::vector<double>& scale) {
  double sum = 0;
  for (Index k = 0; k < line.size; ++k) {
    const auto j = static_cast<std::size_t>(line.index(k));
    sum += static_cast<double>(line.value[k]) * zone.outside(u[j]) * scale[j];
  }
  return sum;
}

template <class Line>
void expect_formula(const Line& line, const std::vector<double>& u, const std::vector<double>& scale) {
  const std::vector<double> ones(u.size(), 1.0);
  for (const DeadZone& zone : kZones) {
    const auto scale_at = [&scale](Index j) { return scale[static_cast<std::size_t>(j)]; };
    EXPECT_NEAR(dot_outside(line, u.data(), zone, scale_at), by_formula(line, u, zone, scale), 1e-13) << line.size;
    const double plain = dot_outside(line, u.data(), zone, [](Index) { return 1.0; });
    EXPECT_NEAR(plain, by_formula(line, u, zone, ones), 1e-13) << line.size;
#ifdef PDBFW_AVX2
    if (processor_has_avx2()) {
      EXPECT_NEAR(dot_outside_avx2(line, u.data(), zone), plain, 1e-13) << line.size;
    }
#endif
  }
}

template <class Value>
void expect_formula_of_every_line() {
  Random random(1);
  for (Index size = 0; size <= 40; ++size)
    for (int repetition = 0; repetition < 5; ++repetition) {
      // Exactly as long as needed: an address sanitizer sees a kernel that reads on.
      std::vector<Value> value(static_cast<std::size_t>(size));
      std::vector<std::uint16_t> narrow(value.size());
      std::vector<std::uint32_t> wide(value.size());
      std::vector<double> u(static_cast<std::size_t>(kWidth)), scale(u.size());
      for (Value& v : value) v = static_cast<Value>(random.normal());
      for (std::size_t k = 0; k < narrow.size(); ++k)
        wide[k] = narrow[k] = static_cast<std::uint16_t>(random.below(static_cast<std::uint64_t>(kWidth)));
      for (double& u_j : u) u_j = random.uniform() < 0.1 ? 0.5 : random.normal();  // some on the border
      for (double& s : scale) s = random.uniform();
      expect_formula(typename SparsePack<Value, std::uint16_t>::Line{narrow.data(), value.data(), size}, u, scale);
      expect_formula(typename SparsePack<Value, std::uint32_t>::Line{wide.data(), value.data(), size}, u, scale);
      u.resize(static_cast<std::size_t>(size));
      scale.resize(u.size());
      expect_formula(typename DensePack<Value>::Line{value.data(), size}, u, scale);
    }
}

TEST(RowKernels, DotOfDoublesIsTheFormula) { expect_formula_of_every_line<double>(); }
TEST(RowKernels, DotOfFloatsIsTheFormula) { expect_formula_of_every_line<float>(); }

}  // namespace row_kernels_test
}  // namespace pdbfw
