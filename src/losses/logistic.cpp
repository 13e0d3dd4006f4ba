#include "losses/logistic.hpp"

#include "linalg/processor.hpp"

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

// out_i = f(b_i, v_i)
template <double (*f)(double, double)>
struct Each {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict v, double* __restrict out,
                                         std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = f(b[i], v[i]);
  }
};

}  // namespace

void Logistic::values(std::span<const double> b, std::span<const double> w, std::span<double> value) {
  run_wide<Each<Logistic::value>>(b.data(), w.data(), value.data(), value.size());
}

void Logistic::conjugates(std::span<const double> b, std::span<const double> y, std::span<double> value) {
  run_wide<Each<Logistic::conjugate>>(b.data(), y.data(), value.data(), value.size());
}

void Logistic::derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) {
  run_wide<Each<Logistic::derivative>>(b.data(), w.data(), y.data(), y.size());
}

void Logistic::local_models(std::span<const double> b, std::span<const double> w, std::span<double> value,
                            std::span<double> slope, std::span<double> bend) {
  run_wide<Everything>(b.data(), w.data(), value.data(), slope.data(), bend.data(), value.size());
}

}  // namespace pdbfw
