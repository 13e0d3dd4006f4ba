#include "linalg/above.hpp"

#include <utility>

#include "base/parallel.hpp"
#include "linalg/processor.hpp"

namespace pdbfw {
namespace {

// Four partial sums hide the latency of the additions.
template <class Magnitude>
SumAbove sum_above_plain(double bound, Index count, Index stride, const Magnitude& magnitude) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, n0 = 0, n1 = 0, n2 = 0, n3 = 0;
  const auto add = [bound](double m, double& s, double& n) {
    s += m > bound ? m : 0.0;
    n += m > bound ? 1.0 : 0.0;
  };
  Index j = 0;
  for (; j + 3 * stride < count; j += 4 * stride) {
    add(magnitude(j), s0, n0);
    add(magnitude(j + stride), s1, n1);
    add(magnitude(j + 2 * stride), s2, n2);
    add(magnitude(j + 3 * stride), s3, n3);
  }
  for (; j < count; j += stride) add(magnitude(j), s0, n0);
  return {(s0 + s1) + (s2 + s3), (n0 + n1) + (n2 + n3)};
}

#ifdef PDBFW_AVX2
PDBFW_AVX2 SumAbove sum_above_avx2(double bound, const double* v, Index count, bool is_absolute) {
  const __m256d b = _mm256_set1_pd(bound), one = _mm256_set1_pd(1.0);
  // The sign bit is what an absolute value takes away.
  const __m256d sign = is_absolute ? _mm256_set1_pd(-0.0) : _mm256_setzero_pd();
  __m256d s0 = _mm256_setzero_pd(), s1 = s0, n0 = s0, n1 = s0;
  Index j = 0;
  for (; j + 8 <= count; j += 8) {
    const __m256d m0 = _mm256_andnot_pd(sign, _mm256_loadu_pd(v + j));
    const __m256d m1 = _mm256_andnot_pd(sign, _mm256_loadu_pd(v + j + 4));
    const __m256d in0 = _mm256_cmp_pd(m0, b, _CMP_GT_OQ), in1 = _mm256_cmp_pd(m1, b, _CMP_GT_OQ);
    s0 = _mm256_add_pd(s0, _mm256_and_pd(in0, m0));
    s1 = _mm256_add_pd(s1, _mm256_and_pd(in1, m1));
    n0 = _mm256_add_pd(n0, _mm256_and_pd(in0, one));
    n1 = _mm256_add_pd(n1, _mm256_and_pd(in1, one));
  }
  alignas(32) double s[4], n[4];
  _mm256_store_pd(s, _mm256_add_pd(s0, s1));
  _mm256_store_pd(n, _mm256_add_pd(n0, n1));
  SumAbove out{(s[0] + s[1]) + (s[2] + s[3]), (n[0] + n[1]) + (n[2] + n[3])};
  for (; j < count; ++j) {
    const double m = is_absolute ? std::abs(v[j]) : v[j];
    if (!(m > bound)) continue;
    out.sum += m;
    out.count += 1;
  }
  return out;
}
#endif

// The j below `count` with is_found(j), ascending. Few are expected: eight at a time are passed over.
template <class IsFound>
std::vector<Index> positions(Index count, int threads, const IsFound& is_found) {
  constexpr Index kWorthThreads = 200'000, kTogether = 8;
  const Index shards = count < kWorthThreads ? 1 : 16;
  std::vector<std::vector<Index>> found(static_cast<std::size_t>(shards));
  parallel_for(threads, shards, [&](Index s) {
    std::vector<Index>& own = found[static_cast<std::size_t>(s)];
    const Index last = count * (s + 1) / shards;
    Index j = count * s / shards;
    for (; j + kTogether <= last; j += kTogether) {
      int any = 0;
      for (Index k = 0; k < kTogether; ++k) any |= static_cast<int>(is_found(j + k));
      if (any == 0) continue;
      for (Index k = j; k < j + kTogether; ++k)
        if (is_found(k)) own.push_back(k);
    }
    for (; j < last; ++j)
      if (is_found(j)) own.push_back(j);
  });
  for (std::size_t s = 1; s < found.size(); ++s) found[0].insert(found[0].end(), found[s].begin(), found[s].end());
  return std::move(found[0]);
}

}  // namespace

SumAbove sum_above(double bound, std::span<const double> v, Index stride, bool is_absolute) {
  const auto count = static_cast<Index>(v.size());
#ifdef PDBFW_AVX2
  if (stride == 1 && processor_has_avx2()) return sum_above_avx2(bound, v.data(), count, is_absolute);
#endif
  if (is_absolute)
    return sum_above_plain(bound, count, stride, [&v](Index j) { return std::abs(v[static_cast<std::size_t>(j)]); });
  return sum_above_plain(bound, count, stride, [&v](Index j) { return v[static_cast<std::size_t>(j)]; });
}

std::vector<Index> nonzero_positions(std::span<const double> v, int threads) {
  const double* const from = v.data();
  return positions(static_cast<Index>(v.size()), threads, [from](Index j) { return from[j] != 0; });
}

std::vector<Index> positions_above(double bound, std::span<const double> v, int threads) {
  const double* const from = v.data();
  return positions(static_cast<Index>(v.size()), threads, [from, bound](Index j) { return from[j] > bound; });
}

std::vector<Index> positions_above(double bound, double a, std::span<const double> v, double b,
                                   std::span<const double> r, int threads) {
  const double *const v_at = v.data(), *const r_at = r.data();
  return positions(static_cast<Index>(v.size()), threads,
                   [=](Index j) { return !(a * std::abs(v_at[j]) + b * r_at[j] <= bound); });
}

}  // namespace pdbfw
