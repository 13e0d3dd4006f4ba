#include "apps/low_rank_registry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "apps/named.hpp"
#include "core/spectral_set.hpp"
#include "losses/elementwise.hpp"
#include "losses/multiclass_hinge.hpp"
#include "losses/softmax.hpp"
#include "low_rank/apg.hpp"
#include "low_rank/auto.hpp"
#include "low_rank/block_fw.hpp"
#include "low_rank/factored.hpp"
#include "low_rank/fw.hpp"
#include "low_rank/pdbfw.hpp"
#include "low_rank/pg.hpp"
#include "low_rank/scgs.hpp"
#include "low_rank/sfw.hpp"
#include "low_rank/splitting.hpp"
#include "low_rank/storc.hpp"
#include "low_rank/svrf.hpp"
#include "low_rank/svrg.hpp"
#include "sets/psd_trace.hpp"
#include "sets/trace_ball.hpp"

namespace pdbfw::low_rank {
namespace {

using LossMaker = std::shared_ptr<const RowLoss> (*)(const Formulation&);
const std::vector<Entry<LossMaker>>& losses() {
  static const std::vector<Entry<LossMaker>> all{
      {"squared",
       [](const Formulation&) -> std::shared_ptr<const RowLoss> { return std::make_shared<SquaredRowLoss>(); }},
      {"huber",
       [](const Formulation& f) -> std::shared_ptr<const RowLoss> {
         return std::make_shared<HuberRowLoss>(HuberRows{{.f = {.width = f.huber_width}}});
       }},
      {"multilabel_smooth_hinge",
       [](const Formulation& f) -> std::shared_ptr<const RowLoss> {
         return std::make_shared<MultilabelSmoothHingeLoss>(MultilabelSmoothHinge{{.f = {.smoothing = f.smoothing}}});
       }},
      {"multilabel_logistic",
       [](const Formulation&) -> std::shared_ptr<const RowLoss> { return std::make_shared<MultilabelLogisticLoss>(); }},
      {"softmax", [](const Formulation&) -> std::shared_ptr<const RowLoss> { return std::make_shared<SoftmaxLoss>(); }},
      {"multiclass_hinge",
       [](const Formulation& f) -> std::shared_ptr<const RowLoss> {
         return std::make_shared<MulticlassHingeLoss>(MulticlassHinge{.smoothing = f.smoothing});
       }},
  };
  return all;
}

using SetMaker = std::shared_ptr<const SpectralSet> (*)(double radius);
const std::vector<Entry<SetMaker>>& sets() {
  static const std::vector<Entry<SetMaker>> all{
      {"trace",
       [](double radius) -> std::shared_ptr<const SpectralSet> { return std::make_shared<TraceBall>(radius); }},
      {"psd_trace",
       [](double radius) -> std::shared_ptr<const SpectralSet> { return std::make_shared<PsdTrace>(radius); }},
  };
  return all;
}

using SolverMaker = std::unique_ptr<const Solver> (*)();
template <class Type>
std::unique_ptr<const Solver> made() {
  return std::make_unique<Type>();
}
const std::vector<Entry<SolverMaker>>& solvers() {
  static const std::vector<Entry<SolverMaker>> all{
      {"auto", &made<Auto>}, {"factored", &made<Factored>}, {"splitting", &made<Splitting>}, {"pdbfw", &made<Pdbfw>},
      {"fw", &made<Fw>},     {"sfw", &made<Sfw>},           {"block_fw", &made<BlockFw>},    {"pg", &made<Pg>},
      {"apg", &made<Apg>},   {"svrg", &made<Svrg>},         {"scgs", &made<Scgs>},           {"storc", &made<Storc>},
      {"svrf", &made<Svrf>},
  };
  return all;
}

}  // namespace

std::vector<std::string_view> loss_names() { return names(losses()); }
std::vector<std::string_view> set_names() { return names(sets()); }
std::vector<std::string_view> solver_names() { return names(solvers()); }

std::vector<SolverDescription> solver_descriptions() {
  std::vector<SolverDescription> out;
  for (const auto& entry : solvers()) out.push_back(entry.make()->describe());
  return out;
}

std::shared_ptr<const RowLoss> make_row_loss(const Formulation& f) {
  const LossMaker make = find("loss", losses(), f.loss);
  if (!(f.smoothing > 0 && f.smoothing <= 1))
    throw InputError("smoothing", fmt::format("{}", f.smoothing), "a number in (0, 1]");
  if (!(f.huber_width > 0 && std::isfinite(f.huber_width)))
    throw InputError("huber_width", fmt::format("{}", f.huber_width), "a finite number > 0");
  return make(f);
}

std::shared_ptr<const SpectralSet> make_spectral_set(std::string_view name, double radius) {
  const SetMaker make = find("set", sets(), name);
  if (!(radius > 0 && std::isfinite(radius)))
    throw InputError("radius", fmt::format("{}", radius), "a finite number > 0");
  return make(radius);
}

std::unique_ptr<const Solver> make_solver(std::string_view name) { return find("solver", solvers(), name)(); }

Problem make_problem(MapPtr map, Matrix B, const Formulation& f, TeamPtr team) {
  Problem problem;
  together(team, [&] {
    if (!map) throw InputError("map", "none", "a linear map");
    if (!(f.ridge.value >= 0 && std::isfinite(f.ridge.value)))
      throw InputError("ridge", to_string(f.ridge), "a finite number >= 0");
    problem = {std::move(map), std::move(B), make_row_loss(f), 0, make_spectral_set(f.set, f.radius)};
  });
  problem.team = std::move(team);
  problem.samples_of_team = static_cast<Index>(sum_over(problem.team, static_cast<double>(problem.n())));
  problem.ridge = f.ridge.weight(static_cast<double>(problem.samples()));
  validate(problem);
  return problem;
}

}  // namespace pdbfw::low_rank
