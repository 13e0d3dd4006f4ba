// How to solve: accuracy, limits, and what researchers may choose. Every field has a default; none needs to be set.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "pdbfw/errors.hpp"

namespace pdbfw {

struct Settings {
  // Stop when the certified relative duality gap is at most this.
  double tol = 1e-4;
  // auto, sequential, working_set or pdbfw (`solver_names()` lists them).
  std::string solver = "auto";

  // Only for the solver pdbfw, and never needed: adaptive finds all four by itself, theory takes the theorem's.
  std::string steps = "adaptive";
  std::optional<Index> block_primal{};  // the paper's s: non-zeros of a primal step, >= 1; d if larger
  std::optional<Index> block_dual{};    // the paper's k: rows of a dual step, >= 1; n if larger
  std::optional<double> eta{};          // primal step, (0, 1]
  std::optional<double> delta{};        // dual proximal step, > 0

  Index max_iterations = 1'000'000;
  double max_seconds = std::numeric_limits<double>::infinity();
  double max_passes = std::numeric_limits<double>::infinity();  // data passes, see Work
  int threads = 1;
  std::uint64_t seed = 0;
};

// Throws InputError for a value out of range or an unknown name (with the nearest known one).
void validate(const Settings& settings);

}  // namespace pdbfw
