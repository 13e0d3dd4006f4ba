// How fast dense products are, by kernel, in multiply-adds per second (twice that many flops), and what the top of a
// spectrum costs. bench/dense_products.py makes a table of it, beside OpenBLAS where that is installed. One thread.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.hpp"
#include "linalg/dense_kernel.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/processor.hpp"
#include "linalg/top_spectrum.hpp"

namespace pdbfw {
namespace {

Matrix normal(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix M(rows, columns);
  for (Index i = 0; i < M.size(); ++i) M.data()[i] = random.normal();
  return M;
}

void count(benchmark::State& state, double multiply_adds) {
  state.counters["GFlop/s"] = benchmark::Counter(2e-9 * multiply_adds, benchmark::Counter::kIsIterationInvariantRate);
}

// The whole product, with the kernel that the processor gets.
void product(benchmark::State& state) {
  const Index rows = state.range(0), depth = state.range(1), columns = state.range(2);
  const Matrix A = normal(rows, depth, 1), B = normal(depth, columns, 2);
  Matrix C = Matrix::Zero(rows, columns);
  for (auto _ : state) {
    add_times(1, A, B, C);
    benchmark::DoNotOptimize(C.data());
  }
  count(state, static_cast<double>(rows * depth * columns));
}
BENCHMARK(product)->Args({1000, 800, 600})->Args({1000, 800, 15})->Args({50'000, 50, 50});

void product_transposed(benchmark::State& state) {
  const Index rows = state.range(0), depth = state.range(1), columns = state.range(2);
  const Matrix A = normal(depth, rows, 1), B = normal(depth, columns, 2);
  Matrix C = Matrix::Zero(rows, columns);
  for (auto _ : state) {
    add_transposed_times(1, A, B, C);
    benchmark::DoNotOptimize(C.data());
  }
  count(state, static_cast<double>(rows * depth * columns));
}
BENCHMARK(product_transposed)->Args({1000, 800, 600})->Args({1000, 800, 15})->Args({50, 50'000, 50});

// Eigen's own product, as this library is compiled: SSE2.
void eigen_product(benchmark::State& state) {
  const Index rows = state.range(0), depth = state.range(1), columns = state.range(2);
  const Matrix A = normal(rows, depth, 1), B = normal(depth, columns, 2);
  Matrix C = Matrix::Zero(rows, columns);
  for (auto _ : state) {
    C.noalias() += A * B;
    benchmark::DoNotOptimize(C.data());
  }
  count(state, static_cast<double>(rows * depth * columns));
}
BENCHMARK(eigen_product)->Args({1000, 800, 600})->Args({1000, 800, 15})->Args({50'000, 50, 50});

// One kernel alone, B packed beforehand: 96 rows of C.
void kernel(benchmark::State& state, const DenseKernel& kernel) {
  const Index depth = 800, width = Index{3} * kernel.lanes, columns = 25 * width;
  const Matrix A = normal(kDenseRows, depth, 1);
  const std::vector<double> panels(static_cast<std::size_t>(depth * columns), 0.5);
  std::vector<double> room(kDenseRoom);
  Matrix C = Matrix::Zero(kDenseRows, columns);
  for (auto _ : state) {
    kernel.add({kDenseRows, columns, depth, 1.0, A.data(), depth, 1, panels.data(), 3, C.data(), columns, room.data()});
    benchmark::DoNotOptimize(C.data());
  }
  count(state, static_cast<double>(kDenseRows * depth * columns));
}
BENCHMARK_CAPTURE(kernel, baseline, kDenseBaseline);

void register_kernels_of_this_processor() {
#ifdef PDBFW_AVX2
  if (processor_has_avx2()) benchmark::RegisterBenchmark("kernel/avx2", kernel, kDenseAvx2);
  if (processor_has_avx512()) benchmark::RegisterBenchmark("kernel/avx512", kernel, kDenseAvx512);
#endif
}

// 800 x 600: rank 15 and noise.
Matrix spiked(double noise, std::uint64_t seed) {
  return 0.3 * times(normal(800, 15, 1), normal(15, 600, 2)) + noise * normal(800, 600, seed);
}

void top_15_cold(benchmark::State& state) {
  const Matrix M = spiked(0.2, 3);
  double products = 0;
  for (auto _ : state) {
    TopSpectrum top(Spectrum::singular_values, 1);
    benchmark::DoNotOptimize(top.largest(DenseOperator(M), 15, 1e-4).s.data());
    products = top.multiply_adds() / static_cast<double>(M.size());
  }
  state.counters["columns"] = products;
}
BENCHMARK(top_15_cold);

// Two matrices in turn that differ by 1 % of their noise.
void top_15_warm(benchmark::State& state) {
  const Matrix M = spiked(0.2, 3);
  const Matrix N = M + 0.002 * normal(800, 600, 4);
  TopSpectrum top(Spectrum::singular_values, 1);
  bool is_second = false;
  for (auto _ : state) {
    benchmark::DoNotOptimize(top.largest(DenseOperator(is_second ? N : M), 15, 1e-4).s.data());
    is_second = !is_second;
  }
  state.counters["columns"] =
      benchmark::Counter(top.multiply_adds() / static_cast<double>(M.size()), benchmark::Counter::kAvgIterations);
}
BENCHMARK(top_15_warm);

void bound_beyond(benchmark::State& state) {
  const Matrix M = spiked(0.2, 3);
  TopSpectrum top(Spectrum::singular_values, 1);
  const Factors found = top.largest(DenseOperator(M), 15, 1e-4);
  for (auto _ : state) benchmark::DoNotOptimize(top.bound_beyond(DenseOperator(M), found, 0, 1e-3));
}
BENCHMARK(bound_beyond);

void full_spectrum_800_600(benchmark::State& state) {
  const Matrix M = spiked(0.2, 3);
  for (auto _ : state) benchmark::DoNotOptimize(full_spectrum(M, Spectrum::singular_values).s.data());
}
BENCHMARK(full_spectrum_800_600);

}  // namespace
}  // namespace pdbfw

int main(int argc, char** argv) {
  pdbfw::register_kernels_of_this_processor();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
