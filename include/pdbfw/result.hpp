// What a solve gives back, and what a callback sees on the way; and the judge of both, certify().
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// P(x) >= P* = D* >= D(y) for every x in C and every y: the gap bounds how far P(x) is above the optimum.
struct Certificate {
  double primal = 0;        // P(x)
  double dual = 0;          // D(y), y balanced first if there is an intercept; -inf outside the conjugate's domain
  double gap = 0;           // P(x) - D(y) >= P(x) - P*, no less than its rounding; 0 where they agree to 13 digits
  double relative_gap = 0;  // gap / max(|P(x)|, tiny), tiny = kTinyFraction * P(0); the one stop rule
  double violation = 0;     // 0 when x lies in C
};

// Below this fraction of the objective at zero an objective counts as zero, so that a problem whose optimum is zero
// still ends.
inline constexpr double kTinyFraction = 1e-9;

// The one judge. Everything is recomputed from A, b, x and y; nothing a solver kept on its way is trusted.  [M2]
[[nodiscard]] Certificate certify(const Problem& problem, std::span<const double> x, std::span<const double> y,
                                  int threads = 1);

// In every status x is the best primal point found, y the best dual point, and the certificate belongs to the two.
//
//   status            meaning                                                      relative gap
//   converged         the certified gap is within the tolerance                    <= tol
//   iteration_limit   max_iterations was reached                                   > tol
//   time_limit        max_seconds was reached                                      > tol
//   pass_limit        max_passes was reached                                       > tol
//   stalled           the gap no longer falls (rounding, or bad steps were asked)  > tol
//   diverged          the given steps made the iterates blow up                    > tol
//   interrupted       the callback asked to stop                                   > tol
//   team_lost         another process of the team died or was not heard of         > tol
enum class Status { converged, iteration_limit, time_limit, pass_limit, stalled, diverged, interrupted, team_lost };

[[nodiscard]] std::string_view to_string(Status status);

// Work that does not depend on the machine.
struct Work {
  Index iterations = 0;      // sweeps (sequential), working sets (working_set), epochs (svrg, storc, svrf), steps
  Index oracle_calls = 0;    // calls of the set's oracles (projections, thresholds, linear oracles)
  double multiply_adds = 0;  // multiply-adds with entries of A, certificates included
  double data_passes = 0;    // multiply_adds / nonzeros of A: one A x is one pass
};

// One row of the trace; also what a callback sees.
struct TracePoint {
  Index iteration = 0;
  double seconds = 0;
  double data_passes = 0;
  double multiply_adds = 0;
  double primal = 0;
  double dual = 0;
  double gap = 0;
  double relative_gap = 0;
  Index nonzeros = 0;         // of x; of a matrix X, its rank
  bool is_certified = false;  // recomputed from the data, or the solver's own running estimate
};

struct Progress {
  TracePoint now;
  double seconds_left = 0;  // estimated from the fall of the gap; NaN while unknown
};

// Called about once per iteration and several times inside a long one. Return false to stop.
using Callback = std::function<bool(const Progress&)>;

// Where to begin: what an earlier solve of a similar problem gave back, or nothing.
//   Result next = solve(similar, settings, {}, Start{last.x, last.y, last.multiplier});
// x is taken into C and y into the domain of the conjugate first; either may be empty. A y that is proven worse than 0
// is not used.
struct Start {
  std::vector<double> x{};  // d
  std::vector<double> y{};  // n
  double multiplier = 0;    // 0: unknown
};

// What every solve gives back besides the two points, whatever they are.
struct Outcome {
  double multiplier = 0;  // of the radius at y: the penalty on the norm of x that has the same solution
  Status status = Status::interrupted;
  std::string message;  // one sentence with the two numbers compared
  std::string solver;   // what ran; of auto, the engines it used: "sequential, working_set"
  Certificate certificate;
  Work work;
  double seconds = 0;
  Settings settings;  // in force: what was given, and what the solver chose itself
  std::vector<TracePoint> trace;
};

struct Result : Outcome {
  std::vector<double> x;               // d: the point of C, without the free features
  std::vector<double> y;               // n: the proof; D(y) is the lower bound
  double intercept = 0;                // where the formulation asks for one
  std::vector<double> free_weights{};  // one for each of the problem's free features
};

}  // namespace pdbfw
