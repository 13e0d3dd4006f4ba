// What a solve found, as a part of what a fit gives back.
#pragma once

#include <span>

#include "apps/model_problem.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw {

// Without weights yet. The formulation has the weights of all rows.
[[nodiscard]] Fitted begin_fit(ModelKind kind, const Samples& samples, const Formulation& formulation);

void add_outcome(const Outcome& outcome, Fitted& fitted);
// Adds the point of one output.
void add_size(std::span<const double> x, Fitted::Size& size);

// The result for one vector of weights, with the y of all rows.
void add_result(const VectorProblem& vector, const Result& result, bool keeps_proof, Fitted& fitted);

// A radius that was found, in place of the one that was given.
void set_radius(double radius, Fitted& fitted);

// Whether no larger radius gains more than the certified gap, as far as this is known.
[[nodiscard]] bool has_slack_radius(const Problem& problem, const Result& result);

}  // namespace pdbfw
