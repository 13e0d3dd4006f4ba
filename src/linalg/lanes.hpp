// The one order in which products with a line of A are summed.
#pragma once

#include "pdbfw/errors.hpp"

namespace pdbfw {

// term(0) + ... + term(size - 1) over eight lanes, which hide the latency of the additions and fill the registers of
// AVX2. The order is fixed, so a line gives the same bits however it is stored and whatever the processor has.
template <class Term>
[[nodiscard, gnu::always_inline]] inline double sum_in_lanes(Index size, const Term& term) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  Index k = 0;
  for (; k + 8 <= size; k += 8) {
    s0 += term(k);
    s1 += term(k + 1);
    s2 += term(k + 2);
    s3 += term(k + 3);
    s4 += term(k + 4);
    s5 += term(k + 5);
    s6 += term(k + 6);
    s7 += term(k + 7);
  }
  for (; k < size; ++k) s0 += term(k);
  return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
}

}  // namespace pdbfw
