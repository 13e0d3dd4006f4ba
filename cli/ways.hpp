// The ways in which `train` works, and which of its options each of them obeys; `certify` has some of these options.
#pragma once

#include <CLI/CLI.hpp>

#include "pdbfw/fields.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {

// The first four are the kinds of models (ModelKind), in their order.
enum class Way {
  one_model,    // one vector of weights: two classes, or numbers
  one_vs_rest,  // one vector of weights for each of several classes
  joint,        // the same, learnt together
  matrix,       // the set trace
  folds,        // -v: an accuracy, and no model
};

[[nodiscard]] constexpr Way way_of(ModelKind kind) { return static_cast<Way>(kind); }

// Throws InputError for an option that was given and would not be obeyed in this way, or not with several processes. An
// option is obeyed or refused, never dropped: one that the table does not know is refused everywhere.
void require_obeyed(const CLI::App& parser, const Request& request, Way way, bool has_team = false);

}  // namespace pdbfw::cli
