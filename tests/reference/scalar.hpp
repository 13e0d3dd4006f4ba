// Maximum of a concave function of one variable, and the root of a falling one, without any derivative.
#pragma once

#include <cmath>

namespace pdbfw::reference {

// Golden section. The place is good to about the square root of the precision, the value to all of it.
template <class Function>
double argmax(const Function& f, double low, double high) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double fa = f(a), fb = f(b);
  for (int t = 0; t < 200; ++t) {
    if (fa < fb) {
      low = a;
      a = b;
      fa = fb;
      b = low + golden * (high - low);
      fb = f(b);
    } else {
      high = b;
      b = a;
      fb = fa;
      a = high - golden * (high - low);
      fa = f(a);
    }
  }
  return (low + high) / 2;
}

// Halving: f(low) >= 0 >= f(high), f never rises.
template <class Function>
double root_of_falling(const Function& f, double low, double high) {
  for (int t = 0; t < 2'000 && low < high; ++t) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (f(middle) > 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace pdbfw::reference
