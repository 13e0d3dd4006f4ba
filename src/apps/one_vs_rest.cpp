#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/registry.hpp"
#include "base/team.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {

std::vector<double> signs_of(const Classes& classes, Index place) {
  std::vector<double> sign;
  sign.reserve(classes.index.size());
  for (const Index own : classes.index) sign.push_back(own == place ? 1 : -1);
  return sign;
}

std::vector<Result> solve_one_vs_rest(const MatrixPtr& A, const Classes& classes, const Formulation& formulation,
                                      const Settings& settings, const Callback& callback,
                                      const std::vector<Start>& starts, const TeamPtr& team) {
  together(team, [&] {
    if (make_loss(formulation)->target_kind() != TargetKind::labels)
      throw InputError("loss", fmt::format("'{}'", formulation.loss),
                       "one of two classes, to learn one against the rest");
    refuse_feature_rules(formulation, "several classes");
    if (!starts.empty() && starts.size() != classes.original.size())
      throw InputError("starts", fmt::format("{} of them", starts.size()),
                       fmt::format("none, or one for each of {} classes", classes.original.size()));
  });
  // Members that disagree would solve different problems together, or wait for each other forever.
  require_same(team, {{"classes", fmt::format("{}", fmt::join(classes.original, ", "))}});
  std::vector<Result> results;
  for (std::size_t k = 0; k < classes.original.size(); ++k) {
    results.push_back(solve(make_problem(A, signs_of(classes, static_cast<Index>(k)), formulation, team), settings,
                            callback, starts.empty() ? Start{} : starts[k]));
    if (results.back().status == Status::team_lost) break;
  }
  return results;
}

}  // namespace pdbfw
