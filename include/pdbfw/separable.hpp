// Lifts the scalar formulas of one loss to the Loss interface: the targets and the weights of the samples are held, and
// the loops over samples written once, here, with the formulas inlined into them.
//
// Formulas are functions of a target b and of a number. They must have: kName, kTargetKind, value, derivative,
// second_derivative, conjugate, conjugate_derivative, dual_prox, smoothness, curvature; and may have kIsQuadratic,
// conjugate_of where f* is quadratic on an interval, and values, derivatives, conjugates and local_models, which do
// many samples at once, where that is quicker.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pdbfw/loss.hpp"
#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {

template <class Formulas>
class Separable final : public Loss {
 public:
  // Without weights every sample counts 1. Throws InputError for weights that are negative or too few.
  explicit Separable(std::vector<double> targets, Formulas formulas = {}, std::vector<double> sample_weight = {})
      : b_(std::move(targets)), weights_(std::move(sample_weight), b_.size()), f_(std::move(formulas)) {}

  [[nodiscard]] std::string_view name() const override { return Formulas::kName; }
  [[nodiscard]] TargetKind target_kind() const override { return Formulas::kTargetKind; }
  [[nodiscard]] std::span<const double> targets() const override { return b_; }

  [[nodiscard]] double value(std::size_t i, double w) const override {
    return with_samples([&](const auto& f) { return f(i).value(b_[i], w); });
  }
  [[nodiscard]] double derivative(std::size_t i, double w) const override {
    return with_samples([&](const auto& f) { return f(i).derivative(b_[i], w); });
  }
  [[nodiscard]] double second_derivative(std::size_t i, double w) const override {
    return with_samples([&](const auto& f) { return f(i).second_derivative(b_[i], w); });
  }
  [[nodiscard]] double conjugate(std::size_t i, double y) const override {
    return with_samples([&](const auto& f) { return f(i).conjugate(b_[i], y); });
  }
  [[nodiscard]] double conjugate_derivative(std::size_t i, double y) const override {
    return with_samples([&](const auto& f) { return f(i).conjugate_derivative(b_[i], y); });
  }
  [[nodiscard]] double dual_prox(std::size_t i, double w, double y, double step) const override {
    return with_samples([&](const auto& f) { return f(i).dual_prox(b_[i], w, y, step); });
  }

  [[nodiscard]] double total_value(std::span<const double> w) const override {
    if constexpr (requires(std::span<double> out) { f_.values(w, w, out); }) {
      std::vector<double> terms(size());
      f_.values(b_, w, terms);
      for_weighted([&](std::size_t i, const auto& f) { terms[i] = f.weighted(terms[i]); });
      return sum_of([&](std::size_t i) { return terms[i]; });
    } else {
      return with_samples(
          [&](const auto& f) { return sum_of([&](std::size_t i) { return f(i).value(b_[i], w[i]); }); });
    }
  }
  [[nodiscard]] double total_conjugate(std::span<const double> y) const override {
    if constexpr (requires(std::span<double> out) { f_.conjugates(y, y, out); }) {
      std::vector<double> terms(size()), divided(weights_.are_given() ? size() : 0);
      for_weighted([&](std::size_t i, const auto& f) { divided[i] = f.divided(y[i]); });
      f_.conjugates(b_, weights_.are_given() ? divided : y, terms);
      for_weighted([&](std::size_t i, const auto& f) { terms[i] = f.conjugate_from(y[i], terms[i]); });
      return sum_of([&](std::size_t i) { return terms[i]; });
    } else {
      return with_samples(
          [&](const auto& f) { return sum_of([&](std::size_t i) { return f(i).conjugate(b_[i], y[i]); }); });
    }
  }
  void derivatives(std::span<const double> w, std::span<double> y) const override {
    if constexpr (requires { f_.derivatives(w, w, y); }) {
      f_.derivatives(b_, w, y);
      for_weighted([&](std::size_t i, const auto& f) { y[i] = f.inside(y[i]); });
    } else {
      with_samples([&](const auto& f) {
        for (std::size_t i = 0; i < b_.size(); ++i) y[i] = f(i).derivative(b_[i], w[i]);
      });
    }
  }
  [[nodiscard]] double local_model(std::span<const double> w, std::span<double> slope,
                                   std::span<double> bend) const override {
    if constexpr (requires { f_.local_models(w, w, slope, slope, bend); }) {
      std::vector<double> terms(size());
      f_.local_models(b_, w, terms, slope, bend);
      for_weighted([&](std::size_t i, const auto& f) {
        terms[i] = f.weighted(terms[i]);
        slope[i] = f.inside(slope[i]);
        bend[i] = f.weighted(bend[i]);
      });
      return sum_of([&](std::size_t i) { return terms[i]; });
    } else {
      with_samples([&](const auto& f) {
        for (std::size_t i = 0; i < b_.size(); ++i) {
          slope[i] = f(i).derivative(b_[i], w[i]);
          bend[i] = f(i).second_derivative(b_[i], w[i]);
        }
      });
      return total_value(w);
    }
  }
  void dual_proxes(std::span<const double> w, std::span<const double> y, double step,
                   std::span<double> y_tilde) const override {
    with_samples([&](const auto& f) {
      for (std::size_t i = 0; i < b_.size(); ++i) y_tilde[i] = f(i).dual_prox(b_[i], w[i], y[i], step);
    });
  }

  [[nodiscard]] double smoothness() const override { return weights_.largest() * f_.smoothness(); }
  [[nodiscard]] double curvature() const override { return weights_.smallest() * f_.curvature(); }
  [[nodiscard]] bool is_quadratic() const override {
    if constexpr (requires { Formulas::kIsQuadratic; })
      return Formulas::kIsQuadratic && !weights_.are_given();
    else
      return false;
  }
  [[nodiscard]] std::optional<QuadraticConjugate> quadratic_conjugate(std::size_t i) const override {
    if constexpr (requires { f_.conjugate_of(b_[i]); })
      if (!weights_.are_given()) return f_.conjugate_of(b_[i]);
    return {};
  }
  [[nodiscard]] std::shared_ptr<const Loss> subset(std::span<const Index> samples) const override {
    std::vector<double> some;
    some.reserve(samples.size());
    for (const Index i : samples) some.push_back(b_[static_cast<std::size_t>(i)]);
    return std::make_shared<Separable>(std::move(some), f_, weights_.of(samples));
  }

 private:
  // A sample that counts `weight` times:  weight f(w),  whose conjugate is  weight f*(y / weight).  Of weight 0 it is
  // 0, and the conjugate is finite at 0 only.
  struct WeightedSample {
    const Formulas& f;
    double weight;

    [[nodiscard]] double value(double b, double w) const { return weighted(f.value(b, w)); }
    [[nodiscard]] double derivative(double b, double w) const { return inside(f.derivative(b, w)); }
    [[nodiscard]] double second_derivative(double b, double w) const { return weighted(f.second_derivative(b, w)); }
    [[nodiscard]] double conjugate(double b, double y) const { return conjugate_from(y, f.conjugate(b, divided(y))); }
    [[nodiscard]] double conjugate_derivative(double b, double y) const {
      return weight == 0 ? 0 : f.conjugate_derivative(b, divided(y));
    }
    // With u = weight v:   weight ( w v - f*(v) - (v - y / weight)^2 / (2 step / weight) )
    [[nodiscard]] double dual_prox(double b, double w, double y, double step) const {
      return weight == 0 ? 0 : inside(f.dual_prox(b, w, divided(y), step / weight));
    }

    // The same, made of what f has given.
    [[nodiscard]] double weighted(double v) const { return weight == 0 ? 0 : weight * v; }
    // weight v, rounded towards 0 where it has to be: divided by the weight again, it is in the domain of f* if v is.
    // (All domains are intervals with 0 in them.)
    [[nodiscard]] double inside(double v) const {
      if (weight == 0) return 0;
      const double u = weight * v;
      return std::abs(u / weight) > std::abs(v) ? std::nextafter(u, 0.0) : u;
    }
    [[nodiscard]] double divided(double y) const { return weight == 0 ? 0 : y / weight; }
    [[nodiscard]] double conjugate_from(double y, double of_divided) const {
      if (weight == 0) return y == 0 ? 0 : std::numeric_limits<double>::infinity();
      return weight * of_divided;
    }
  };

  // work(f), where f(i) has the formulas of sample i: the plain ones where all count the same, so that weights cost
  // nothing where there are none.
  template <class Work>
  auto with_samples(const Work& work) const {
    if (weights_.are_given()) return work([this](std::size_t i) { return WeightedSample{f_, weights_[i]}; });
    return work([this](std::size_t) -> const Formulas& { return f_; });
  }
  // What many samples were told at once is put right, if it has to be: work(i, the weighted sample).
  template <class Work>
  void for_weighted(const Work& work) const {
    if (!weights_.are_given()) return;
    for (std::size_t i = 0; i < b_.size(); ++i) work(i, WeightedSample{f_, weights_[i]});
  }
  template <class Term>
  [[nodiscard]] double sum_of(const Term& term) const {
    return pairwise_sum(0, b_.size(), term);
  }

  std::vector<double> b_;
  SampleWeights weights_;
  Formulas f_;
};

}  // namespace pdbfw
