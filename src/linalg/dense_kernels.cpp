#include "linalg/kernels.hpp"
#include "linalg/lanes.hpp"
#include "linalg/processor.hpp"

namespace pdbfw {
namespace {

struct Dot {
  template <class Value>
  [[gnu::always_inline]] static inline double run(const Value* a, const double* v, Index size) {
    return sum_in_lanes(
        size, [=](Index k) __attribute__((always_inline)) { return static_cast<double>(a[k]) * v[k]; });
  }
};

struct AddScaled {
  template <class Value>
  [[gnu::always_inline]] static inline void run(const Value* a, double scale, double* v, Index size) {
    for (Index k = 0; k < size; ++k) v[k] += scale * static_cast<double>(a[k]);
  }
};

struct SquaredNorm {
  template <class Value>
  [[gnu::always_inline]] static inline double run(const Value* a, Index size) {
    return sum_in_lanes(
        size, [=](Index k)
                  __attribute__((always_inline)) { return static_cast<double>(a[k]) * static_cast<double>(a[k]); });
  }
};

}  // namespace

double dense_dot(const float* a, const double* v, Index size) { return run_wide<Dot>(a, v, size); }
double dense_dot(const double* a, const double* v, Index size) { return run_wide<Dot>(a, v, size); }

void dense_add_scaled(const float* a, double scale, double* v, Index size) { run_wide<AddScaled>(a, scale, v, size); }
void dense_add_scaled(const double* a, double scale, double* v, Index size) { run_wide<AddScaled>(a, scale, v, size); }

double dense_squared_norm(const float* a, Index size) { return run_wide<SquaredNorm>(a, size); }
double dense_squared_norm(const double* a, Index size) { return run_wide<SquaredNorm>(a, size); }

}  // namespace pdbfw
