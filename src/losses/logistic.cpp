#include "losses/logistic.hpp"

#include <vector>

#include "linalg/elementary.hpp"
#include "linalg/wide.hpp"

namespace pdbfw {
namespace {

// f, f' and f'' of samples first .. last - 1, by e = exp(-|m|), which is never large.
struct Everything {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict w,
                                         double* __restrict value, double* __restrict slope, double* __restrict bend,
                                         std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      const double m = b[i] * w[i], far = m < 0 ? -m : m;
      const double e = exp_of_negative(-far), inverse = 1 / (1 + e);
      value[i] = log1p_of_share(e) + (m < 0 ? far : 0.0);
      slope[i] = -b[i] * (m < 0 ? inverse : e * inverse);
      bend[i] = e * inverse * inverse;
    }
  }
};

struct Values {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict w,
                                         double* __restrict value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      const double m = b[i] * w[i], far = m < 0 ? -m : m;
      value[i] = log1p_of_share(exp_of_negative(-far)) + (m < 0 ? far : 0.0);
    }
  }
};

struct Slopes {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict w,
                                         double* __restrict slope, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      const double m = b[i] * w[i], far = m < 0 ? -m : m;
      const double e = exp_of_negative(-far), inverse = 1 / (1 + e);
      slope[i] = -b[i] * (m < 0 ? inverse : e * inverse);
    }
  }
};

// v log v + (1 - v) log(1 - v); at the ends of the domain, where v is all but 0 or 1, it is 0.
struct Conjugates {
  [[gnu::always_inline]] static void run(const double* __restrict b, const double* __restrict y,
                                         double* __restrict value, std::size_t size) {
    constexpr double kLeast = std::numeric_limits<double>::min();
    for (std::size_t i = 0; i < size; ++i) {
      const double v = -b[i] * y[i];
      const bool is_inside = v >= 0 && v <= 1, is_open = v >= kLeast && v < 1;
      const double at = is_open ? v : 0.5;
      const double entropy = at * log_of_normal(at) + (1 - at) * log1p_of_negative_share(at);
      value[i] = is_open ? entropy : is_inside ? 0.0 : std::numeric_limits<double>::infinity();
    }
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
