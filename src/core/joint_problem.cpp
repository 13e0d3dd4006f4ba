#include "pdbfw/joint_problem.hpp"

#include <fmt/format.h>

#include <cmath>

namespace pdbfw::joint {
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
      if (!(b >= 0 && b < static_cast<double>(p.c()) && b == std::floor(b)))
        refuse(fmt::format("a class, 0 .. {},", p.c() - 1));
      break;
  }
}

}  // namespace

void validate(const Problem& p) {
  if (!p.A) throw InputError("A", "none", "a data matrix");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.set) throw InputError("set", "none", "a set");
  if (p.n() < 1 || p.d() < 1)
    throw InputError("A", fmt::format("{} x {}", p.n(), p.d()), "at least one sample and one feature");
  if (p.c() < 1) throw InputError("outputs", fmt::format("{}", p.c()), "at least one");
  if (!p.set->has_dead_zone()) throw InputError("set", fmt::format("'{}'", p.set->name()), "one with a dead zone");
  if (p.set->violation({}) > 0) throw InputError("set", fmt::format("'{}'", p.set->name()), "one that holds zero");
  const Index columns = p.loss->target_columns(p.c());
  if (p.B.rows() != p.n() || p.B.cols() != columns)
    throw InputError("B", fmt::format("{} x {}", p.B.rows(), p.B.cols()),
                     fmt::format("{} x {}, the targets of all samples", p.n(), columns));
  if (!(p.ridge >= 0 && std::isfinite(p.ridge)))
    throw InputError("ridge", fmt::format("{}", p.ridge), "a finite number >= 0");
  for (Index i = 0; i < p.B.rows(); ++i)
    for (Index j = 0; j < p.B.cols(); ++j) check_target(p, i, j);
}

}  // namespace pdbfw::joint
