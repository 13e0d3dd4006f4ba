// Where names meet types: every loss, set and solver, once.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/judge.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {

// Each throws InputError for an unknown name (with the nearest known one) or a number out of range. Without targets the
// loss is one of no samples, which can tell its kind and its constants. The weights are those of `sample_weight` alone.
[[nodiscard]] std::shared_ptr<const Loss> make_loss(const Formulation& formulation, std::vector<double> targets = {},
                                                    std::vector<double> sample_weight = {});
[[nodiscard]] std::shared_ptr<const Set> make_set(const Formulation& formulation);
[[nodiscard]] const Solver& find_solver(std::string_view name);
[[nodiscard]] std::span<const Solver* const> solvers();

// Throw InputError for a number out of range; for every family.
void check_loss_numbers(double smoothing, double huber_width);
void check_radius(double radius);

// Throws InputError where features are to be scaled, weighed or free, which this kind of problem does not know.
void refuse_feature_rules(const Formulation& formulation, std::string_view kind);

// What all sparse problems ask of their ridge and their weights. Throw InputError.
void check_ridge(const Ridge& ridge);
// The sum of the weights of all members' rows, which must be finite and above 0.
[[nodiscard]] double total_weight(const Formulation& formulation, const std::vector<double>& weight,
                                  const TeamPtr& team = {});

// Throw InputError for a value out of range or an unknown name (with the nearest known one); validate_numbers looks at
// what means the same for every family of problems: all but the solver's name.
void validate(const Settings& settings);
void validate_numbers(const Settings& settings);

// feature_weights() the other way round: the point x that such weights stand for. Free features are not in it.
[[nodiscard]] std::vector<double> point_of_weights(const Problem& problem, std::span<const double> weights);

// The shares of the largest of a path from the data, ascending to 1. Throws InputError.
[[nodiscard]] std::vector<double> path_shares(const PathOptions& options);

// +1 for the rows of this class (a place in classes.original), -1 for the others.
[[nodiscard]] std::vector<double> signs_of(const Classes& classes, Index place);

}  // namespace pdbfw

namespace pdbfw::joint {

[[nodiscard]] std::vector<std::string_view> loss_names();
[[nodiscard]] std::vector<std::string_view> set_names();

}  // namespace pdbfw::joint
