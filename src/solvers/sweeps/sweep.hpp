// A sweep: every row once, against the live primal point, by all cores and members at once.               [M10, M49]
//
//   w_i = a_i'x,   y_i <- argmax_v  w_i v - f_i*(v) - (v - y_i)^2 / (2 step_i),   u <- u - (change of y_i / n) a_i
//
// Rows lie in shards. The shards of a process meet at every refresh of lambda, the members of a team a few times per
// sweep; in between each shard moves its own copy of u, and where they meet the changes are added. D never falls with
// the step of one row alone, and seldom with the sum of what several shards did. Where it has, the sweep is made again
// by one shard per member; and a whole step of several members is shortened by a line search on D.
//
// A member k of K goes by its own rows alone until it meets the others,
//   u_k = u + s (change of u by its own rows),    D_k(y_k, lambda_k) = -g*(u_k) / s - (1/n) sum_{i in k} f_i*(y_i),
// with steps n / (s sum_j a_ij^2 / q_j). By the convexity of g*, the sum of all changes raises D by at least the sum of
// what the D_k rose if s = K; if s = 1, a K-th of it does. Data are seldom that bad: s begins at K / 2 and follows what
// the line search finds.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "solvers/sweeps/state.hpp"

namespace pdbfw {

class Sweep {
 public:
  Sweep(SweepState& state, const Settings& settings);

  // D does not fall.
  void make(Run& run);
  [[nodiscard]] Index count() const { return count_; }
  // (1/n) sum_i f_i(w_i), each w_i as it was when row i was visited.
  [[nodiscard]] double stale_loss() const { return stale_loss_; }

 private:
  using Products = SweepState::Products;

  [[nodiscard]] Index shards() const;
  [[nodiscard]] double least_dual() const;
  void be_more_careful();

  // One way through all rows, from where the ascent stands or from beyond that.
  void go(Index shards, Run& run);
  template <class XOf, class Rows>
  void visit_block(const XOf& x_of, const Rows& rows, Index first, Index count, Index shards, Run& run);
  template <class XOf, class Rows>
  Index visit_chunk(const XOf& x_of, const Rows& rows, Index first, Index begin, Index end, Products& at);
  [[nodiscard]] double dual_prox(std::size_t i, double w, double y) const;
  void choose_step(std::size_t i);
  void order_chunks(Index chunks);
  void join(std::vector<Products>& own);

  // The team's part.
  [[nodiscard]] Index parts() const;
  void add_up(std::vector<double>& v);
  std::array<double, 2> meet(std::array<double, 2> sums);
  void go_beyond();
  double dual_after(double t, double mean_conjugate);
  void take_step();

  SweepState& s_;
  Random random_;
  const std::span<const double> b_ = s_.loss.targets();
  // Where every f_i* is a quadratic on an interval, the same one for all targets of a sign: those of targets <= 0, > 0.
  const std::optional<std::array<QuadraticConjugate, 2>> pieces_;
  Index count_ = 0;
  Index edition_ = -1;  // of the state, to which the norms and the last change belong
  bool norms_are_known_ = false;
  std::vector<double> norm_, step_;  // of every row: sum_j a_ij^2 / q_j, and what dual_prox takes
  std::vector<Index> chunks_;
  // How often shards meet in a sweep, until when there is one alone, and for how long the next time.
  Index most_refreshes_, alone_until_ = 0, pause_ = 1;
  double stale_loss_ = 0;

  // Of the sweep that is being made:
  SweepState::Place before_;
  Products meeting_;  // where the members met last
  Index refreshes_ = 0, parts_ = 0, part_ = 0;
  bool is_beyond_ = false, goes_on_ = true;

  double scale_;              // s
  Index sweeps_forward_ = 0;  // since the whole step last failed
  struct Change {
    std::vector<double> y;
    Products now;
  } last_;                                                          // the last whole step
  double nonzeros_sent_ = std::numeric_limits<double>::infinity();  // by all members, the last time
};

}  // namespace pdbfw
