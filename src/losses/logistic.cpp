#include "losses/logistic.hpp"

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

}  // namespace

void Logistic::values(std::span<const double> b, std::span<const double> w, std::span<double> value) {
  run_wide<Values>(b.data(), w.data(), value.data(), value.size());
}

void Logistic::conjugates(std::span<const double> b, std::span<const double> y, std::span<double> value) {
  run_wide<Conjugates>(b.data(), y.data(), value.data(), value.size());
}

void Logistic::derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) {
  run_wide<Slopes>(b.data(), w.data(), y.data(), y.size());
}

void Logistic::local_models(std::span<const double> b, std::span<const double> w, std::span<double> value,
                            std::span<double> slope, std::span<double> bend) {
  run_wide<Everything>(b.data(), w.data(), value.data(), slope.data(), bend.data(), value.size());
}

}  // namespace pdbfw
