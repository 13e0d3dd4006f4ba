// How fast the linear maps of the low-rank family are: multiply-adds per second (twice that many flops), and the bytes
// of the dense block that they look up. One thread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "linalg/operators.hpp"
#include "linalg/products.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/linear_map.hpp"

namespace pdbfw {
namespace {

Matrix normal(Index rows, Index columns) {
  Random random(1);
  Matrix M(rows, columns);
  for (Index i = 0; i < M.size(); ++i) M.data()[i] = random.normal();
  return M;
}

void count(benchmark::State& state, double multiply_adds) {
  using Counter = benchmark::Counter;
  state.counters["GFlop/s"] = Counter(2e-9 * multiply_adds, Counter::kIsIterationInvariantRate);
  state.counters["GB/s"] = Counter(8e-9 * multiply_adds, Counter::kIsIterationInvariantRate);
}

// Text of the size of the RCV1 topics.
const DataMatrix& text() {
  static const MatrixPtr A = generate({.rows = 30'000, .features = 47'236, .row_nonzeros = 76}).data.A;
  return *A;
}

void sparse_rows(benchmark::State& state) {
  const Matrix V = normal(text().columns(), state.range(0));
  Matrix out;
  multiply(text(), V, out);
  for (auto _ : state) {
    multiply(text(), V, out);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, static_cast<double>(text().nonzeros() * V.cols()));
}
BENCHMARK(sparse_rows)->Arg(1)->Arg(10)->Arg(20)->Arg(102)->Unit(benchmark::kMillisecond);

void sparse_columns(benchmark::State& state) {
  const Matrix V = normal(text().rows(), state.range(0));
  Matrix out;
  multiply_transposed(text(), V, out);
  for (auto _ : state) {
    multiply_transposed(text(), V, out);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, static_cast<double>(text().nonzeros() * V.cols()));
}
BENCHMARK(sparse_columns)->Arg(1)->Arg(10)->Arg(20)->Arg(102)->Unit(benchmark::kMillisecond);

// 5 million entries of a 20,000 x 10,000 matrix, row after row.
const LinearMap& completion() {
  static const MapPtr map = [] {
    Random random(2);
    std::vector<Index> row(5'000'000), column(row.size());
    for (Index& i : row) i = static_cast<Index>(random.below(20'000));
    std::sort(row.begin(), row.end());
    for (Index& j : column) j = static_cast<Index>(random.below(10'000));
    return entries_map(20'000, 10'000, std::move(row), std::move(column));
  }();
  return *map;
}

void entries_of_factors(benchmark::State& state) {
  const Index rank = state.range(0);
  const Factors X{normal(20'000, rank), Vector::Ones(rank), normal(10'000, rank)};
  Matrix W;
  completion().apply(X, W);
  for (auto _ : state) {
    completion().apply(X, W);
    benchmark::DoNotOptimize(W.data());
  }
  count(state, completion().apply_cost(rank));
}
BENCHMARK(entries_of_factors)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);

void entries_adjoint(benchmark::State& state) {
  const Matrix Y = normal(completion().samples(), 1);
  for (auto _ : state) {
    const auto Z = completion().adjoint(Y);
    benchmark::DoNotOptimize(Z.get());
  }
  count(state, 2 * completion().pass_cost());
}
BENCHMARK(entries_adjoint)->Unit(benchmark::kMillisecond);

void entries_adjoint_times(benchmark::State& state, bool is_transposed) {
  const Matrix Y = normal(completion().samples(), 1);
  const auto Z = completion().adjoint(Y);
  const Matrix V = normal(is_transposed ? 20'000 : 10'000, 20);
  Matrix out;
  for (auto _ : state) {
    if (is_transposed)
      Z->transposed_times(V, out);
    else
      Z->times(V, out);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, Z->cost() * 20);
}
BENCHMARK_CAPTURE(entries_adjoint_times, rows, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(entries_adjoint_times, columns, true)->Unit(benchmark::kMillisecond);

// Phase retrieval at d = 128 with 6 d measurements.
void quadratic_adjoint_times(benchmark::State& state) {
  const Matrix G = normal(768, 128);
  const MapPtr map = quadratic_map(borrow_dense_rows<double>(768, 128, {G.data(), static_cast<std::size_t>(G.size())}));
  const Matrix Y = normal(768, 1), V = normal(128, 4);
  const auto Z = map->adjoint(Y);
  Matrix out;
  for (auto _ : state) {
    Z->times(V, out);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, Z->cost() * 4);
}
BENCHMARK(quadratic_adjoint_times)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace pdbfw

BENCHMARK_MAIN();
