// What was tried on the products with sparse lines and did not pay, beside what the library does: gathering four
// numbers by one instruction, and asking for the numbers ahead of time. docs/performance.md tells what came of it.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "linalg/kernels.hpp"
#include "pdbfw/pdbfw.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace pdbfw {
namespace {

using Lines32 = SparseLines<double, std::int32_t>;

struct Kept {
  static double run(const Lines32::Line& line, const double* v) { return dot(line, v); }
};

template <Index ahead>
struct FourSums {
  static double run(const Lines32::Line& line, const double* v) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    Index k = 0;
    for (; k + ahead + 4 <= line.size; k += 4) {
      if constexpr (ahead > 0)
        for (Index l = 0; l < 4; ++l) __builtin_prefetch(v + line.index(k + ahead + l));
      s0 += line.value[k] * v[line.index(k)];
      s1 += line.value[k + 1] * v[line.index(k + 1)];
      s2 += line.value[k + 2] * v[line.index(k + 2)];
      s3 += line.value[k + 3] * v[line.index(k + 3)];
    }
    for (; k < line.size; ++k) s0 += line.value[k] * v[line.index(k)];
    return (s0 + s1) + (s2 + s3);
  }
};

#ifdef __x86_64__
struct Gathering {
  [[gnu::target("avx2")]] static double run(const Lines32::Line& line, const double* v) {
    __m256d even = _mm256_setzero_pd(), odd = _mm256_setzero_pd();
    Index k = 0;
    for (; k + 8 <= line.size; k += 8) {
      const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line.at + k));
      const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line.at + k + 4));
      even = _mm256_add_pd(even, _mm256_mul_pd(_mm256_loadu_pd(line.value + k), _mm256_i32gather_pd(v, first, 8)));
      odd = _mm256_add_pd(odd, _mm256_mul_pd(_mm256_loadu_pd(line.value + k + 4), _mm256_i32gather_pd(v, second, 8)));
    }
    double lane[4];
    _mm256_storeu_pd(lane, _mm256_add_pd(even, odd));
    for (; k < line.size; ++k) lane[0] += line.value[k] * v[line.index(k)];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
  }
};
#endif

struct Shape {
  const char* name;
  Synthetic recipe;
};

// As the RCV1 sample, as news20.binary and as a9a.
const std::vector<Shape> shapes = {
    {"75 a row, d 47,000", {.rows = 20'000, .features = 47'000, .row_nonzeros = 75}},
    {"450 a row, d 1,350,000", {.rows = 20'000, .features = 1'350'000, .row_nonzeros = 450}},
    {"14 a row, d 123", {.rows = 33'000, .features = 123, .row_nonzeros = 14, .support = 10}}};

template <class Dot>
void dots(benchmark::State& state, const Lines32& lines) {
  const std::vector<double> v(static_cast<std::size_t>(lines.length), 1.0);
  std::vector<double> out(static_cast<std::size_t>(lines.count));
  for (auto _ : state) {
    for (Index i = 0; i < lines.count; ++i) out[static_cast<std::size_t>(i)] = Dot::run(lines[i], v.data());
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(lines.at.size_bytes() + lines.value.size_bytes()));
}

void add(const std::string& data, const Lines32& lines) {
  const auto add_one = [&](const std::string& name, auto* dots_of) {
    benchmark::RegisterBenchmark((name + "/" + data).c_str(), [=](benchmark::State& state) { dots_of(state, lines); });
  };
  add_one("as it is", dots<Kept>);
  add_one("four sums", dots<FourSums<0>>);
  add_one("four sums, prefetching", dots<FourSums<32>>);
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) add_one("gathering", dots<Gathering>);
#endif
}

}  // namespace
}  // namespace pdbfw

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  std::vector<pdbfw::MatrixPtr> matrices;
  for (const auto& [name, recipe] : pdbfw::shapes) {
    matrices.push_back(pdbfw::generate(recipe).data.A);
    pdbfw::add("rows, " + std::string(name), std::get<pdbfw::Lines32>(matrices.back()->by_row()));
    pdbfw::add("columns, " + std::string(name), std::get<pdbfw::Lines32>(matrices.back()->by_column()));
  }
  benchmark::RunSpecifiedBenchmarks();
}
