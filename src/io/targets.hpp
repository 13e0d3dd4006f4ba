// The targets of a data file: what is asked of them, and targets that come from a file of their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pdbfw/dataset.hpp"

namespace pdbfw {

// Throws InputError unless there is one finite number for each row.
void check_targets(const Dataset& data);

// From ReadOptions::labels; none: there was no such file.
using GivenTargets = std::optional<std::vector<double>>;

// For a format that holds no targets itself. Throws InputError that begins with `name` when none are given or there is
// not one for each row. Asked before memory is taken for the rows that a header states: a file of as many numbers
// vouches for them.
[[nodiscard]] std::vector<double> targets_for(Index rows, GivenTargets given, const std::string& name);

}  // namespace pdbfw
