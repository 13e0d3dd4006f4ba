#include <fmt/format.h>

#include <cmath>

#include "base/team.hpp"
#include "core/low_rank_judge.hpp"
#include "core/row_terms.hpp"
#include "core/same_at_all.hpp"
#include "core/spectral_set.hpp"

namespace pdbfw::low_rank {
namespace {

// What concerns the rows here.
void validate_own(const Problem& p) {
  if (!p.map) throw InputError("map", "none", "a linear map");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.set) throw InputError("set", "none", "a set of matrices");
  if (p.n() < 1) throw InputError("map", "0 samples", "at least one");
  if (p.d() < 1 || p.c() < 1) throw InputError("map", fmt::format("{} x {}", p.d(), p.c()), "a matrix of some size");
  p.set->check_shape(p.d(), p.c());
  if (!(p.ridge >= 0 && std::isfinite(p.ridge)))
    throw InputError("ridge", fmt::format("{}", p.ridge), "a finite number >= 0");
  check_targets(*p.loss, p.B, p.n(), p.k());
  if (!p.team) return;
  if (p.map->name() != "rows")
    throw InputError("map", p.map->name(), "rows, the products with A, for several processes");
  if (p.loss->has_intercept())
    throw InputError("loss", p.loss->name(), "one without an intercept for several processes");
}

// What the members of a team must agree about.
void validate_team(const Problem& p) {
  require_same(p.team, {{"map", fmt::format("{} x {}", p.d(), p.c())},
                        {"loss", std::string(p.loss->name())},
                        {"ridge", fmt::format("{}", p.ridge)},
                        {"set", std::string(p.set->name())},
                        {"radius", fmt::format("{}", p.set->radius())}});
  const auto samples = static_cast<Index>(sum_over(p.team, static_cast<double>(p.n())));
  together(p.team, [&] {
    if (p.samples_of_team != samples)
      throw InputError("samples_of_team", fmt::format("{}", p.samples_of_team),
                       fmt::format("the rows of all processes, {}", samples));
  });
}

}  // namespace

void validate(const Problem& p) {
  together(p.team, [&] { validate_own(p); });
  if (p.team) validate_team(p);
}

}  // namespace pdbfw::low_rank
