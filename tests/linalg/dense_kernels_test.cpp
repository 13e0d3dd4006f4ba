// The loops over numbers side by side: small whole numbers make every sum exact, whatever its order.
#include <gtest/gtest.h>

#include <vector>

#include "linalg/kernels.hpp"

namespace pdbfw {
namespace dense_kernels_test {

template <class Value>
struct DenseKernels : testing::Test {
  // 0, then 1, -2, 3, -4, ...: the test begins at the second, since lines begin anywhere.
  static std::vector<Value> line(Index size) {
    std::vector<Value> a(static_cast<std::size_t>(size) + 1);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<Value>(k) * static_cast<Value>(k % 2 == 0 ? -1 : 1);
    return a;
  }
  static std::vector<double> other(Index size) {
    std::vector<double> v(static_cast<std::size_t>(size));
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = static_cast<double>(k * k % 17);
    return v;
  }
};

using Values = testing::Types<float, double>;
TYPED_TEST_SUITE(DenseKernels, Values);

TYPED_TEST(DenseKernels, AgreeWithTheLoopAtEveryLength) {
  for (Index size = 0; size <= 100; ++size) {
    const auto a = this->line(size);
    const auto v = this->other(size);
    double product = 0, squares = 0;
    std::vector<double> added = v;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const auto value = static_cast<double>(a[k + 1]);
      product += value * v[k];
      squares += value * value;
      added[k] += 0.5 * value;
    }
    EXPECT_EQ(dense_dot(a.data() + 1, v.data(), size), product) << size;
    EXPECT_EQ(dense_squared_norm(a.data() + 1, size), squares) << size;
    std::vector<double> out = v;
    dense_add_scaled(a.data() + 1, 0.5, out.data(), size);
    EXPECT_EQ(out, added) << size;
  }
}

}  // namespace dense_kernels_test
}  // namespace pdbfw
