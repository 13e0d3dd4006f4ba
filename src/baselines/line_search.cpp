#include "baselines/line_search.hpp"

#include <algorithm>
#include <vector>

namespace pdbfw {
namespace {

// The samples whose product moves along the line, side by side.
struct MovingRows {
  std::vector<double> b, w, change;
  std::vector<double> w_t, y_t;

  MovingRows(const Problem& p, const PrimalState& st, const Direction& e) {
    for (std::vector<double>* v : {&b, &w, &change}) v->reserve(e.w.size());
    for (std::size_t i = 0; i < e.w.size(); ++i) {
      if (e.w[i] == 0) continue;
      b.push_back(p.b[i]);
      w.push_back(st.w[i]);
      change.push_back(e.w[i]);
    }
    w_t.resize(b.size());
    y_t.resize(b.size());
  }

  // sum_i f_i'(w_i + t change_i) change_i
  double slope(const Loss& loss, double t) {
    for (std::size_t i = 0; i < w.size(); ++i) w_t[i] = w[i] + t * change[i];
    loss.derivatives(b, w_t, y_t);
    return dot(y_t, change);
  }

  [[nodiscard]] double curvature(const Loss& loss) const {
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += loss.second_derivative(b[i], w[i]) * change[i] * change[i];
    return sum;
  }
};

}  // namespace

double exact_step(const Problem& p, const PrimalState& st, const Direction& e, double most) {
  const auto n = static_cast<double>(p.n());
  const Curvatures q = p.regulariser->curvatures();
  double bend = 0;  // sum_j q_j e_j^2
  for (std::size_t j = 0; j < e.x.size(); ++j) bend += q[static_cast<Index>(j)] * e.x[j] * e.x[j];
  MovingRows rows(p, st, e);
  const double slope_at_0 = dot(st.gradient, e.x), slope_of_g = slope_at_0 + dot(st.u, e.x);
  return line_minimum([&](double t) { return rows.slope(*p.loss, t) / n + slope_of_g + t * bend; }, slope_at_0,
                      rows.curvature(*p.loss) / n + bend, most);
}

double short_step(const PrimalState& st, const Direction& e, double L) {
  const double bound = L * dot(e.x, e.x);
  return bound > 0 ? std::max(0.0, -dot(st.gradient, e.x) / bound) : 0;
}

}  // namespace pdbfw
