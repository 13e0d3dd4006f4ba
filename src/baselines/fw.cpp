// Frank-Wolfe (Jaggi 2013), for both families: x is a vector or a matrix. Towards the vertex that the gradient likes
// best, a rank-one matrix in the one family.
//
//   v = argmin_{v in C} <grad P(x), v>,     x <- x + gamma (v - x)
//   theory:    gamma = 2 / (t + 2)                                 P(x_t) - P* <= 2 L diameter^2 / (t + 2)
//   adaptive:  gamma in [0, 1] minimises P(x + gamma (v - x))      P falls in every step
//
// Cost per iteration: of vectors, one A'y, the column of v, and O(n + d); of matrices, one A*(y), A(v) by the factors
// of v, and the largest singular value of the gradient. Takes ridge 0.
#include <algorithm>

#include "baselines/baselines.hpp"
#include "baselines/frank_wolfe.hpp"
#include "baselines/low_rank/linear_step.hpp"

namespace pdbfw {
namespace {

template <class Base>
class FwEngine final : public Base {
 public:
  using Base::Base;
  [[nodiscard]] std::string name() const override { return "fw"; }

  void iterate(Run& run) override {
    const auto t = static_cast<double>(run.work().iterations);
    this->look(run);
    const auto& e = this->exact(run);
    const double gamma = this->is_theory_ ? 2 / (t + 2) : this->exact_step(e);
    this->move(std::min(1.0, this->scale_ * gamma), e, run);
  }
};

constexpr std::string_view kSummary = "Frank-Wolfe, with exact line search or 2/(t+2)";
constexpr std::string_view kReference = "Frank, Wolfe 1956; Jaggi 2013";

}  // namespace

const Solver kFwSolver{.about = {.name = "fw",
                                 .summary = kSummary,
                                 .reference = kReference,
                                 .options = kStepOptions,
                                 .takes_polytopes = true,
                                 .takes_streamed = true},
                       .make_engine = &Solver::make<FwEngine<FrankWolfeEngine>>};

const low_rank::Solver low_rank::kFwSolver{
    .about = {.name = "fw", .summary = kSummary, .reference = kReference, .options = kStepOptions, .takes_team = true},
    .make_engine = &Solver::make<FwEngine<FrankWolfeEngine>>};

}  // namespace pdbfw
