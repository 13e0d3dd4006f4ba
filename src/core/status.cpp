#include "pdbfw/result.hpp"

namespace pdbfw {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::pass_limit:
      return "pass_limit";
    case Status::stalled:
      return "stalled";
    case Status::diverged:
      return "diverged";
    case Status::interrupted:
      return "interrupted";
    case Status::team_lost:
      return "team_lost";
  }
  return "unknown";
}

}  // namespace pdbfw
