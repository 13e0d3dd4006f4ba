#include "linalg/pass_pair.hpp"

#include <algorithm>
#include <vector>

#include "base/clock.hpp"

namespace pdbfw {

double measure_pass_pair(const DataMatrix& A) {
  std::vector<double> x(static_cast<std::size_t>(A.columns()), 1.0), w(static_cast<std::size_t>(A.rows()), 1.0);
  const auto pair = [&] {
    const Stopwatch watch;
    multiply(A, x, w);
    multiply_transposed(A, w, x);
    const double seconds = watch.seconds();
    // Keeps the numbers in range, and the compiler from dropping the products.
    const double largest = *std::max_element(x.begin(), x.end());
    for (double& value : x) value /= 1.0 + (largest < 0 ? -largest : largest);
    return seconds;
  };
  // Small data is over in microseconds: repeat until a good fifth of a second is seen, at least 5 and at most 101
  // times.
  constexpr double kEnoughSeconds = 0.2;
  (void)pair();  // warms the caches and builds the columns
  std::vector<double> seconds;
  const Stopwatch total;
  while (seconds.size() < 5 || (seconds.size() < 101 && total.seconds() < kEnoughSeconds)) seconds.push_back(pair());
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

}  // namespace pdbfw
