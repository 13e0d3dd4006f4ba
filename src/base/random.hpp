// A small generator of our own: the distributions of the standard library differ between implementations, and the same
// seed must give the same bits everywhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

namespace pdbfw {

// SplitMix64 (Steele, Lea, Flood 2014): a 64-bit counter and a mixing function; passes BigCrush.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::uint64_t bits() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }

  // In [0, 1), 53 random bits.
  [[nodiscard]] double uniform() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

  // In 0 .. bound - 1 without bias (Lemire's multiplication with rejection would save a division; this is not hot).
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t reject_from = bound * (UINT64_MAX / bound);
    std::uint64_t r = bits();
    while (r >= reject_from) r = bits();
    return r % bound;
  }

  // Standard normal, by Box and Muller.
  [[nodiscard]] double normal() {
    const double u = 1.0 - uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * uniform());
  }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace pdbfw
