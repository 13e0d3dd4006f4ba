// Which rows a dual step of Algorithm 1 should take. `bench_selection_rules '{"data": FILE or null, "radius": 300,
// "ridge": "10/n", "tols": [1e-2, 1e-4], "shares": [0.02, 0.25], "repeats": 3}'` prints one JSON object a rule and
// block size (a share of the rows), with the work to each tolerance, and then one per block size for an exact search;
// null stands for generated data. bench/selection_rules.py asks and makes tables of the answers.
//
// The search: how many rows must be looked at for the block of the rule gs_r, if w = A x is not kept?
// Algorithm 1 takes the k rows with the largest |y_tilde_i - y_i|, which depends on a_i'x alone and rises with its
// distance from where the row would stay: a search for large inner products. A row need not be looked at if no a_i'x
// that is still possible would bring it among the k largest. Two bounds, both by Cauchy and Schwarz:
//
//   norms    |a_i'x| <= |a_i| |x|
//   drift    |a_i'x - w_i| <= |a_i| (way that x has gone since w_i = a_i'x was computed)
//
// Rows are looked at in the order of their bounds until k of them lie above all bounds that are left: the block is
// exactly that of the rule gs_r, so the iterates are too.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/judge.hpp"
#include "linalg/products.hpp"
#include "linalg/select.hpp"
#include "pdbfw/pdbfw.hpp"

namespace pdbfw {
namespace {

using Json = nlohmann::ordered_json;
using Vector = std::vector<double>;

constexpr Index kMostIterations = 2'000;
constexpr double kMostSeconds = 60;

Index block_size(const Problem& p, double share) {
  return std::max<Index>(1, static_cast<Index>(std::lround(share * static_cast<double>(p.n()))));
}

// How far each row's step can go at most when a_i'x lies within `reach` of `centre`: the step rises with a_i'x, so one
// of the two ends is the farthest.
Vector farthest_steps(const Problem& p, const Vector& centre, const Vector& reach, const Vector& y, double step) {
  Vector farthest(y.size(), 0.0), end(y.size()), y_tilde(y.size());
  for (const double sign : {-1.0, 1.0}) {
    for (std::size_t i = 0; i < y.size(); ++i) end[i] = centre[i] + sign * reach[i];
    p.loss->dual_proxes(end, y, step, y_tilde);
    for (std::size_t i = 0; i < y.size(); ++i) farthest[i] = std::max(farthest[i], std::abs(y_tilde[i] - y[i]));
  }
  return farthest;
}

double relative_gap(const Problem& p, const Vector& x, const Vector& y) { return certify(p, x, y).relative_gap; }

struct Looks {
  double sum = 0;  // of the shares of rows
  void add(std::size_t rows, std::size_t of) { sum += static_cast<double>(rows) / static_cast<double>(of); }
};

Json search(const Problem& p, double tol, double share) {
  const auto n = static_cast<double>(p.n());
  const Index k = block_size(p, share);
  // The steps that the adaptive rule arrives at, kept.
  const Settings steps =
      solve(p, {.tol = tol, .solver = "pdbfw", .block_dual = k, .max_iterations = kMostIterations}).settings;
  const double eta = *steps.eta, L = p.regulariser->smoothness(), step = *steps.delta / n;
  Vector norm(p.loss->size());
  squared_norms(p.A->by_row(), {}, norm);
  for (double& value : norm) value = std::sqrt(value);

  Vector x = start_point(p), y(p.loss->size()), w(p.loss->size()), z(x.size()), v(x.size()), y_tilde(y.size());
  multiply(*p.A, x, w);
  Vector known = w, known_at(y.size(), 0.0);  // w_i when the row was last looked at, and the way gone by then
  const Vector nowhere(y.size(), 0.0);
  double way = 0;
  Looks by_norms, by_drift;
  SparseAtom x_tilde;
  Index t = 0;
  while (t < kMostIterations && !(t % 10 == 0 && relative_gap(p, x, y) <= tol)) {
    ++t;
    // [M11a], [M11b]
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = z[j] / n;
    p.regulariser->add_gradient(x, v);
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = x[j] - v[j] / (L * eta);
    p.set->block_oracle(v, *steps.block_primal, x_tilde);
    Vector next(x);
    for (double& x_j : next) x_j *= 1 - eta;
    for (std::size_t m = 0; m < x_tilde.at.size(); ++m)
      next[static_cast<std::size_t>(x_tilde.at[m])] += eta * x_tilde.value[m];
    double moved = 0, length = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      moved += (next[j] - x[j]) * (next[j] - x[j]);
      length += next[j] * next[j];
    }
    x = next;
    way += std::sqrt(moved);
    length = std::sqrt(length);
    multiply(*p.A, x, w);

    // [M11c]
    p.loss->dual_proxes(w, y, step, y_tilde);
    const auto change = [&](Index i) {
      return std::abs(y_tilde[static_cast<std::size_t>(i)] - y[static_cast<std::size_t>(i)]);
    };
    const std::vector<Index> block = largest(p.n(), k, change);
    double least = std::numeric_limits<double>::infinity();  // that is in the block
    for (const Index i : block) least = std::min(least, change(i));
    Vector reach(norm);
    for (double& r : reach) r *= length;
    const Vector bound_by_norm = farthest_steps(p, nowhere, reach, y, step);
    by_norms.add(static_cast<std::size_t>(std::ranges::count_if(bound_by_norm, [&](double b) { return b >= least; })),
                 y.size());
    for (std::size_t i = 0; i < y.size(); ++i) reach[i] = norm[i] * (way - known_at[i]);
    const Vector bound_by_drift = farthest_steps(p, known, reach, y, step);
    std::size_t looked = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (bound_by_drift[i] < least) continue;
      ++looked;
      known[i] = w[i];
      known_at[i] = way;
    }
    by_drift.add(looked, y.size());

    // [M11d]
    Vector by_row;
    for (const Index i : block) {
      const auto row = static_cast<std::size_t>(i);
      by_row.push_back(y_tilde[row] - y[row]);
      y[row] = y_tilde[row];
    }
    add_lines(p.A->by_row(), block, by_row, z);
  }
  return {{"share", share},
          {"k", k},
          {"iterations", t},
          {"relative_gap", relative_gap(p, x, y)},
          {"by_norms", by_norms.sum / static_cast<double>(t)},
          {"by_drift", by_drift.sum / static_cast<double>(t)}};
}

// The first point of the trace that meets the tolerance, or null.
const TracePoint* first_below(const Result& result, double tol) {
  const auto at =
      std::ranges::find_if(result.trace, [&](const TracePoint& point) { return point.relative_gap <= tol; });
  return at == result.trace.end() ? nullptr : &*at;
}

// The solve is the same every time, but for its seconds.
Json compare(const Problem& p, const std::string& rule, Index k, const Vector& tols, int repeats) {
  const Settings settings{.tol = tols.back(),
                          .solver = "pdbfw",
                          .block_dual = k,
                          .block_rule = rule,
                          .max_iterations = kMostIterations,
                          .max_seconds = kMostSeconds};
  std::vector<Result> results;
  for (int t = 0; t < repeats; ++t) results.push_back(solve(p, settings));
  Json answer{{"rule", rule}, {"n", p.n()}, {"k", k}, {"met", Json::array()}};
  for (const double tol : tols) {
    Json& met = answer["met"].emplace_back();
    for (const Result& result : results)
      if (const TracePoint* const at = first_below(result, tol)) {
        met["iterations"] = at->iteration;
        met["passes"] = at->data_passes;
        met["multiply_adds"] = at->multiply_adds;
        met["seconds"].push_back(at->seconds);
      }
  }
  return answer;
}

void answer(const Json& question) {
  const Dataset data = question.at("data").is_null() ? generate({.rows = 3'000, .features = 10'000, .seed = 1}).data
                                                     : read_dataset(question.at("data").get<std::string>());
  const Problem problem =
      make_problem(data.A, encode_labels(data.target).sign,
                   {.radius = question.at("radius"), .ridge = Ridge::parse(question.at("ridge").get<std::string>())});
  const auto tols = question.at("tols").get<Vector>(), shares = question.at("shares").get<Vector>();
  const int repeats = question.at("repeats");
  const auto print = [](const Json& line) { std::cout << line.dump() << std::endl; };
  print(compare(problem, "full", problem.n(), tols, repeats));
  for (const double share : shares)
    for (const std::string rule : {"gs_r", "random", "cyclic"})
      print(compare(problem, rule, block_size(problem, share), tols, repeats));
  for (const double share : shares) print(search(problem, tols.back(), share));
}

}  // namespace
}  // namespace pdbfw

int main(int count, char** arguments) {
  try {
    if (count != 2)
      throw std::runtime_error(
          "usage: bench_selection_rules JSON; the head of bench/selection_rules.cpp says what it holds");
    pdbfw::answer(pdbfw::Json::parse(arguments[1]));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
