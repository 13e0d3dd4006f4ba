#include "linalg/dense_kernels.hpp"

#include "linalg/lanes.hpp"

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

#ifdef __x86_64__
// Without FMA, which would round differently.
template <class Kernel, class... Arguments>
[[gnu::target("avx2")]] auto with_avx2(Arguments... arguments) {
  return Kernel::run(arguments...);
}

const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#endif

template <class Kernel, class... Arguments>
auto run(Arguments... arguments) {
#ifdef __x86_64__
  if (has_avx2) return with_avx2<Kernel>(arguments...);
#endif
  return Kernel::run(arguments...);
}

}  // namespace

double dense_dot(const float* a, const double* v, Index size) { return run<Dot>(a, v, size); }
double dense_dot(const double* a, const double* v, Index size) { return run<Dot>(a, v, size); }

void dense_add_scaled(const float* a, double scale, double* v, Index size) { run<AddScaled>(a, scale, v, size); }
void dense_add_scaled(const double* a, double scale, double* v, Index size) { run<AddScaled>(a, scale, v, size); }

double dense_squared_norm(const float* a, Index size) { return run<SquaredNorm>(a, size); }
double dense_squared_norm(const double* a, Index size) { return run<SquaredNorm>(a, size); }

}  // namespace pdbfw
