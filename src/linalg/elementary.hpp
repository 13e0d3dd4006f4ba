// exp and log without branches and calls, so that loops over them become vector code. Both err by a few units in the
// last place, with the same bits on every processor.
#pragma once

#include <bit>
#include <cstdint>

namespace pdbfw {

namespace elementary {
inline constexpr double kLog2Of_e = 1.4426950408889634074;
// log 2 in two parts: the first has few digits, so that its products with small whole numbers are exact.
inline constexpr double kLog2High = 6.93147180369123816490e-01, kLog2Low = 1.90821492927058770002e-10;
// Adding this rounds to a whole number, which is then in the last bits.
inline constexpr double kRounds = 6755399441055744.0;

// (...(first x + second) x + ...) x + last
template <class... Rest>
[[nodiscard, gnu::always_inline]] inline double horner(double x, double first, Rest... rest) {
  ((first = first * x + rest), ...);
  return first;
}
}  // namespace elementary

// exp(x) for x <= 0
[[nodiscard, gnu::always_inline]] inline double exp_of_negative(double x) {
  using namespace elementary;
  x = x < -746.0 ? -746.0 : x;  // 0 from there on
  // exp(x) = 2^k exp(r),  |r| <= log(2) / 2
  const double rounded = x * kLog2Of_e + kRounds, k = rounded - kRounds;
  const double r = (x - k * kLog2High) - k * kLog2Low;
  // The sum of r^i / i!, whose rest is below 1e-17.
  const double p = horner(r, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                          1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5);
  const double e = 1 + (r + r * r * p);
  // 2^k in two factors, each of them a normal number.
  const std::uint64_t both = std::bit_cast<std::uint64_t>(rounded) + 2046 - std::bit_cast<std::uint64_t>(kRounds);
  const std::uint64_t half = both >> 1;
  return e * std::bit_cast<double>(half << 52) * std::bit_cast<double>((both - half) << 52);
}

namespace elementary {
// log((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...) for |s| <= 0.1716
[[nodiscard, gnu::always_inline]] inline double log_of_ratio(double s) {
  const double z = s * s;
  const double p = horner(z, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7,
                          1.0 / 5, 1.0 / 3);
  return 2 * s + 2 * s * (z * p);
}
inline constexpr double kLog2 = 6.93147180559945309417e-01;
inline constexpr double kSmall = 0.41421356237309503;  // sqrt(2) - 1
}  // namespace elementary

// log(1 + e) for 0 <= e <= 1
[[nodiscard, gnu::always_inline]] inline double log1p_of_share(double e) {
  using namespace elementary;
  // 1 + e = (1 + s) / (1 - s), or twice that
  const bool is_small = e < kSmall;
  const double top = is_small ? e : e - 1, bottom = is_small ? e + 2 : e + 3;
  return log_of_ratio(top / bottom) + (is_small ? 0.0 : kLog2);
}

// log(v) for a normal number v > 0
[[nodiscard, gnu::always_inline]] inline double log_of_normal(double v) {
  using namespace elementary;
  // v = 2^k m,  sqrt(1/2) <= m < sqrt(2)
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcdULL;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(v), from = bits - kRootOfHalf;
  const std::uint64_t power = from & 0xfff0000000000000ULL;
  const double m = std::bit_cast<double>(bits - power);
  // The exponent as a number, without a conversion that vectors do not have: it is put into the last bits of kRounds.
  const std::uint64_t shifted = (power >> 52) ^ 0x800;  // k + 2048, in twelve bits
  const double k = std::bit_cast<double>(std::bit_cast<std::uint64_t>(kRounds) + shifted) - (kRounds + 2048);
  return (log_of_ratio((m - 1) / (m + 1)) + k * kLog2Low) + k * kLog2High;
}

// log(1 - v) for 0 <= v < 1
[[nodiscard, gnu::always_inline]] inline double log1p_of_negative_share(double v) {
  using namespace elementary;
  const double near = log_of_ratio(-v / (2 - v)), far = log_of_normal(1 - v);
  return v < 0.25 ? near : far;
}

}  // namespace pdbfw
