// How fast the inner loops are, in bytes of the matrix per second: one product with A by rows and one by columns, the
// exact threshold, and the certificate, on generated text-like data. `make bench` runs it.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "pdbfw/pdbfw.hpp"

namespace pdbfw {
namespace {

// About 3 million non-zeros: larger than the second-level cache, as real data is.
const Problem& problem() {
  static const Problem made = [] {
    const SyntheticDataset data = generate({.rows = 50'000, .features = 100'000});
    return make_problem(data.data.A, data.data.target, Formulation{});
  }();
  return made;
}

// A stored entry is a double and a 32-bit index.
constexpr std::int64_t kBytesPerEntry = 12;

void count_bytes(benchmark::State& state, std::int64_t passes) {
  state.SetBytesProcessed(state.iterations() * passes * kBytesPerEntry * problem().A->nonzeros());
}

void multiply_by_rows(benchmark::State& state) {
  const std::vector<double> x(static_cast<std::size_t>(problem().d()), 1.0);
  std::vector<double> w(problem().b.size());
  for (auto _ : state) {
    multiply(*problem().A, x, w);
    benchmark::DoNotOptimize(w.data());
  }
  count_bytes(state, 1);
}
BENCHMARK(multiply_by_rows);

void multiply_by_columns(benchmark::State& state) {
  const std::vector<double> y(problem().b.size(), 1.0);
  std::vector<double> z(static_cast<std::size_t>(problem().d()));
  for (auto _ : state) {
    multiply_transposed(*problem().A, y, z);
    benchmark::DoNotOptimize(z.data());
  }
  count_bytes(state, 1);
}
BENCHMARK(multiply_by_columns);

void exact_threshold(benchmark::State& state) {
  std::vector<double> u(static_cast<std::size_t>(problem().d()));
  multiply_transposed(*problem().A, problem().b, u);
  const Curvatures q = problem().regulariser->curvatures();
  DeadZone zone = problem().set->dead_zone(u, q);
  for (auto _ : state) {
    zone = problem().set->dead_zone(u, q, state.range(0) == 1 ? &zone : nullptr);
    benchmark::DoNotOptimize(zone);
  }
  state.SetItemsProcessed(state.iterations() * problem().d());
}
BENCHMARK(exact_threshold)->ArgName("with_guess")->Arg(0)->Arg(1);

void certificate(benchmark::State& state) {
  const std::vector<double> x(static_cast<std::size_t>(problem().d())), y(problem().b.size());
  for (auto _ : state) {
    Certificate c = certify(problem(), x, y);
    benchmark::DoNotOptimize(c);
  }
  count_bytes(state, 2);
}
BENCHMARK(certificate);

}  // namespace
}  // namespace pdbfw

BENCHMARK_MAIN();
