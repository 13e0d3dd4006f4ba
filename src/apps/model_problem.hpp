// From samples and a formulation to the problem of each kind of model, and from its solution to what a fit gives back.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pdbfw/fit.hpp"
#include "pdbfw/joint.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw {

// In all of these, `known` are the classes or labels of a model, in its order; empty: those of the samples. With a team
// all members call them, and the formulation has the sample weights of the rows here. What is wrong with the targets is
// thrown as an InputError that begins with the name of the samples.

struct VectorProblem {
  Problem problem;
  std::vector<double> classes;  // what -1 and +1 stand for; none where the loss wants numbers
};
[[nodiscard]] VectorProblem make_vector_problem(const Samples& samples, const Formulation& formulation,
                                                std::span<const double> known = {});

// One class per row. Of `known` classes all others are refused.
[[nodiscard]] Classes classes_of(const Samples& samples, std::span<const double> known = {});

[[nodiscard]] joint::Problem make_joint_problem(const Samples& samples, const Classes& classes,
                                                const Formulation& formulation);

// Classes and labels alike, as places in `names`; the place of a name that is not known lies behind them.
struct PlacedTargets {
  LabelLists labels;
  std::vector<double> names;
};
[[nodiscard]] PlacedTargets place_targets(const Samples& samples, std::span<const double> known = {});
[[nodiscard]] low_rank::Problem make_matrix_problem(const Samples& samples, const PlacedTargets& targets,
                                                    const Formulation& formulation, Index outputs);

// Throws InputError unless there is at least one feature.
void require_features(const Samples& samples);

// -1 and +1 for targets that are one of two classes.
[[nodiscard]] std::vector<double> signs_of(std::span<const double> target, double second);

// The points of a model for a problem, which may have more features than the model; none of its weights may lie beyond
// them. Proofs are those of the rows here, and there is none where the model was not learnt from as many rows.
[[nodiscard]] std::vector<double> point_of(const Problem& problem, const Model& model, std::size_t output);
// Of vectors of weights, the features below this number that any of them looks at.
[[nodiscard]] joint::SparseRows rows_of(const std::vector<SparseVector>& columns, Index features);
[[nodiscard]] Factors factors_of(const low_rank::Problem& problem, const Model& model);
[[nodiscard]] std::optional<std::vector<double>> proof_of(const Samples& samples, const Model& model,
                                                          std::size_t output);
[[nodiscard]] std::optional<Matrix> joint_proof_of(const Samples& samples, const Model& model);
[[nodiscard]] std::optional<Matrix> matrix_proof_of(const Samples& samples, const Model& model, Index outputs);

// What the results of all families have in common.
[[nodiscard]] inline Outcome outcome_of(const Outcome& result) { return result; }

// What a fit gives back. The formulation is that in force, with the weights of all rows.

// Without weights yet.
[[nodiscard]] Fitted fitted_of(ModelKind kind, const Samples& samples, const Formulation& formulation,
                               std::vector<Outcome> outcomes);
// One vector of weights, from a result with the y of all rows.
[[nodiscard]] Fitted fitted_of(const VectorProblem& vector, const Samples& samples, const Formulation& formulation,
                               const Result& result, bool keeps_proof);
// Adds the point of one output.
void add_size(std::span<const double> x, Fitted::Size& size);

// Whether no larger radius gains more than the certified gap, as far as this is known.
[[nodiscard]] bool has_slack_radius(const Problem& problem, const Result& result);

}  // namespace pdbfw
