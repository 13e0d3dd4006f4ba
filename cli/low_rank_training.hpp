// From labelled data and a request to a low-rank model, and back.
#pragma once

#include <string>

#include "cli/interrupt.hpp"
#include "cli/labelled_data.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::cli {

// The loss for these data where none is given.
[[nodiscard]] std::string default_loss(const LabelledData& data);

// The same numbers by the names of the table of fields.
[[nodiscard]] Formulation vector_formulation(const low_rank::Formulation& formulation);

// The weights have a column for each of the first `outputs` labels or classes of the data. Throws InputError that
// begins with `name`, the data's, when there are more, or when the loss wants classes and the data have labels.
[[nodiscard]] low_rank::Problem prepare(const LabelledData& data, const std::string& name,
                                        const Formulation& formulation, Index outputs, const TeamPtr& team = {});

// A solve that shows its progress on a terminal and stops when interrupted.
[[nodiscard]] low_rank::Result solve_watched(const low_rank::Problem& problem, const Settings& settings,
                                             const InterruptGuard& interrupt, bool shows_progress,
                                             const low_rank::Start& start = {});

[[nodiscard]] LowRankModel make_model(const LabelledData& data, const low_rank::Problem& problem,
                                      const Formulation& formulation, const low_rank::Result& result, bool has_proof);

// Any kind of model, judged as load_model (options.hpp) does.
[[nodiscard]] AnyModel load_any_model(const std::string& path);

// A model of labels or classes whose loss and set are known and whose numbers are in range. Throws InputError that
// begins with the file's name.
void require_trained(const std::string& path, const LowRankModel& model);

// What the columns of its weights stand for.
[[nodiscard]] Targets targets_of(const LowRankModel& model);
[[nodiscard]] std::vector<double> names_of(const LowRankModel& model);

// Where an earlier model ended: its weights and, if it was learnt from as many rows (of all processes), its proof.
// Features that it does not know begin at zero. Throws InputError that begins with `name`, the model's, when it knows
// features that the data do not have, or other labels.
[[nodiscard]] low_rank::Start start_from(const LowRankModel& model, const std::string& name, const LabelledData& data,
                                         const low_rank::Problem& problem);

// The same weights for other numbers of features: rows of zeros are added, or those behind left out.
[[nodiscard]] Factors with_rows(const Factors& X, Index rows);

}  // namespace pdbfw::cli
