// What the library asks of a team (pdbfw/team.hpp), which need not be there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pdbfw/team.hpp"

namespace pdbfw {

// The sum over all members of a number; the number itself where there is no team.
[[nodiscard]] inline double sum_over(const TeamPtr& team, double value) {
  if (team) team->sum(std::span(&value, 1));
  return value;
}

// The numbers of all members, rank after rank; as they are where there is no team.
[[nodiscard]] std::vector<double> gathered_at_all(const TeamPtr& team, const std::vector<double>& own);
// The same at rank 0, and none at the others.
[[nodiscard]] std::vector<double> gathered_at_first(const TeamPtr& team, std::vector<double> own);

// Does the work; where it throws at one member, all throw an InputError that says at which. Without this, those where
// all is well would wait for the one that has given up.
void together(const TeamPtr& team, const std::function<void()>& work);

// What the members of a team must have in common.

struct NamedText {
  std::string field, value;
};
// Throws InputError at all members, for the first field whose value is not the same at all of them. All give the same
// fields.
void require_same(const TeamPtr& team, const std::vector<NamedText>& own);

}  // namespace pdbfw
