// Every loss and set of the registry with several of its own numbers: a new one is tested as soon as it has a name.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/registry.hpp"
#include "base/random.hpp"

namespace pdbfw::test {

struct LossCase {
  std::string name;  // with its numbers, for messages
  Formulation formulation;
  std::shared_ptr<const Loss> loss;  // of no samples, for its kind and its constants

  [[nodiscard]] std::shared_ptr<const Loss> of(std::vector<double> targets, std::vector<double> weight = {}) const {
    return make_loss(formulation, std::move(targets), std::move(weight));
  }
};

// A loss that has neither a smoothing nor a width is the same in all variants; once more costs nothing.
inline std::vector<LossCase> loss_cases() {
  std::vector<LossCase> cases;
  for (const std::string_view name : loss_names())
    for (const auto& [smoothing, width] : {std::pair{1.0, 1.0}, std::pair{0.5, 0.1}, std::pair{0.05, 10.0}}) {
      const Formulation f{.loss = std::string(name), .smoothing = smoothing, .huber_width = width};
      cases.push_back({fmt::format("{} (smoothing {}, width {})", name, smoothing, width), f, make_loss(f)});
    }
  return cases;
}

inline std::vector<std::shared_ptr<const Set>> set_cases(double radius) {
  std::vector<std::shared_ptr<const Set>> cases;
  for (const std::string_view name : set_names())
    cases.push_back(make_set({.set = std::string(name), .radius = radius}));
  return cases;
}

inline double random_target(const Loss& loss, Random& random) {
  if (loss.target_kind() == TargetKind::labels) return random.uniform() < 0.5 ? -1.0 : 1.0;
  return 2 * random.normal();
}

}  // namespace pdbfw::test
