// A loss of one's own: the expectile loss, which charges predictions that are too low more than those that are too
// high.
//
//   r = w - b,   f(w) = c(r) r^2 / 2,   c(r) = kHigh for r > 0, kLow for r <= 0
//   f*(y) = y^2 / (2 c(y)) + b y
#include <iostream>
#include <memory>
#include <pdbfw/pdbfw.hpp>

struct Expectile {
  static constexpr std::string_view kName = "expectile";
  static constexpr pdbfw::TargetKind kTargetKind = pdbfw::TargetKind::numbers;
  static constexpr double kHigh = 0.2, kLow = 0.8;

  static double c(double r) { return r > 0 ? kHigh : kLow; }
  static double value(double b, double w) { return c(w - b) * (w - b) * (w - b) / 2; }
  static double derivative(double b, double w) { return c(w - b) * (w - b); }
  static double second_derivative(double b, double w) { return c(w - b); }
  static double conjugate(double b, double y) { return y * y / (2 * c(y)) + b * y; }
  static double conjugate_derivative(double b, double y) { return y / c(y) + b; }
  // argmax_u  w u - f*(u) - (u - y)^2 / (2 step): the sign of the numerator is that of the answer.
  static double dual_prox(double b, double w, double y, double step) {
    if (step > 1) return (y / step + (w - b)) / (1 / step + 1 / c(y / step + (w - b)));
    return (y + step * (w - b)) / (1 + step / c(y + step * (w - b)));
  }
  static double smoothness() { return kLow; }
  static double curvature() { return kHigh; }
};

int main() {
  const pdbfw::Dataset data =
      pdbfw::generate({.rows = 1'000, .features = 2'000, .noise = 0.1, .is_regression = true}).data;
  pdbfw::Problem problem = pdbfw::make_problem(data.A, data.target, {.loss = "squared", .radius = 20});
  problem.loss = std::make_shared<pdbfw::Separable<Expectile>>(data.target);

  const pdbfw::Result result = pdbfw::solve(problem, {.tol = 1e-6});
  std::cout << problem.loss->name() << ": " << result.message << '\n';
  return result.status == pdbfw::Status::converged ? 0 : 1;
}
