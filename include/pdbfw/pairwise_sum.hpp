// Sums of many terms whose rounding does not grow with their number.
#pragma once

#include <bit>
#include <cstddef>

namespace pdbfw {

// So many terms are added one after the other, in four lanes that hide the latency of the additions.
inline constexpr std::size_t kPairwiseLeaf = 128;

// term(first) + ... + term(last - 1), by halves. The order depends on the number of terms only.
template <class Term>
[[nodiscard]] double pairwise_sum(std::size_t first, std::size_t last, const Term& term) {
  if (last - first > kPairwiseLeaf) {
    const std::size_t middle = first + (last - first) / 2;
    const double left = pairwise_sum(first, middle, term);
    return left + pairwise_sum(middle, last, term);
  }
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t i = first;
  for (; i + 4 <= last; i += 4) {
    s0 += term(i);
    s1 += term(i + 1);
    s2 += term(i + 2);
    s3 += term(i + 3);
  }
  for (; i < last; ++i) s0 += term(i);
  return (s0 + s1) + (s2 + s3);
}

// No term of a pairwise sum takes part in more additions than this, so the sum errs by at most this number of units of
// rounding (half an epsilon) of the sum of the absolute values.
[[nodiscard]] constexpr std::size_t pairwise_depth(std::size_t count) {
  const std::size_t leaf = count < kPairwiseLeaf ? count : kPairwiseLeaf;
  const auto halvings = static_cast<std::size_t>(std::bit_width((count + kPairwiseLeaf - 1) / kPairwiseLeaf));
  return (leaf + 3) / 4 + 3 + 2 + halvings;
}

}  // namespace pdbfw
