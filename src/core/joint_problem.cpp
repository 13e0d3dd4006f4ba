#include <fmt/format.h>

#include <cmath>

#include "core/joint_judge.hpp"
#include "core/row_terms.hpp"

namespace pdbfw::joint {

void validate(const Problem& p) {
  if (!p.A) throw InputError("A", "none", "a data matrix");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.set) throw InputError("set", "none", "a set");
  if (p.n() < 1 || p.d() < 1)
    throw InputError("A", fmt::format("{} x {}", p.n(), p.d()), "at least one sample and one feature");
  if (p.c() < 1) throw InputError("outputs", fmt::format("{}", p.c()), "at least one");
  if (!p.set->has_dead_zone()) throw InputError("set", fmt::format("'{}'", p.set->name()), "one with a dead zone");
  if (p.set->violation({}) > 0) throw InputError("set", fmt::format("'{}'", p.set->name()), "one that holds zero");
  if (!(p.ridge >= 0 && std::isfinite(p.ridge)))
    throw InputError("ridge", fmt::format("{}", p.ridge), "a finite number >= 0");
  check_targets(*p.loss, p.B, p.n(), p.c());
}

}  // namespace pdbfw::joint
