// The settings that mean the same for every family of problems: all but the solver's name.
#pragma once

#include "pdbfw/settings.hpp"

namespace pdbfw {

// Throws InputError for a value out of range or an unknown rule.
void validate_numbers(const Settings& settings);

}  // namespace pdbfw
