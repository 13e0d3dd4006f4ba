// Sequential dual ascent: steps 3 to 5 of Algorithm 1, one row after the other against the live primal point.
//
//   D(y, lambda) = -sum_j outside(u_j)^2 / (2 q_j) - lambda radius - (1/n) sum_i f_i*(y_i),  u = -A'y / n       [M9]
//
// is jointly concave in the dual point y and the multiplier lambda of the radius, and x_j = outside(u_j) / q_j is at
// hand for every (y, lambda). With lambda fixed, one row's proximal step never decreases D; with y fixed, the exact
// refresh of lambda never decreases D. So D is monotone, whatever the data, and there is nothing to tune.
//
//   here     maths                                   |  invariants
//   y        dual iterate                            |    (I1) u = -A'y / n        (refreshed against drift)
//   u        -A'y / n                                |    (I2) D(y, lambda) never falls
//   zone     the dead zone [-lambda, lambda] of x    |  cost per iteration (a sweep over all rows): 2 nnz(A), and the
//   w        a_i'x when row i was last visited       |    refreshes of lambda, O(d) each
//   step     n / sum_j a_ij^2 / q_j                  |
#include "solvers/sequential.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "core/dual_value.hpp"
#include "core/monitor.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// Refreshes of lambda in a sweep: as often as they pay. One costs about d, a sweep about 2 nnz(A).
constexpr Index kMostRefreshes = 8;
constexpr Index kFewestRefreshes = 2;
// Sweeps after which u is computed anew, so that rounding cannot pile up.
constexpr Index kSweepsBeforeRefresh = 50;

struct State {
  std::vector<double> y, u, w;
  DeadZone zone;
};

// What the machine needs; sized once.
struct Scratch {
  std::vector<double> step;       // per row, +inf for an empty one
  std::vector<double> inverse_q;  // per feature; empty when q is uniform
  std::vector<Index> order;
  Random random;
};

Scratch prepare(const Problem& p, std::uint64_t seed) {
  Scratch tmp{.step = std::vector<double>(p.b.size()), .inverse_q = {}, .order = {}, .random = Random(seed)};
  const Curvatures q = p.regulariser->curvatures();
  for (const double q_j : q.each) tmp.inverse_q.push_back(1 / q_j);
  squared_norms(p.A->by_row(), tmp.inverse_q, tmp.step);
  const double scale = static_cast<double>(p.n()) * (q.is_uniform() ? q.uniform : 1.0);
  for (double& step : tmp.step) step = step > 0 ? scale / step : std::numeric_limits<double>::infinity();
  tmp.order.resize(p.b.size());
  std::iota(tmp.order.begin(), tmp.order.end(), Index{0});
  return tmp;
}

// u = -A'y / n, from scratch.                                                                              (I1)
void recompute_u(const Problem& p, int threads, State& st) {
  multiply_transposed(*p.A, st.y, st.u, threads);
  for (double& u_j : st.u) u_j /= -static_cast<double>(p.n());
}

// [M6]  lambda <- argmax D(y, lambda)
void refresh_zone(const Problem& p, State& st) {
  st.zone = p.set->dead_zone(st.u, p.regulariser->curvatures(), &st.zone);
}

// [M10]  for each row of the block:  w_i = a_i'x,  y_i <- argmax_v  w_i v - f_i*(v) - (v - y_i)^2 / (2 step_i),
//        u <- u - (change of y_i / n) a_i.
template <class Rows, class InverseQ>
Index sweep_rows(const Problem& p, const Rows& rows, std::span<const Index> block, const InverseQ& inverse_q,
                 const Scratch& tmp, State& st) {
  const double n = static_cast<double>(p.n());
  const Loss& loss = *p.loss;
  const DeadZone zone = st.zone;
  double* const u = st.u.data();
  Index touched = 0;
  for (const Index row : block) {
    const auto i = static_cast<std::size_t>(row);
    const auto line = rows[row];
    double w = 0;
    for (Index k = 0; k < line.size; ++k) {
      const Index j = line.index(k);
      w += static_cast<double>(line.value[k]) * zone.outside(u[j]) * inverse_q(j);
    }
    const double y = loss.dual_prox(p.b[i], w, st.y[i], tmp.step[i]);
    const double change = y - st.y[i];
    st.w[i] = w;
    touched += line.size;
    if (change == 0) continue;
    st.y[i] = y;
    for (Index k = 0; k < line.size; ++k) u[line.index(k)] -= change / n * static_cast<double>(line.value[k]);
    touched += line.size;
  }
  return touched;
}

double sweep_block(const Problem& p, std::span<const Index> block, const Scratch& tmp, State& st) {
  return std::visit(
      [&](const auto& rows) {
        const Curvatures q = p.regulariser->curvatures();
        if (q.is_uniform()) {
          const double inverse = 1 / q.uniform;
          return static_cast<double>(sweep_rows(
              p, rows, block, [inverse](Index) { return inverse; }, tmp, st));
        }
        const double* const inverse = tmp.inverse_q.data();
        return static_cast<double>(sweep_rows(
            p, rows, block, [inverse](Index j) { return inverse[j]; }, tmp, st));
      },
      p.A->by_row());
}

// D is exact; P takes each a_i'x as it was when row i was last visited.
Estimate estimate(const Problem& p, const State& st) {
  const double n = static_cast<double>(p.n());
  const Curvatures q = p.regulariser->curvatures();
  double g = 0;
  Index nonzeros = 0;
  for (std::size_t j = 0; j < st.u.size(); ++j) {
    const double outside = st.zone.outside(st.u[j]);
    if (outside == 0) continue;
    g += 0.5 * outside * outside / q[static_cast<Index>(j)];
    ++nonzeros;
  }
  const double dual = -g - st.zone.multiplier * p.set->radius() - p.loss->total_conjugate(p.b, st.y) / n;
  return {p.loss->total_value(p.b, st.w) / n + g, dual, nonzeros};
}

// x_j = outside(u_j) / q_j. Where the ridge is tiny, u and lambda agree in most digits and the rounding of their
// difference is blown up by 1/q; the projection takes x back into C.
Point point(const Problem& p, const State& st) {
  Point out{std::vector<double>(st.u.size()), st.y};
  const Curvatures q = p.regulariser->curvatures();
  for (std::size_t j = 0; j < st.u.size(); ++j) out.x[j] = st.zone.outside(st.u[j]) / q[static_cast<Index>(j)];
  p.set->project(out.x);
  return out;
}

State start_state(const Problem& p) {
  State st{.y = std::vector<double>(p.b.size()),
           .u = std::vector<double>(static_cast<std::size_t>(p.d())),
           .w = std::vector<double>(p.b.size()),
           .zone = {}};
  st.zone = p.set->dead_zone(st.u, p.regulariser->curvatures());
  return st;
}

class SequentialEngine final : public Engine {
 public:
  SequentialEngine(const Problem& p, const Settings& settings)
      : p_(p), threads_(settings.threads), st_(start_state(p)), tmp_(prepare(p, settings.seed)) {}

  [[nodiscard]] std::string name() const override { return "sequential"; }
  [[nodiscard]] Estimate estimate() override { return pdbfw::estimate(p_, st_); }
  [[nodiscard]] Point point() const override { return pdbfw::point(p_, st_); }

  // One sweep over the rows in an order drawn anew: a fixed order takes many times as many sweeps.
  void iterate(Monitor& monitor) override {
    const Index refreshes = std::clamp(p_.A->nonzeros() / (2 * p_.d()), kFewestRefreshes, kMostRefreshes);
    tmp_.random.shuffle(std::span(tmp_.order));
    for (Index block = 0; block < refreshes && monitor.may_go_on(); ++block) {
      const auto first = static_cast<std::size_t>(p_.n() * block / refreshes);
      const auto last = static_cast<std::size_t>(p_.n() * (block + 1) / refreshes);
      const auto rows = std::span<const Index>(tmp_.order).subspan(first, last - first);
      monitor.charge(sweep_block(p_, rows, tmp_, st_));  // [M10]
      refresh_zone(p_, st_);                             // [M6]
      monitor.charge(0, 1);
    }
    if (++sweeps_ % kSweepsBeforeRefresh != 0) return;
    recompute_u(p_, threads_, st_);
    refresh_zone(p_, st_);
    monitor.charge(static_cast<double>(p_.A->nonzeros()), 1);
  }

 private:
  const Problem& p_;
  int threads_;
  State st_;
  Scratch tmp_;
  Index sweeps_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_sequential_engine(const Problem& p, const Settings& settings) {
  return std::make_unique<SequentialEngine>(p, settings);
}

void Sequential::check(const Problem& p, const Settings&) const {
  if (!(p.regulariser->strong_convexity() > 0))
    throw InputError("ridge", "0", "> 0 for the solver sequential; auto and working_set take 0 as well");
}

Result Sequential::solve(const Problem& p, const Settings& settings, const Callback& callback) const {
  SequentialEngine engine(p, settings);
  return run(p, settings, callback, engine);
}

}  // namespace pdbfw
