#include "apps/validate_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "base/names.hpp"

namespace pdbfw {

namespace {

template <class Number>
void require(bool is_met, std::string_view field, Number number, std::string_view rule) {
  if (!is_met) throw InputError(field, fmt::format("{}", number), rule);
}

void require_name(std::string_view field, std::string_view name, std::span<const std::string_view> known) {
  if (std::find(known.begin(), known.end(), name) == known.end()) throw_unknown_name(field, name, known);
}

bool is_finite_above_zero(double number) { return number > 0 && std::isfinite(number); }

}  // namespace

void validate_numbers(const Settings& s) {
  constexpr std::array<std::string_view, 2> kSteps{"adaptive", "theory"};
  constexpr std::array<std::string_view, 4> kRules{"gs_r", "random", "cyclic", "full"};
  constexpr std::string_view kPositive = "a finite number > 0", kLimit = "a number >= 0", kCount = "an integer >= 1";
  require(is_finite_above_zero(s.tol), "tol", s.tol, kPositive);
  require_name("steps", s.steps, kSteps);
  if (s.block_primal) require(*s.block_primal >= 1, "block_primal", *s.block_primal, kCount);
  if (s.block_dual) require(*s.block_dual >= 1, "block_dual", *s.block_dual, kCount);
  require_name("block_rule", s.block_rule, kRules);
  if (s.eta) require(*s.eta > 0 && *s.eta <= 1, "eta", *s.eta, "a number in (0, 1]");
  if (s.delta) require(is_finite_above_zero(*s.delta), "delta", *s.delta, kPositive);
  require(is_finite_above_zero(s.step_scale), "step_scale", s.step_scale, kPositive);
  require(s.max_iterations >= 0, "max_iterations", s.max_iterations, "an integer >= 0");
  require(s.max_seconds >= 0, "max_seconds", s.max_seconds, kLimit);
  require(s.max_passes >= 0, "max_passes", s.max_passes, kLimit);
  require(s.threads >= 1 && s.threads <= 1024, "threads", s.threads, "an integer, 1 .. 1024");
  require(s.checkpoints.every_seconds >= 0, "every_seconds", s.checkpoints.every_seconds, kLimit);
}

}  // namespace pdbfw
