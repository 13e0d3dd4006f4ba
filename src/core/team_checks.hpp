// Checks that a team makes together. A member that throws alone would leave the others waiting for ever.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pdbfw/team.hpp"

namespace pdbfw {

// Runs a check of what this member has. An InputError at one is an InputError at all; the others name the rank.
// The check itself must not call the team.
void check_at_all(const TeamPtr& team, const std::function<void()>& check);

struct NamedText {
  std::string field, value;
};
// Throws InputError at all members, for the first field whose value is not the same at all of them. All give the same
// fields.
void require_same(const TeamPtr& team, const std::vector<NamedText>& own);

}  // namespace pdbfw
