#include "apps/registry.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "apps/named.hpp"
#include "losses/huber.hpp"
#include "losses/logistic.hpp"
#include "losses/smooth_hinge.hpp"
#include "losses/squared.hpp"
#include "losses/squared_hinge.hpp"
#include "pdbfw/set.hpp"
#include "sets/l1_ball.hpp"
#include "sets/nonnegative.hpp"
#include "sets/simplex.hpp"
#include "solvers/apg.hpp"
#include "solvers/auto.hpp"
#include "solvers/block_fw.hpp"
#include "solvers/fw.hpp"
#include "solvers/fw_away.hpp"
#include "solvers/fw_pairwise.hpp"
#include "solvers/pdbfw.hpp"
#include "solvers/pdfw.hpp"
#include "solvers/pg.hpp"
#include "solvers/scgs.hpp"
#include "solvers/sequential.hpp"
#include "solvers/sharded.hpp"
#include "solvers/storc.hpp"
#include "solvers/svrf.hpp"
#include "solvers/svrg.hpp"
#include "solvers/working_set.hpp"

namespace pdbfw {
namespace {

using LossMaker = std::shared_ptr<const Loss> (*)(const Formulation&);
constexpr std::array<Entry<LossMaker>, 5> kLosses{{
    {"smooth_hinge",
     [](const Formulation& f) -> std::shared_ptr<const Loss> {
       return std::make_shared<SmoothHingeLoss>(SmoothHinge{f.smoothing});
     }},
    {"squared_hinge",
     [](const Formulation&) -> std::shared_ptr<const Loss> { return std::make_shared<SquaredHingeLoss>(); }},
    {"logistic", [](const Formulation&) -> std::shared_ptr<const Loss> { return std::make_shared<LogisticLoss>(); }},
    {"squared", [](const Formulation&) -> std::shared_ptr<const Loss> { return std::make_shared<SquaredLoss>(); }},
    {"huber",
     [](const Formulation& f) -> std::shared_ptr<const Loss> {
       return std::make_shared<HuberLoss>(Huber{f.huber_width});
     }},
}};

using SetMaker = std::shared_ptr<const Set> (*)(double radius);
constexpr std::array<Entry<SetMaker>, 3> kSets{{
    {"l1", [](double radius) -> std::shared_ptr<const Set> { return std::make_shared<L1Ball>(radius); }},
    {"simplex", [](double radius) -> std::shared_ptr<const Set> { return std::make_shared<Simplex>(radius); }},
    {"nonnegative", [](double radius) -> std::shared_ptr<const Set> { return std::make_shared<Nonnegative>(radius); }},
}};

using SolverMaker = std::unique_ptr<const Solver> (*)();
template <class Type>
std::unique_ptr<const Solver> made() {
  return std::make_unique<Type>();
}
constexpr auto kSolvers = std::to_array<Entry<SolverMaker>>({
    {"auto", made<Auto>},
    {"sequential", made<Sequential>},
    {"working_set", made<WorkingSet>},
    {"sharded", made<Sharded>},
    {"pdbfw", made<Pdbfw>},
    {"pdfw", made<Pdfw>},
    {"fw", made<Fw>},
    {"fw_away", made<FwAway>},
    {"fw_pairwise", made<FwPairwise>},
    {"block_fw", made<BlockFw>},
    {"pg", made<Pg>},
    {"apg", made<Apg>},
    {"svrg", made<Svrg>},
    {"scgs", made<Scgs>},
    {"storc", made<Storc>},
    {"svrf", made<Svrf>},
});

}  // namespace

std::vector<std::string_view> loss_names() { return names(kLosses); }
std::vector<std::string_view> set_names() { return names(kSets); }
std::vector<std::string_view> solver_names() { return names(kSolvers); }

std::vector<SolverDescription> solver_descriptions() {
  std::vector<SolverDescription> out;
  for (const auto& entry : kSolvers) out.push_back(entry.make()->describe());
  return out;
}

std::shared_ptr<const Loss> make_loss(const Formulation& f) {
  const LossMaker make = find("loss", kLosses, f.loss);
  if (!(f.smoothing > 0 && f.smoothing <= 1))
    throw InputError("smoothing", fmt::format("{}", f.smoothing), "a number in (0, 1]");
  if (!(f.huber_width > 0 && std::isfinite(f.huber_width)))
    throw InputError("huber_width", fmt::format("{}", f.huber_width), "a finite number > 0");
  return make(f);
}

std::shared_ptr<const Set> make_set(const Formulation& f) {
  const bool is_polytope = f.set == kPolytope;
  const SetMaker make = is_polytope ? nullptr : find("set", kSets, f.set);
  if (!(f.radius > 0 && std::isfinite(f.radius)))
    throw InputError("radius", fmt::format("{}", f.radius), "a finite number > 0");
  if (!is_polytope && f.atoms) throw InputError("atoms", "a matrix", fmt::format("none for the set {}", f.set));
  if (is_polytope && !f.atoms) throw InputError("atoms", "none", "a matrix of them for the set polytope");
  return is_polytope ? make_polytope(f.atoms, f.radius) : make(f.radius);
}

std::unique_ptr<const Solver> make_solver(std::string_view name) { return find("solver", kSolvers, name)(); }

}  // namespace pdbfw
