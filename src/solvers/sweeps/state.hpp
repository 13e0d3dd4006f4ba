// What the sweeps move: a dual point y, and on a working set W of features the point x that belongs to it.     [M10]
//
//   D(y, lambda) = -sum_j outside(u_j)^2 / (2 q_j) - lambda radius - (1/n) sum_i f_i*(y_i),  u = -A'y / n       [M9]
//
// is jointly concave in y and in the multiplier lambda of the radius, and x_j = outside(u_j) / q_j is at hand for every
// (y, lambda). On W this is D of the problem without the other features.
//
//   here       maths                                 |  invariants
//   y          dual point, rows of this member       |    (I1) u = -A'y / n on W, the same bits at every member
//   now.u      u, on W                               |    (I2) q has the proximity added, and u has proximity * centre
//   zone       the dead zone [-lambda, lambda] of x  |
//   w          a_i'x when row i was last visited     |
//
// [M18]  Without a ridge the problem solved is one that has a ridge: (proximity / 2) |x - centre|^2 is added to g,
// which adds the proximity to every q_j and proximity * centre to u.
// [M49]  An intercept is the weight of a column of ones that the set does not hold back: its u is `now.bias`, and its
// curvature is only that of a proximal term, whose centre follows it sweep by sweep.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/team.hpp"
#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "core/run.hpp"
#include "solvers/sweeps/row_kernels.hpp"
#include "solvers/sweeps/swept_rows.hpp"

namespace pdbfw {

// From this number of entries on, work is divided among threads.
inline constexpr Index kWorthSharding = 250'000;
// D has settled when a sweep raises it by no more than this share.
inline constexpr double kWellSettled = 1e-3;
// What one row's proximal step costs beside its products, in multiply-adds.
inline constexpr double kScalarStep = 20;

struct SweepState {
  SweepState(const Problem& problem, const Settings& settings, const Start& start);
  SweepState(const SweepState&) = delete;
  SweepState& operator=(const SweepState&) = delete;
  ~SweepState() = default;

  const Problem& p;
  const Loss& loss = p.loss->of_samples();  // the intercept is ours to find
  const double tol;
  const int threads;
  const double n;  // samples of all members
  const int members;
  // All rows are in the memory of this process, and there is no intercept.
  const bool is_alone;
  const bool has_few_rows;  // so that Newton's method may help [M17]
  const bool is_warm;       // y was given

  SweptRows rows;
  std::vector<double> y, w;  // over the rows here
  struct Products {
    std::vector<double> u;  // over W
    double bias = 0;        // of the column of ones
  } now;
  DeadZone zone;
  Index edition = 0;  // of W and q: who keeps what depends on them asks

  double proximity = 0;
  std::vector<double> centre;  // over all features, where there is a proximity
  Curvatures q;                // of all features
  struct Intercept {
    double inverse_q = 0;  // there is none
    double centre = 0;
  } intercept;
  std::shared_ptr<const Set> smaller_set;  // in the place of the problem's

  // As looked at last:
  double dual = 0, mean_conjugate = 0;
  double g = 0, paid = 0;  // g(x), and what a penalty costs
  Index nonzeros = 0;

  [[nodiscard]] bool has_intercept() const { return intercept.inverse_q > 0; }
  [[nodiscard]] const Set& set() const { return smaller_set ? *smaller_set : *p.set; }
  [[nodiscard]] Curvatures own_q() const { return p.regulariser->curvatures(); }  // of the problem itself
  [[nodiscard]] Curvatures q_in_play() const { return q.is_uniform() ? q : Curvatures{0, packed_q_}; }
  [[nodiscard]] Index feature(std::size_t a) const { return rows.features()[a]; }
  // x of the feature at position a of W.
  [[nodiscard]] double x(std::size_t a) const { return zone.outside(now.u[a]) / q[feature(a)]; }

  // In full, taken back into C. Where the ridge is tiny, u and lambda agree in most digits and the rounding of their
  // difference is blown up by 1 / q.
  [[nodiscard]] std::vector<double> full_x() const;

  // [M6]  lambda <- argmax D(y, lambda)
  void refresh_zone() { zone = set().dead_zone(now.u, q_in_play(), &zone); }
  void look();
  void look(double mean_conjugate_at_y);
  // The intercept.
  [[nodiscard]] double free_weight() const { return now.bias * intercept.inverse_q; }
  // The intercept's part of -D, and what its proximal term adds to P.
  [[nodiscard]] double part_of_intercept(double bias) const;
  [[nodiscard]] double excess_of_intercept() const;
  void begin_intercept();
  void move_centre_of_intercept();

  // W = the given features; `u` is that of all features, the proximity's part included.
  void choose(std::vector<Index> features, std::span<const double> u, bool as_float);
  void shrink(std::span<const Index> positions);
  void set_proximity(double next);
  // The same with another centre; u follows.
  void set_proximity(double next, std::vector<double> next_centre);

  // w = A x exactly, on W.
  void verify_products(Run& run);
  // u from y, and with it lambda.
  void refresh_products(Run& run);
  // -A'y / n of all features.
  [[nodiscard]] std::vector<double> full_u(Run& run) const;
  [[nodiscard]] double mean_loss() const { return sum_over(p.team, loss.total_value(w)) / n; }

  // Where the ascent stands, to return to.
  struct Place {
    std::vector<double> y;
    Products now;
    DeadZone zone;
    double dual = 0;
  };
  [[nodiscard]] Place place() const { return {y, now, zone, dual}; }
  void return_to(const Place& place);

  // Calls work(r) for r = 0 .. count - 1, on several threads where that pays; what it does must not depend on the
  // order.
  template <class Work>
  void for_rows_in_shards(Index count, const Work& work) const {
    constexpr Index kShards = 16;
    parallel_for(rows.entries() >= kWorthSharding ? threads : 1, kShards, [&](Index s) {
      for (Index r = count * s / kShards; r < count * (s + 1) / kShards; ++r) work(r);
    });
  }
  // Calls work(x_of) with x as a function of u.
  template <class Work>
  void with_curvatures(const Work& work) const {
    if (q.is_uniform())
      work(XOfU<EqualCurvatures>{1 / q.uniform, {}});
    else
      work(XOfU<OwnCurvatures>{1, {inverse_q_.data()}});
  }

 private:
  void rows_have_changed();

  const double price_ = price(*p.set);  // of |x|_1                                                            [M39]
  std::vector<double> proximal_q_;
  std::vector<double> packed_q_, inverse_q_;  // over W; empty when q is uniform
};

}  // namespace pdbfw
