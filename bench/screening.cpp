// What safe screening would remove beside what the working set of `sequential` leaves out anyway:
// `bench_screening '{"data": FILE, "cases": [...], "tols": [...]}'` solves every case to every tolerance and prints one
// JSON object a line. bench/screening.py asks and makes a table of the answers.
//
// At a certified pair (x, y) with the gap G = P(x) - D(y), the solution is known to lie near:
//
//   |y* - y| <= sqrt(2 n beta G)   f_i* is 1/beta-strongly convex and enters D with the weight 1/n, so that
//                                  D(y) <= D(y*) - |y* - y|^2 / (2 n beta), and D(y*) - D(y) <= G
//   |x* - x| <= sqrt(2 G / mu)     P is mu-strongly convex, x* its minimiser over C, and P(x) - P(x*) <= G
//
// Features: |u*_j - u_j| <= r_j = |a_j| sqrt(2 n beta G) / n. The multiplier of the radius rises with the magnitudes,
// so that of (|u_j| - r_j)_+ is a lower bound of lambda*, and x*_j = 0 where |u_j| + r_j does not exceed it. Samples:
// |w*_i - w_i| <= |a_i| sqrt(2 G / mu). Where f_i is linear on that interval, y*_i is its slope.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "linalg/products.hpp"
#include "pdbfw/pdbfw.hpp"

namespace pdbfw {
namespace {

using Json = nlohmann::ordered_json;
using Flags = std::vector<bool>;

constexpr double kReferenceTol = 1e-9;
constexpr double kMostSeconds = 60;  // of one solve; all together take a few
// The values behind a gap are sums, rounded in their last digits; a certified gap of 0 is one of at most this share.
constexpr double kRounding = 1e-13;
// `sequential` leaves out the features inside the dead zone by at least this share of lambda [M16].
constexpr double kNearBorder = 0.5;

std::vector<double> norms(const Lines& lines, Index count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  squared_norms(lines, {}, out);
  std::ranges::transform(out, out.begin(), [](double square) { return std::sqrt(square); });
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  return std::sqrt(std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>{},
                                         [](double p, double q) { return (p - q) * (p - q); }));
}

// Entries of A in the wanted features of the wanted samples, as a share of all.
double share_of_entries(const DataMatrix& A, const Flags& features, const Flags& samples) {
  Index entries = 0;
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i) {
          if (!samples[static_cast<std::size_t>(i)]) continue;
          const auto row = rows[i];
          for (Index k = 0; k < row.size; ++k) entries += features[static_cast<std::size_t>(row.index(k))] ? 1 : 0;
        }
      },
      A.by_row());
  return static_cast<double>(entries) / static_cast<double>(A.nonzeros());
}

Flags both(const Flags& a, const Flags& b) {
  Flags out(a.size());
  std::transform(a.begin(), a.end(), b.begin(), out.begin(), std::logical_and<>{});
  return out;
}

// A solve, and all that follows from its certificate.
struct Screened {
  Result result{};
  double dual_reach = 0;        // bound of |y* - y|
  double primal_reach = 0;      // bound of |x* - x|
  Flags support{};              // of x
  Flags working_set{};          // what `sequential` would sweep at this y
  Flags kept{};                 // features that the safe rule cannot exclude
  Flags free{};                 // samples that the safe rule cannot fix
  std::vector<double> slope{};  // of the linear piece that a fixed sample lies on
};

void screen_features(const Problem& problem, const std::vector<double>& column_norm, Screened& s) {
  const auto n = static_cast<double>(problem.n());
  const Curvatures q = problem.regulariser->curvatures();
  std::vector<double> u(s.result.x.size());
  multiply_transposed(*problem.A, s.result.y, u);
  for (double& u_j : u) u_j /= -n;
  const double lambda = problem.set->dead_zone(u, q).multiplier;

  std::vector<double> least(u.size());
  for (std::size_t j = 0; j < u.size(); ++j)
    least[j] = std::max(0.0, std::abs(u[j]) - column_norm[j] * s.dual_reach / n);
  const double least_lambda = problem.set->dead_zone(least, q).multiplier;

  for (std::size_t j = 0; j < u.size(); ++j) {
    s.support.push_back(s.result.x[j] != 0);
    s.working_set.push_back(std::abs(u[j]) > (1 - kNearBorder) * lambda);
    s.kept.push_back(std::abs(u[j]) + column_norm[j] * s.dual_reach / n > least_lambda);
  }
}

void screen_samples(const Problem& problem, const std::vector<double>& row_norm, Screened& s) {
  std::vector<double> w(problem.loss->size());
  multiply(*problem.A, s.result.x, w);
  for (std::size_t i = 0; i < w.size(); ++i) {
    // The slope of a convex function rises: equal at both ends means equal between them.
    const double reach = row_norm[i] * s.primal_reach;
    const double first = problem.loss->derivative(i, w[i] - reach);
    const double last = problem.loss->derivative(i, w[i] + reach);
    s.free.push_back(first != last);
    s.slope.push_back(first);
  }
}

class Screening {
 public:
  explicit Screening(const Problem& problem)
      : problem_(problem),
        column_norm_(norms(problem.A->by_column(), problem.d())),
        row_norm_(norms(problem.A->by_row(), problem.n())),
        reference_(at(kReferenceTol)) {}

  [[nodiscard]] Screened at(double tol) const {
    Settings settings;
    settings.tol = tol;
    settings.max_seconds = kMostSeconds;
    Screened s{.result = solve(problem_, settings)};
    if (s.result.status != Status::converged) throw std::runtime_error(s.result.message);
    const double gap = s.result.certificate.gap + kRounding * std::abs(s.result.certificate.primal);
    s.dual_reach = std::sqrt(2 * static_cast<double>(problem_.n()) * problem_.loss->smoothness() * gap);
    s.primal_reach = std::sqrt(2 * gap / problem_.regulariser->strong_convexity());
    screen_features(problem_, column_norm_, s);
    screen_samples(problem_, row_norm_, s);
    return s;
  }

  // What is safe holds at the solution, of which the reference knows nearly all.
  void check(const Screened& s) const {
    for (std::size_t j = 0; j < s.kept.size(); ++j)
      if (reference_.support[j] && !s.kept[j])
        throw std::runtime_error("feature " + std::to_string(j) + " of the solution was excluded");
    for (std::size_t i = 0; i < s.free.size(); ++i)
      if (!s.free[i] && std::abs(s.slope[i] - reference_.result.y[i]) > reference_.dual_reach)
        throw std::runtime_error("sample " + std::to_string(i) + " was fixed at the wrong slope");
    if (distance(s.result.y, reference_.result.y) > s.dual_reach + reference_.dual_reach)
      throw std::runtime_error("the dual solution is farther away than its bound");
    if (distance(s.result.x, reference_.result.x) > s.primal_reach + reference_.primal_reach)
      throw std::runtime_error("the solution is farther away than its bound");
  }

  [[nodiscard]] Json to_json(const Screened& s) const {
    const DataMatrix& A = *problem_.A;
    const Flags all_samples(s.free.size(), true);
    const Flags both_sets = both(s.working_set, s.kept);
    const auto group = [&](const Flags& features, const Flags& samples) {
      return Json{{"features", std::ranges::count(features, true)},
                  {"entries", share_of_entries(A, features, samples)}};
    };
    return {{"n", A.rows()},
            {"d", A.columns()},
            {"entries", A.nonzeros()},
            {"relative_gap", s.result.certificate.relative_gap},
            {"engines", s.result.solver},
            {"passes", s.result.work.data_passes},
            {"solution", group(reference_.support, all_samples)},
            {"working_set", group(s.working_set, all_samples)},
            {"safe", group(s.kept, all_samples)},
            {"samples_fixed", std::ranges::count(s.free, false)},
            {"working_set_and_safe_features", group(both_sets, all_samples)},
            {"working_set_and_safe_both", group(both_sets, s.free)},
            {"dual_distance_of_bound", distance(s.result.y, reference_.result.y) / s.dual_reach},
            {"primal_distance_of_bound", distance(s.result.x, reference_.result.x) / s.primal_reach}};
  }

 private:
  const Problem& problem_;
  std::vector<double> column_norm_, row_norm_;
  Screened reference_;
};

void answer(const Json& question) {
  Dataset data = read_dataset(question.at("data").get<std::string>());
  data.target = encode_labels(data.target).sign;
  for (const Json& asked : question.at("cases")) {
    Formulation formulation;
    formulation.radius = asked.at("radius");
    formulation.ridge = Ridge::parse(asked.at("ridge").get<std::string>());
    const Problem problem = make_problem(data.A, data.target, formulation);
    const Screening screening(problem);
    for (const double tol : question.at("tols")) {
      const Screened screened = screening.at(tol);
      screening.check(screened);
      Json line{
          {"data", question.at("data")}, {"radius", asked.at("radius")}, {"ridge", asked.at("ridge")}, {"tol", tol}};
      line.update(screening.to_json(screened));
      std::cout << line.dump() << std::endl;
    }
  }
}

}  // namespace
}  // namespace pdbfw

int main(int count, char** arguments) {
  try {
    if (count != 2)
      throw std::runtime_error("usage: bench_screening JSON; the head of bench/screening.cpp says what it holds");
    pdbfw::answer(pdbfw::Json::parse(arguments[1]));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
