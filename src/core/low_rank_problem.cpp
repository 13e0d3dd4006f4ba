#include "pdbfw/low_rank_problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/same_at_all.hpp"
#include "core/spectral_set.hpp"

namespace pdbfw::low_rank {
namespace {

void check_target(const Problem& p, Index i, Index j) {
  const double b = p.B(i, j);
  const auto refuse = [&](std::string_view rule) {
    throw InputError(fmt::format("B[{}, {}]", i, j), fmt::format("{}", b),
                     fmt::format("{} for the loss {}", rule, p.loss->name()));
  };
  switch (p.loss->target_kind()) {
    case RowTargetKind::numbers:
      if (!std::isfinite(b)) refuse("a finite number");
      break;
    case RowTargetKind::signs:
      if (b != -1 && b != 1) refuse("-1 or 1");
      break;
    case RowTargetKind::classes:
      if (!(b >= 0 && b < static_cast<double>(p.k()) && b == std::floor(b)))
        refuse(fmt::format("a class, 0 .. {},", p.k() - 1));
      break;
  }
}

// What concerns the rows here.
void validate_own(const Problem& p) {
  if (!p.map) throw InputError("map", "none", "a linear map");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.set) throw InputError("set", "none", "a set of matrices");
  if (p.n() < 1) throw InputError("map", "0 samples", "at least one");
  if (p.d() < 1 || p.c() < 1) throw InputError("map", fmt::format("{} x {}", p.d(), p.c()), "a matrix of some size");
  p.set->check_shape(p.d(), p.c());
  const Index columns = p.loss->target_columns(p.k());
  if (p.B.rows() != p.n() || p.B.cols() != columns)
    throw InputError("B", fmt::format("{} x {}", p.B.rows(), p.B.cols()),
                     fmt::format("{} x {}, the targets of all samples", p.n(), columns));
  if (!(p.ridge >= 0 && std::isfinite(p.ridge)))
    throw InputError("ridge", fmt::format("{}", p.ridge), "a finite number >= 0");
  for (Index i = 0; i < p.B.rows(); ++i)
    for (Index j = 0; j < p.B.cols(); ++j) check_target(p, i, j);
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
