// The inner loops over numbers that lie side by side. On x86 they take AVX2 where the processor has it, which is asked
// when the program starts, so one build runs everywhere. Nothing is fused, so the bits are the same with and without.
#pragma once

#include "pdbfw/errors.hpp"

namespace pdbfw {

// <a, v>
[[nodiscard]] double dense_dot(const float* a, const double* v, Index size);
[[nodiscard]] double dense_dot(const double* a, const double* v, Index size);

// v += scale * a
void dense_add_scaled(const float* a, double scale, double* v, Index size);
void dense_add_scaled(const double* a, double scale, double* v, Index size);

// |a|^2
[[nodiscard]] double dense_squared_norm(const float* a, Index size);
[[nodiscard]] double dense_squared_norm(const double* a, Index size);

}  // namespace pdbfw
