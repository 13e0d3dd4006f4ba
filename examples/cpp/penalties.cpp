// A penalty on the l1 norm instead of a radius, and a path of penalties from the data; each is proven.
#include <algorithm>
#include <cstdio>
#include <pdbfw/pdbfw.hpp>

int main() {
  const pdbfw::Dataset data = pdbfw::generate({.rows = 500, .features = 200}).data;
  const pdbfw::Problem problem =
      pdbfw::make_problem(data.A, data.target, {.loss = "logistic", .ridge = {0, false}, .intercept = true});

  const pdbfw::Penalised one = pdbfw::solve_penalised(problem, 0.002);
  std::printf("alpha 0.002 is the ball of radius %.4g, relative gap %.1e\n", one.radius, one.certificate.relative_gap);

  // From the smallest penalty that allows no feature down, until smaller ones gain nothing.
  for (const pdbfw::Penalised& found : pdbfw::solve_penalties(problem, pdbfw::path_alphas(problem, {.points = 8}))) {
    const std::vector<double>& x = found.result.x;
    std::printf("alpha %.3e  radius %8.4g  %3td features  relative gap %.1e\n", found.alpha, found.radius,
                std::count_if(x.begin(), x.end(), [](double x_j) { return x_j != 0; }), found.certificate.relative_gap);
  }
}
