#include "losses/logistic.hpp"

#include <vector>

#include "linalg/wide.hpp"

namespace pdbfw {
namespace {

struct Everything {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict w,
                                         double* __restrict value, double* __restrict slope, double* __restrict bend,
                                         std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      const Logistic::Local local = Logistic::at(b[i], w[i]);
      value[i] = local.value;
      slope[i] = local.slope;
      bend[i] = local.bend;
    }
  }
};

struct Values {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict w,
                                         double* __restrict value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) value[i] = Logistic::at(b[i], w[i]).value;
  }
};

struct Slopes {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict w,
                                         double* __restrict slope, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) slope[i] = Logistic::at(b[i], w[i]).slope;
  }
};

struct Conjugates {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict y,
                                         double* __restrict value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) value[i] = Logistic::conjugate(b[i], y[i]);
  }
};

double sum_of(const std::vector<double>& terms) {
  return pairwise_sum(0, terms.size(), [&](std::size_t i) { return terms[i]; });
}

}  // namespace

double Logistic::total_value(std::span<const double> b, std::span<const double> w) {
  std::vector<double> terms(b.size());
  run_wide<Values>(b.data(), w.data(), terms.data(), terms.size());
  return sum_of(terms);
}

double Logistic::total_conjugate(std::span<const double> b, std::span<const double> y) {
  std::vector<double> terms(b.size());
  run_wide<Conjugates>(b.data(), y.data(), terms.data(), terms.size());
  return sum_of(terms);
}

void Logistic::derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) {
  run_wide<Slopes>(b.data(), w.data(), y.data(), y.size());
}

double Logistic::local_model(std::span<const double> b, std::span<const double> w, std::span<double> slope,
                             std::span<double> bend) {
  std::vector<double> terms(b.size());
  run_wide<Everything>(b.data(), w.data(), terms.data(), slope.data(), bend.data(), terms.size());
  return sum_of(terms);
}

}  // namespace pdbfw
