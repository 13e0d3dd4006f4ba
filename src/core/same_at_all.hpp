// What the members of a team must have in common.
#pragma once

#include <string>
#include <vector>

#include "pdbfw/team.hpp"

namespace pdbfw {

struct NamedText {
  std::string field, value;
};
// Throws InputError at all members, for the first field whose value is not the same at all of them. All give the same
// fields.
void require_same(const TeamPtr& team, const std::vector<NamedText>& own);

}  // namespace pdbfw
