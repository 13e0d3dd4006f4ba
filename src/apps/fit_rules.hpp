// What a fit learns, which requests it refuses, and what the tool asks of fits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/fit.hpp"

namespace pdbfw {

// The different targets of the rows of all members, ascending; no more than `most` of them. With a team all call it.
[[nodiscard]] std::vector<double> different_targets(const Samples& samples, std::size_t most);

// The rows here of numbers that are one for each row of all members. Throws InputError that names `field` for any other
// number of them.
[[nodiscard]] std::vector<double> own_rows(const Samples& samples, const std::vector<double>& all,
                                           std::string_view field);

// What these samples become. The formulation alone does not tell whether a loss of two classes is to be learnt once for
// each of several: that is where there are more than two different targets, but not so many that they must be numbers.
// With a team all members call it.
[[nodiscard]] ModelKind kind_of(const Formulation& formulation);  // vector where it may be one_vs_rest
[[nodiscard]] ModelKind kind_of(const Samples& samples, const Formulation& formulation);

// The loss of a formulation that names none: softmax for classes learnt jointly; for the set trace squared, softmax or
// multilabel_smooth_hinge, by the targets; else smooth_hinge.
[[nodiscard]] std::string default_loss(const Samples& samples, const Formulation& formulation);

// Whether the loss wants two labels or a number per row. Judges everything of the formulation that can be judged
// without data. Throws InputError.
[[nodiscard]] TargetKind target_kind(const Formulation& formulation);

// How the samples of such a model are to be read.
[[nodiscard]] Targets targets_of(const Model& model);
// What the outputs of a model stand for: its classes, or its labels as numbers.
[[nodiscard]] std::vector<double> names_of(const Model& model);

// Throws InputError unless the loss and the set of a model are known, its numbers are in range and its classes fit the
// loss. Reading a file judges the text alone.
void check_known(const Model& model);
// The same, and reads the file first; messages begin with its name.
void check_known(const std::string& path, const Model& model);
[[nodiscard]] Model load_model(const std::string& path);

// Everything of a fit that can be judged without data. Throws InputError.
void check_fit(const Formulation& formulation, const FitOptions& options);

// The fit of a path that has the largest radius with at most this number of features. Throws InputError where none has
// so few.
[[nodiscard]] const Fitted& largest_radius_of(const std::vector<Fitted>& path,
                                              std::optional<Index> most_features = std::nullopt);

// How well models of two classes do on rows that they have not seen: every fold is held out once, its rows have the
// weight 0, and a cost is that of the rows that are left. Rows of weight 0 are not counted.
struct HeldOutFit {
  double accuracy = 0;
  Index correct = 0;
  double largest_relative_gap = 0;  // certified, over all folds
  bool is_complete = true;          // false: the callback stopped it, and nothing is counted
};
// Two classes. Throws InputError.
[[nodiscard]] HeldOutFit fit_held_out(const Samples& samples, const Formulation& formulation, const FitOptions& options,
                                      Index folds, const Callback& callback = {});

// Throws InputError where a model cannot be certified for this formulation: weights are missing, or the bias of a
// foreign model was not learnt as an intercept. Messages begin with `name`, the model's.
void check_certifiable(const Model& model, const std::string& name, const Formulation& formulation);
// The width that the samples must have at least for a certificate.
[[nodiscard]] Index certified_width(const Model& model, const Formulation& formulation);

// Whether a certificate that was found confirms a stated one, up to rounding.
[[nodiscard]] bool confirms(const Certificate& found, const Certificate& stated, double radius);
// The place of the one with the largest relative gap.
[[nodiscard]] std::size_t worst(const std::vector<Certificate>& certificates);

}  // namespace pdbfw
