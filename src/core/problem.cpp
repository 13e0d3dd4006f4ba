#include "pdbfw/problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/dual_value.hpp"
#include "core/judge.hpp"

namespace pdbfw {
namespace {

void check_targets(const Problem& p) {
  const bool needs_labels = p.loss->target_kind() == TargetKind::labels;
  for (std::size_t i = 0; i < p.loss->size(); ++i) {
    const double b = p.loss->targets()[i];
    if (needs_labels && b != 1 && b != -1)
      throw InputError("targets", fmt::format("{} in sample {}", b, i + 1),
                       fmt::format("-1 or +1 for the loss {}", p.loss->name()));
    if (!std::isfinite(b)) throw InputError("targets", fmt::format("{} in sample {}", b, i + 1), "finite numbers");
  }
}

}  // namespace

void validate(const Problem& p) {
  if (!p.A) throw InputError("A", "none", "a data matrix");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.regulariser) throw InputError("regulariser", "none", "a regulariser");
  if (!p.set) throw InputError("set", "none", "a set");
  if (p.n() == 0) throw InputError("A", "no rows", "at least one sample");
  if (p.features() == 0) throw InputError("A", "no columns", "at least one feature");
  if (static_cast<Index>(p.loss->size()) != p.n())
    throw InputError("targets", fmt::format("{} of them", p.loss->size()),
                     fmt::format("one for each of {} samples", p.n()));
  const bool is_penalty = price(*p.set) > 0;
  if (!is_penalty && (!(p.set->radius() > 0) || !std::isfinite(p.set->radius())))
    throw InputError("radius", fmt::format("{}", p.set->radius()), "a finite number > 0");
  p.set->check_dimension(p.d());
  const Curvatures q = p.regulariser->curvatures();
  if (!q.is_uniform() && static_cast<Index>(q.each.size()) != p.d())
    throw InputError("ridge_scale", fmt::format("{} factors", q.each.size()),
                     fmt::format("one for each of {} features", p.d()));
  if (!(p.regulariser->strong_convexity() >= 0) || !std::isfinite(p.regulariser->smoothness()))
    throw InputError("ridge", fmt::format("{} .. {}", p.regulariser->strong_convexity(), p.regulariser->smoothness()),
                     "finite numbers >= 0");
  for (std::size_t j = 0; j < q.each.size(); ++j)  // a NaN hides from the smallest and the largest
    if (!(q.each[j] >= 0))
      throw InputError("ridge", fmt::format("{} for feature {}", q.each[j], j + 1), "finite numbers >= 0");
  check_targets(p);
}

std::vector<double> start_point(const Problem& problem) {
  std::vector<double> x(static_cast<std::size_t>(problem.d()));
  SparseAtom atom;
  problem.set->start(problem.d(), atom);
  for (std::size_t k = 0; k < atom.at.size(); ++k) x[static_cast<std::size_t>(atom.at[k])] = atom.value[k];
  return x;
}

}  // namespace pdbfw
