#include <algorithm>

#include "core/verdict.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kNone = "unknown";

// The switch below is the one table, and the compiler sees to it that it lacks none: so they are counted by it.
std::vector<Status> all_with_a_name() {
  std::vector<Status> all;
  for (int k = 0; to_string(static_cast<Status>(k)) != kNone; ++k) all.push_back(static_cast<Status>(k));
  return all;
}

}  // namespace

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
  return kNone;
}

const std::vector<Status>& statuses() {
  static const std::vector<Status> all = all_with_a_name();
  return all;
}

std::optional<Status> to_status(std::string_view name) {
  const auto found = std::find_if(statuses().begin(), statuses().end(), [&](Status s) { return to_string(s) == name; });
  return found == statuses().end() ? std::nullopt : std::optional(*found);
}

}  // namespace pdbfw
