// The judge of the low-rank family, for solvers, which certify again and again; and what its solvers are.
#pragma once

#include "base/team.hpp"
#include "core/row_terms.hpp"
#include "core/solver.hpp"
#include "core/spectral_set.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// Throws InputError with the field, the value and the rule it breaks. The members of a team call it together, and all
// of them throw where one has to.
void validate(const Problem& problem);

// Y_i = grad f_i(A(X)_i), for an X that came without a dual point.
[[nodiscard]] Matrix dual_candidate(const Problem& problem, const Factors& X, int threads = 1);

// As certify(); `top` starts from the subspace of the last certificate, and `part` is the set's part of the dual value.
// X must have orthonormal factors. A Y without rows stands for the dual candidate of X, and is filled in.
// The problem of a team must have gone through over_team().
[[nodiscard]] Verdict certify(const Problem& problem, const Factors& X, Matrix& Y, double slack, TopSpectrum& top,
                              SpectralDualPart& part);

// The same problem with a map and a loss that know the team; as it is where there is none. Then
//   A(X), gradients and proxes          are those of the samples here, as before;
//   A*(Y) and its products with blocks  are summed over the team: what comes back is the same at every member;
//   totals, norms and constants         are those of all samples;
//   costs                               are the mean of the members', so that they compare with work that all repeat.
// Every member calls them alike. Given a problem that went through this already, it would count everything twice.
[[nodiscard]] Problem over_team(const Problem& problem);

// sum_i <a_i, b_i> over all samples, which a team may have spread.
[[nodiscard]] inline double dot_over_samples(const Problem& p, const Matrix& a, const Matrix& b) {
  return sum_over(p.team, a.cwiseProduct(b).sum());
}

struct Point {
  Factors X;  // any factors; the judge makes them orthonormal
  Matrix Y;   // no rows: the dual candidate of X
};

// For the Monitor, which says what it asks (solver.hpp).
class Judge {
 public:
  using Problem = low_rank::Problem;
  using Point = low_rank::Point;
  using Start = low_rank::Start;
  using Result = low_rank::Result;
  static constexpr auto kPrimal = &Point::X;
  static constexpr auto kDual = &Point::Y;
  static constexpr Run::Charges kCharges = Run::Charges::common;
  static double pass(const Problem& p) { return p.map->pass_cost(); }
  static const TeamPtr& team(const Problem& p) { return p.team; }
  static bool has_ridge(const Problem& p) { return p.ridge > 0; }
  static void save(const Settings::Checkpoints& to, Point point, double multiplier, const TracePoint& at);

  Judge(const Problem& problem, const Settings& settings)
      : p_(problem), top_(problem.set->spectrum(), settings.threads, settings.seed) {}
  [[nodiscard]] Nothing nothing() const;
  [[nodiscard]] Point start() const { return {Factors::zero(p_.d(), p_.c()), Matrix::Zero(p_.n(), p_.k())}; }
  [[nodiscard]] Judgement certify(Point& point, double believed_gap);
  [[nodiscard]] bool is_pair() const { return false; }
  [[nodiscard]] double violation(const Point& point) const { return p_.set->violation(point.X); }

 private:
  const Problem& p_;
  TopSpectrum top_;  // of A*(Y), from one certificate to the next
};

using Monitor = MonitorOf<Judge>;
using Engine = EngineOf<Judge>;  // Estimate::nonzeros is the rank
using Solver = SolverOf<Judge, Engine>;

}  // namespace pdbfw::low_rank
