// From a data set and a request to a model: what `train` and `demo` have in common.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/interrupt.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {

struct Prepared {
  Problem problem;
  std::optional<std::array<double, 2>> labels;  // what -1 and +1 stand for
};

// Maps labels to -1 and +1 where the loss wants them. Throws InputError that begins with `name`, the data's.
[[nodiscard]] Prepared prepare(const Dataset& data, const std::string& name, const Formulation& formulation,
                               const std::optional<std::array<double, 2>>& known_labels = std::nullopt,
                               const TeamPtr& team = {});

// +1 for this target, -1 for any other.
[[nodiscard]] std::vector<double> signs_from(const std::vector<double>& target, double positive);

// Where an earlier model ended: its weights and, if it was learnt from as many rows, its proof. Features that it does
// not know begin at zero. Throws InputError that begins with `name`, the model's, when it knows features that the data
// do not have, or other labels.
[[nodiscard]] Start start_from(const Model& model, const std::string& name, const Prepared& prepared);

// A solve that shows its progress on a terminal and stops when interrupted.
[[nodiscard]] Result solve_watched(const Problem& problem, const Settings& settings, const InterruptGuard& interrupt,
                                   bool shows_progress, const Start& start = {});

[[nodiscard]] Penalised solve_penalised_watched(const Problem& problem, double alpha, const Settings& settings,
                                                const InterruptGuard& interrupt, bool shows_progress);

[[nodiscard]] Model make_model(const Prepared& prepared, const Formulation& formulation, const Result& result,
                               bool has_proof);

}  // namespace pdbfw::cli
