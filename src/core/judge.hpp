// The judge of sparse problems, for solvers that can use what it has to compute; and what their solvers are.
#pragma once

#include <span>
#include <vector>

#include "base/team.hpp"
#include "core/solver.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

struct ColumnBounds {
  // From sums. Given a sign s_i of every row, let sum_j be the larger of the sums of |a_ij| over the rows where
  // a_ij s_i > 0 and where a_ij s_i < 0. If every y_i has the sign s_i or is 0, the two kinds of rows pull u_j apart,
  // and
  //     |u_j| <= max_i |y_i| sum_j / n;     in any case it is at most twice that.
  std::span<const double> sums{};   // empty: unknown
  std::span<const double> signs{};  // any number of that sign, one per row; empty: norms are known instead
  // From a product that was made before, at z:
  //     |u_j| <= |c| |u_j(z)| + |a_j| |y - c z| / n     for any c; the one that makes the last norm least is taken.
  std::span<const double> norms{};  // |a_j|; empty: unknown
  std::span<const double> u{}, z{};
  double border = 0;  // where the border of the zone may lie

  [[nodiscard]] bool are_known() const { return !sums.empty() || !norms.empty(); }
  // The columns whose |u_j| may be larger than `size` at y, ascending.
  [[nodiscard]] std::vector<Index> may_exceed(double size, std::span<const double> y, int threads) const;
};

// Throws InputError with the field, the value and the rule it breaks.
void validate(const Problem& problem);

// The point of C to start from, in full: zero where C holds it.
[[nodiscard]] std::vector<double> start_point(const Problem& problem);

// For an x that came without a dual point: y_i = f_i'(a_i'x), which is optimal when x is.
[[nodiscard]] std::vector<double> dual_candidate(const Problem& problem, std::span<const double> x, int threads = 1);

struct DualSide {
  std::vector<double> u;  // -A'y / n; empty where not all of it was needed
  DeadZone zone;          // of the minimiser for u
  double entries = 0;     // of A that were looked at for u
};

// P where nothing is learnt, not even the weights of free columns: the unit of a gap where P is all but zero.
[[nodiscard]] double objective_of_nothing(const Problem& problem);

struct PrimalSide {
  std::vector<double> t{};  // the weights of free columns: where the search for the best ones begins, and ends
  double objective_of_nothing{};
};

// As certify(), and fills `dual` and the weights of `primal`. The violation of a set without a dead zone is a search:
// it stays 0, and is the caller's business.
[[nodiscard]] Verdict certify(const Problem& problem, std::span<const double> x, std::span<const double> y, int threads,
                              const ColumnBounds& columns, PrimalSide& primal, DualSide& dual);

// The terms that w = A x and a balanced y tell: all but those of g and of the set. The samples of a team are those of
// all members.
[[nodiscard]] CertificateTerms terms_of_samples(const Problem& problem, std::span<const double> w,
                                                std::span<const double> y, PrimalSide& primal);

struct Point {
  std::vector<double> x, y;
  ColumnBounds columns{};   // if the solver knows them; they live as long as the solver
  std::vector<double> t{};  // weights of free columns: near the best ones, and once it is certified those of its P
};

// For the Monitor, which says what it asks (solver.hpp).
class Judge {
 public:
  using Problem = pdbfw::Problem;
  using Point = pdbfw::Point;
  using Start = pdbfw::Start;
  using Result = pdbfw::Result;
  static constexpr auto kPrimal = &Point::x, kDual = &Point::y;
  static constexpr Run::Charges kCharges = Run::Charges::own;
  static double pass(const Problem& p) { return sum_over(p.team, static_cast<double>(p.A->nonzeros())); }
  static const TeamPtr& team(const Problem& p) { return p.team; }
  static bool has_ridge(const Problem& p) { return p.regulariser->strong_convexity() > 0; }
  static void save(const Settings::Checkpoints& to, Point point, double multiplier, const TracePoint& at);

  Judge(const Problem& problem, const Settings& settings)
      : p_(problem), threads_(settings.threads), primal_{.objective_of_nothing = objective_of_nothing(problem)} {}
  [[nodiscard]] Nothing nothing() const;
  [[nodiscard]] Point start() const { return {start_point(p_), std::vector<double>(p_.loss->size())}; }
  [[nodiscard]] Judgement certify(Point& point, double believed_gap);
  // Without a dead zone the bound is as seen from x.
  [[nodiscard]] bool is_pair() const { return !p_.set->has_dead_zone(); }
  [[nodiscard]] double violation(const Point& point) const { return p_.set->violation(point.x); }

 private:
  const Problem& p_;
  int threads_;
  PrimalSide primal_;
  DualSide dual_;
};

using Monitor = MonitorOf<Judge>;

class Engine : public EngineOf<Judge> {
 public:
  // The problem's set has another radius now.
  virtual void radius_has_changed() = 0;
  // Passes over the data before which its rate of progress means little.
  [[nodiscard]] virtual double first_look() const { return 0; }
};

using Solver = SolverOf<Judge, Engine>;

}  // namespace pdbfw
