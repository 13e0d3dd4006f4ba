// Checks that a team makes together. A member that throws alone would leave the others waiting for ever.
#pragma once

#include <functional>
#include <string_view>

#include "pdbfw/team.hpp"

namespace pdbfw {

// Runs a check of what this member has. An InputError at one is an InputError at all; the others name the rank.
// The check itself must not call the team.
void check_at_all(const TeamPtr& team, const std::function<void()>& check);

// Throws InputError at all members unless all have the same text.
void require_same(const TeamPtr& team, std::string_view field, std::string_view value);

}  // namespace pdbfw
