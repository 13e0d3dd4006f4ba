#include "baselines/primal_point.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// v / |v|; the length is given back. A length of 0 or beyond all numbers leaves v as it is.
double normalise(std::vector<double>& v) {
  double size = 0;
  for (const double v_j : v) size = std::max(size, std::abs(v_j));
  if (!(size > 0 && std::isfinite(size))) return size;
  for (double& v_j : v) v_j /= size;
  const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  for (double& v_j : v) v_j /= length;
  return size * length;
}

}  // namespace

PrimalPoint point_at(const Problem& p, std::vector<double> x) {
  PrimalPoint point;
  point.x = std::move(x);
  point.w.resize(p.loss->size());
  point.y.resize(p.loss->size());
  point.u.resize(point.x.size());
  return point;
}

double evaluate(const Problem& p, int threads, PrimalPoint& point) {
  const double entries = multiply_support(*p.A, point.x, point.w, threads);
  point.value = primal_value(p, point.x, point.w);
  return entries;
}

void take_derivatives(const Problem& p, int /*threads*/, PrimalPoint& point) { p.loss->derivatives(point.w, point.y); }

double differentiate(const Problem& p, int threads, PrimalPoint& point) {
  take_derivatives(p, threads, point);
  multiply_transposed(*p.A, point.y, point.u, threads);
  for (double& u_j : point.u) u_j /= -static_cast<double>(p.n());
  return static_cast<double>(p.A->nonzeros());
}

double primal_value(const Problem& p, std::span<const double> x, std::span<const double> w) {
  return p.loss->total_value(w) / static_cast<double>(p.n()) + p.regulariser->value(x);
}

void go_along(const Problem& p, int /*threads*/, const PrimalPoint& from, const PrimalPoint& to, double t,
              PrimalPoint& out) {
  for (std::size_t j = 0; j < from.x.size(); ++j) out.x[j] = from.x[j] + t * (to.x[j] - from.x[j]);
  for (std::size_t i = 0; i < from.w.size(); ++i) out.w[i] = from.w[i] + t * (to.w[i] - from.w[i]);
  out.value = primal_value(p, out.x, out.w);
}

Index count_nonzeros(std::span<const double> x) {
  return static_cast<Index>(x.size()) - std::count(x.begin(), x.end(), 0.0);
}

void gradient_at(const Problem& p, const PrimalPoint& point, std::vector<double>& out) {
  out.resize(point.u.size());
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = -point.u[j];
  p.regulariser->add_gradient(point.x, out);
}

double gradient_size(const Problem& p, const PrimalPoint& point) {
  const Curvatures q = curvatures(p);
  double largest = 0;
  for (std::size_t j = 0; j < point.x.size(); ++j)
    largest = std::max(largest, std::abs(q[static_cast<Index>(j)] * point.x[j] - point.u[j]));
  return largest;
}

void gradient_step(const Problem& p, const PrimalPoint& from, double step, std::vector<double>& to) {
  const Curvatures q = p.regulariser->curvatures();
  to.resize(from.x.size());
  for (std::size_t j = 0; j < to.size(); ++j)
    to[j] = from.x[j] + step * (from.u[j] - q[static_cast<Index>(j)] * from.x[j]);
  p.set->project(to);
}

double dot(const std::vector<double>& v, const std::vector<double>& x) {
  return std::inner_product(v.begin(), v.end(), x.begin(), 0.0);
}

Estimate estimate(const Problem& p, const PrimalPoint& answer, const PrimalPoint& proof, DeadZone& zone) {
  double on_set = 0;  // min_{x in C} g(x) - <u, x>, or a lower bound                                      [M2], [M2b]
  if (p.set->has_dead_zone()) {
    const Curvatures q = curvatures(p);
    zone = p.set->dead_zone(proof.u, q, &zone);
    on_set = set_part(proof.u, q, zone, p.set->radius());
  } else {
    std::vector<double> slope;
    SparseAtom v;
    on_set = set_part_from(p, proof.x, proof.u, slope, v);
  }
  const double dual = on_set - p.loss->total_conjugate(proof.y) / static_cast<double>(p.n());
  return {answer.value, dual, count_nonzeros(answer.x)};
}

void step_towards(const SparseAtom& vertex, double t, std::vector<double>& x) {
  for (double& x_j : x) x_j *= 1 - t;
  for (std::size_t k = 0; k < vertex.at.size(); ++k) x[static_cast<std::size_t>(vertex.at[k])] += t * vertex.value[k];
}

double largest_row_smoothness(const Problem& p, Run& run) {
  std::vector<double> norms(p.loss->size());
  row_squared_norms(*p.A, norms);
  run.charge(static_cast<double>(p.A->nonzeros()));
  return p.loss->smoothness() * *std::max_element(norms.begin(), norms.end()) + p.regulariser->smoothness();
}

double primal_smoothness(const Problem& p, const Settings& settings, Run& run, double accuracy) {
  constexpr int kMostIterations = 100;
  Random random(settings.seed);
  std::vector<double> v(static_cast<std::size_t>(p.d())), Bv(v.size()), Av(p.loss->size());
  for (double& v_j : v) v_j = random.normal();
  normalise(v);
  double lambda = 0, residual = 0;
  for (int k = 0; k < kMostIterations && run.may_go_on(); ++k) {
    multiply(*p.A, v, Av, settings.threads);
    multiply_transposed(*p.A, Av, Bv, settings.threads);
    run.charge(2.0 * static_cast<double>(p.A->nonzeros()));
    lambda = std::inner_product(v.begin(), v.end(), Bv.begin(), 0.0);
    residual = 0;
    for (std::size_t j = 0; j < v.size(); ++j) residual += (Bv[j] - lambda * v[j]) * (Bv[j] - lambda * v[j]);
    residual = std::sqrt(residual);  // an eigenvalue lies within this of lambda
    v = Bv;
    if (!(normalise(v) > 0) || residual <= accuracy * lambda) break;
  }
  return p.loss->smoothness() * (lambda + residual) / static_cast<double>(p.n()) + p.regulariser->smoothness();
}

double diameter(const Problem& p) {
  // Two features are enough to meet all kinds of pairs of vertices: e_1 and e_2, e_1 and -e_1.
  std::vector<std::vector<double>> vertices;
  const std::size_t d = std::min<std::size_t>(2, static_cast<std::size_t>(p.d()));
  for (std::size_t j = 0; j < d; ++j)
    for (const double sign : {-1.0, 1.0}) {
      std::vector<double> gradient(d, 0.0), vertex(d, 0.0);
      gradient[j] = sign;
      SparseAtom atom;
      p.set->linear_oracle(gradient, atom);
      for (std::size_t k = 0; k < atom.at.size(); ++k) vertex[static_cast<std::size_t>(atom.at[k])] = atom.value[k];
      vertices.push_back(vertex);
    }
  double largest = 0;
  for (const auto& a : vertices)
    for (const auto& b : vertices) {
      double sum = 0;
      for (std::size_t j = 0; j < d; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
      largest = std::max(largest, std::sqrt(sum));
    }
  return largest;
}

PrimalPointEngine::PrimalPointEngine(const Problem& p, const Settings& settings, const Start& start)
    : p_(p),
      settings_(settings),
      is_theory_(settings.steps == "theory"),
      scale_(settings.step_scale),
      threads_(settings.threads),
      answer_(point_at(p, start.x.empty() ? start_point(p) : start.x)),
      has_start_(!start.x.empty()) {
  look();
}

void PrimalPointEngine::look() { owed_ += evaluate(p_, threads_, answer_) + differentiate(p_, threads_, answer_); }

void PrimalPointEngine::radius_has_changed() {
  p_.set->project(answer_.x);
  look();
  begin();
}

double PrimalPointEngine::gap() {
  const Estimate now = estimate();
  return now.primal - now.dual;
}

double PrimalPointEngine::smoothness(Run& run) {
  if (smoothness_ == 0) smoothness_ = primal_smoothness(p_, settings_, run, is_theory_ ? kExactly : kRoughly);
  return smoothness_;
}

double PrimalPointEngine::row_smoothness(Run& run) {
  if (row_smoothness_ == 0) row_smoothness_ = largest_row_smoothness(p_, run);
  return row_smoothness_;
}

void PrimalPointEngine::begin_at_vertex(Run& run) {
  if (!is_theory_ || std::exchange(has_start_, true)) return;
  std::vector<double> gradient;
  gradient_at(p_, answer_, gradient);
  SparseAtom vertex;
  p_.set->linear_oracle(gradient, vertex);
  step_towards(vertex, 1, answer_.x);
  run.charge(evaluate(p_, threads_, answer_) + differentiate(p_, threads_, answer_), 1);
}

}  // namespace pdbfw
