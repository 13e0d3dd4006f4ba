// How to solve: accuracy, limits, and what researchers may choose. Every field has a default; none needs to be set.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pdbfw/errors.hpp"

namespace pdbfw {

struct Start;       // result.hpp
struct TracePoint;  // result.hpp
namespace low_rank {
struct Start;  // low_rank.hpp
}  // namespace low_rank
namespace joint {
struct Start;  // joint.hpp
}  // namespace joint

struct Settings {
  // The point that a solve has come to, handed over at intervals of this number of seconds, between two iterations: to
  // be kept (checkpoint.hpp), so that another solve can begin there. It is what the solver believes to be best, or the
  // best that was certified; the solve goes on as it would have without. Sparse solves call `save`, those of matrices
  // `save_matrix`, joint ones `save_joint`; what makes several solves (a path, a penalty, folds) does so in each of
  // them.
  //
  // In a team every member gives the same `every_seconds` and a function. The clock of rank 0 decides; all are called
  // at the same place, each with all of x and its own rows of y, and may use the team.
  struct Checkpoints {
    double every_seconds = 60;  // >= 0
    std::function<void(const Start& point, const TracePoint& now)> save{};
    std::function<void(const low_rank::Start& point, const TracePoint& now)> save_matrix{};
    std::function<void(const joint::Start& point, const TracePoint& now)> save_joint{};
  };

  // Stop when the certified relative duality gap is at most this.
  double tol = 1e-4;
  // `solver_names()` (solve.hpp) lists them, `solver_descriptions()` says what they are.
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

// What a solver says about itself; solver_descriptions() (solve.hpp) lists all.
struct SolverDescription {
  std::string_view name;                        // as in Settings::solver
  std::string_view summary;                     // what it is, in one line
  std::string_view reference;                   // authors and year; "pdbfw" for what is our own
  std::string_view losses = "any";              // that it takes: "any", or the rule
  std::string_view sets = "any";                // that it takes: "any" but polytopes, or the rule
  bool needs_ridge = false;                     // ridge 0 is refused
  std::span<const std::string_view> options{};  // the research settings that it reads, by name
  bool takes_polytopes = false;                 // a linear oracle of the set is enough for it
  bool takes_intercept = false;                 // it learns one
  bool takes_free_features = false;             // it sees the loss as a whole, not sample by sample
  bool takes_streamed = false;                  // passes over the rows are enough for it, which need not be in memory
  bool takes_team = false;                      // it needs only some of the rows, and a team that has the others

  [[nodiscard]] bool reads(std::string_view option) const {
    for (const std::string_view own : options)
      if (own == option) return true;
    return false;
  }
};

}  // namespace pdbfw
