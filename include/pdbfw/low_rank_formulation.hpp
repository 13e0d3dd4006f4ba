// Low-rank problems by names and numbers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/formulation.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

struct Formulation {
  std::string loss = "squared";
  std::string set = "trace";
  double radius = 100;
  Ridge ridge{1, true};
  double smoothing = 1;    // of the hinges, in (0, 1]
  double huber_width = 1;  // huber: where the loss turns linear
};

// Throws InputError: unknown name (with the nearest known one), number out of range, targets that do not fit. With a
// team, the samples of the map are those of this member, and all members call it together.
[[nodiscard]] Problem make_problem(MapPtr map, Matrix B, const Formulation& formulation, TeamPtr team = {});

[[nodiscard]] std::shared_ptr<const RowLoss> make_row_loss(const Formulation& formulation);
[[nodiscard]] std::shared_ptr<const SpectralSet> make_spectral_set(std::string_view name, double radius);

[[nodiscard]] std::vector<std::string_view> loss_names();
[[nodiscard]] std::vector<std::string_view> set_names();

}  // namespace pdbfw::low_rank
