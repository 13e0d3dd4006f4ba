// How to solve: accuracy, limits, and what researchers may choose. Every field has a default; none needs to be set.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "pdbfw/errors.hpp"

namespace pdbfw {

struct Start;       // result.hpp
struct TracePoint;  // result.hpp
namespace low_rank {
struct Start;  // low_rank_solve.hpp
}  // namespace low_rank

// The point that a solve has come to, handed over every so many seconds, between two iterations: to be kept
// (checkpoint.hpp), so that another solve can begin there. It is what the solver believes to be best, or the best that
// was certified; the solve goes on as it would have without. Sparse solves call `save`, those of matrices
// `save_matrix`, classes learnt jointly neither; what makes several solves (a path, a penalty, folds) does so in each
// of them.
//
// In a team every member gives the same `every_seconds` and a function. The clock of rank 0 decides; all are called at
// the same place, each with all of x and its own rows of y, and may use the team.
struct Checkpoints {
  double every_seconds = 60;  // >= 0
  std::function<void(const Start& point, const TracePoint& now)> save{};
  std::function<void(const low_rank::Start& point, const TracePoint& now)> save_matrix{};
};

struct Settings {
  // Stop when the certified relative duality gap is at most this.
  double tol = 1e-4;
  // `solver_names()` lists them, `solver_descriptions()` says what they are.
  std::string solver = "auto";

  // For the solver pdbfw and the baselines, and never needed; each reads those that its description names.
  std::string steps = "adaptive";       // adaptive: found while running; theory: the rule of the method's own paper
  std::optional<Index> block_primal{};  // the paper's s: non-zeros of a primal step, >= 1; d if larger
  std::optional<Index> block_dual{};    // the paper's k: rows of a dual step, >= 1; n if larger
  std::string block_rule = "gs_r";      // which rows those are: gs_r, the k that change most; random; cyclic; full, all
  std::optional<double> eta{};          // primal step, (0, 1]
  std::optional<double> delta{};        // dual proximal step, > 0
  double step_scale = 1;                // multiplies the step constant of a baseline's own rule, > 0

  Index max_iterations = 1'000'000;
  double max_seconds = std::numeric_limits<double>::infinity();
  double max_passes = std::numeric_limits<double>::infinity();  // data passes, see Work
  int threads = 1;
  std::uint64_t seed = 0;

  Checkpoints checkpoints{};
};

// Throws InputError for a value out of range or an unknown name (with the nearest known one).
void validate(const Settings& settings);

}  // namespace pdbfw
