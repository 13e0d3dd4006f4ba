// From labelled data and a request to a low-rank model, and back.
#pragma once

#include <string>

#include "cli/interrupt.hpp"
#include "cli/labelled_data.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {

// The loss for these data where none is given.
[[nodiscard]] std::string default_loss(const LabelledData& data);

// The fields that the low-rank family has.
[[nodiscard]] low_rank::Formulation matrix_formulation(const Formulation& formulation);

// The weights have a column for each of the first `outputs` labels or classes of the data. Throws InputError that
// begins with `name`, the data's, when there are more, or when the loss wants classes and the data have labels.
[[nodiscard]] low_rank::Problem prepare(const LabelledData& data, const std::string& name,
                                        const Formulation& formulation, Index outputs, const TeamPtr& team = {});

// A solve that shows its progress on a terminal and stops when interrupted.
[[nodiscard]] low_rank::Result solve_watched(const low_rank::Problem& problem, const Settings& settings,
                                             const InterruptGuard& interrupt, bool shows_progress,
                                             const low_rank::Start& start = {});

[[nodiscard]] Model make_model(const LabelledData& data, const low_rank::Problem& problem,
                               const Formulation& formulation, const low_rank::Result& result, bool has_proof);

// Where an earlier model ended: its weights and, if it was learnt from as many rows (of all processes), its proof.
// Features that it does not know begin at zero. Throws InputError that begins with `name`, the model's, when it knows
// features that the data do not have, or other labels.
[[nodiscard]] low_rank::Start start_from(const Model& model, const std::string& name, const LabelledData& data,
                                         const low_rank::Problem& problem);

// The same weights for other numbers of features: rows of zeros are added, or those behind left out.
[[nodiscard]] Factors with_rows(const Factors& X, Index rows);

}  // namespace pdbfw::cli
