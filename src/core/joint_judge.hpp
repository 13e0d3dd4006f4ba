// The judge of joint problems, for solvers that can use what it has to compute; the set as it lies on a matrix; and
// what the solvers of these problems are.
#pragma once

#include <vector>

#include "core/row_terms.hpp"
#include "core/solver.hpp"
#include "pdbfw/joint_problem.hpp"

namespace pdbfw::joint {

// Throws InputError with the field, the value and the rule it breaks.
void validate(const Problem& problem);

// Y_i = grad f_i(X'a_i), for an X that came without a dual point.
[[nodiscard]] Matrix dual_candidate(const Problem& problem, const SparseRows& X, int threads = 1);

// The best ones at X, which are those of the certificate; zeros where none are learnt.
[[nodiscard]] Vector intercepts(const Problem& problem, const SparseRows& X, int threads = 1);

// The dead zones of C for U: one, or one for each column.
[[nodiscard]] std::vector<DeadZone> dead_zones(const Problem& problem, const Matrix& U, double ridge,
                                               const std::vector<DeadZone>& guess = {});
[[nodiscard]] inline const DeadZone& zone_of(const std::vector<DeadZone>& zones, Index output) {
  return zones[zones.size() == 1 ? 0 : static_cast<std::size_t>(output)];
}

// min_{X in C} (ridge/2) |X|^2 - <U, X>, or a lower bound, for any zones.                                        [M45]
[[nodiscard]] double set_part(const Problem& problem, const Matrix& U, double ridge,
                              const std::vector<DeadZone>& zones);
// The sum of the multipliers of all balls.
[[nodiscard]] double total_multiplier(const std::vector<DeadZone>& zones);

// The nearest point of C to these rows of X; the others are zero.
void project(const Problem& problem, Matrix& rows);
[[nodiscard]] double violation(const Problem& problem, const Matrix& rows);

struct DualSide {
  Matrix U;  // -A'Y / n
  std::vector<DeadZone> zones;
};

// As certify(); Y is balanced in place, `side` filled.
[[nodiscard]] Verdict certify(const Problem& problem, const SparseRows& X, Matrix& Y, int threads, DualSide& side);

struct Point {
  SparseRows X;
  Matrix Y;
};

// For the Monitor, which says what it asks (solver.hpp).
class Judge {
 public:
  using Problem = joint::Problem;
  using Point = joint::Point;
  using Start = joint::Start;
  using Result = joint::Result;
  static constexpr auto kPrimal = &Point::X;
  static constexpr auto kDual = &Point::Y;
  static constexpr Run::Charges kCharges = Run::Charges::own;
  static double pass(const Problem& p) { return static_cast<double>(p.A->nonzeros()) * static_cast<double>(p.c()); }
  static TeamPtr team(const Problem& /*problem*/) { return {}; }
  static bool has_ridge(const Problem& p) { return p.ridge > 0; }
  static void save(const Settings::Checkpoints& to, Point point, double multiplier, const TracePoint& at);

  Judge(const Problem& problem, const Settings& settings) : p_(problem), threads_(settings.threads) {}
  [[nodiscard]] Nothing nothing() const;
  [[nodiscard]] Point start() const { return {{p_.d(), {}, Matrix(0, p_.c())}, Matrix::Zero(p_.n(), p_.c())}; }
  [[nodiscard]] Judgement certify(Point& point, double believed_gap) const;
  [[nodiscard]] bool is_pair() const { return false; }
  [[nodiscard]] double violation(const Point& point) const { return joint::violation(p_, point.X.value); }

 private:
  const Problem& p_;
  int threads_;
};

using Monitor = MonitorOf<Judge>;
using Engine = EngineOf<Judge>;
using Solver = SolverOf<Judge, Engine>;

}  // namespace pdbfw::joint
