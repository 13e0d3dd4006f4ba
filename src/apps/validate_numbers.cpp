#include "apps/validate_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/names.hpp"

namespace pdbfw {

void validate_numbers(const Settings& s) {
  if (!(s.tol > 0 && std::isfinite(s.tol))) throw InputError("tol", fmt::format("{}", s.tol), "a finite number > 0");
  constexpr std::array<std::string_view, 2> kSteps{"adaptive", "theory"};
  if (s.steps != kSteps[0] && s.steps != kSteps[1]) throw_unknown_name("steps", s.steps, kSteps);
  if (s.block_primal && *s.block_primal < 1)
    throw InputError("block_primal", fmt::format("{}", *s.block_primal), "an integer >= 1");
  if (s.block_dual && *s.block_dual < 1)
    throw InputError("block_dual", fmt::format("{}", *s.block_dual), "an integer >= 1");
  constexpr std::array<std::string_view, 4> kRules{"gs_r", "random", "cyclic", "full"};
  if (std::find(kRules.begin(), kRules.end(), s.block_rule) == kRules.end())
    throw_unknown_name("block_rule", s.block_rule, kRules);
  if (s.eta && !(*s.eta > 0 && *s.eta <= 1)) throw InputError("eta", fmt::format("{}", *s.eta), "a number in (0, 1]");
  if (s.delta && !(*s.delta > 0 && std::isfinite(*s.delta)))
    throw InputError("delta", fmt::format("{}", *s.delta), "a finite number > 0");
  if (!(s.step_scale > 0 && std::isfinite(s.step_scale)))
    throw InputError("step_scale", fmt::format("{}", s.step_scale), "a finite number > 0");
  if (s.max_iterations < 0) throw InputError("max_iterations", fmt::format("{}", s.max_iterations), "an integer >= 0");
  if (!(s.max_seconds >= 0)) throw InputError("max_seconds", fmt::format("{}", s.max_seconds), "a number >= 0");
  if (!(s.max_passes >= 0)) throw InputError("max_passes", fmt::format("{}", s.max_passes), "a number >= 0");
  if (s.threads < 1 || s.threads > 1024)
    throw InputError("threads", fmt::format("{}", s.threads), "an integer, 1 .. 1024");
  if (!(s.checkpoints.every_seconds >= 0))
    throw InputError("every_seconds", fmt::format("{}", s.checkpoints.every_seconds), "a number >= 0");
}

}  // namespace pdbfw
