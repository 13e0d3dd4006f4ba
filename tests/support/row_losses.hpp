// Every row loss of the registry with several of its own numbers: a new one is tested as soon as it has a name.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "base/random.hpp"

namespace pdbfw::test {

inline std::span<const double> row(const Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
inline std::span<double> row(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

struct RowLossCase {
  std::string name;  // with its numbers, for messages
  Formulation formulation;
  std::shared_ptr<const RowLoss> loss;  // of no samples, for its kind and its constants

  [[nodiscard]] std::shared_ptr<const RowLoss> of(Matrix targets, std::vector<double> weight = {}) const {
    return low_rank::make_row_loss(formulation, std::move(targets), std::move(weight));
  }
};

// A loss that has neither a smoothing nor a width is the same in all variants; once more costs nothing.
inline std::vector<RowLossCase> row_loss_cases() {
  std::vector<RowLossCase> cases;
  for (const std::string_view name : low_rank::loss_names())
    for (const auto& [smoothing, width] : {std::pair{1.0, 1.0}, std::pair{0.5, 0.1}, std::pair{0.05, 10.0}}) {
      const Formulation f{.loss = std::string(name), .smoothing = smoothing, .huber_width = width};
      cases.push_back(
          {fmt::format("{} (smoothing {}, width {})", name, smoothing, width), f, low_rank::make_row_loss(f)});
    }
  return cases;
}

}  // namespace pdbfw::test
