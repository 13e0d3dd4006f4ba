// What the members of a team tell each other in a sweep: a sum of vectors most of whose numbers may be zero.    [M49]
#pragma once

#include <limits>
#include <vector>

#include "pdbfw/team.hpp"

namespace pdbfw {

class Exchange {
 public:
  // v <- the sum over all members: number by number, or, where that is fewer bytes, only those that are not zero.
  void add_up(Team& team, std::vector<double>& v);

 private:
  double nonzeros_ = std::numeric_limits<double>::infinity();  // that all members sent the last time
};

}  // namespace pdbfw
