// How fast the inner loops are, in bytes per second and as a fraction of what this machine reads from memory at best.
// The data are text-like and dense, as float64 and as float32, and larger than the last cache of most machines.
// bench/kernels.py makes a table of it.
#include "linalg/kernels.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "linalg/products.hpp"
#include "pdbfw/pdbfw.hpp"

namespace pdbfw {
namespace {

// In the manner of McCalpin's STREAM, one thread: arrays of 128 MiB, the best of several passes.
constexpr std::size_t kStreamed = std::size_t{1} << 24U;

template <class Pass>
double best_rate(double bytes, const Pass& pass) {
  double seconds = 1e9;
  for (int r = 0; r < 7; ++r) {
    const std::clock_t start = std::clock();
    pass();
    seconds = std::min(seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return bytes / seconds;
}

// Bytes a second of a loop that only reads: the ceiling of everything here.
double read_bandwidth() {
  static const double rate = [] {
    const std::vector<double> a(kStreamed, 1.0);
    return best_rate(sizeof(double) * static_cast<double>(kStreamed), [&] {
      double norm = dense_squared_norm(a.data(), static_cast<Index>(kStreamed));
      benchmark::DoNotOptimize(norm);
    });
  }();
  return rate;
}

void count(benchmark::State& state, double bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.counters["of_stream"] =
      benchmark::Counter(bytes / read_bandwidth(), benchmark::Counter::kIsIterationInvariantRate);
}

void stream_read(benchmark::State& state) {
  const std::vector<double> a(kStreamed, 1.0);
  for (auto _ : state) {
    double norm = dense_squared_norm(a.data(), static_cast<Index>(kStreamed));
    benchmark::DoNotOptimize(norm);
  }
  count(state, sizeof(double) * static_cast<double>(kStreamed));
}
BENCHMARK(stream_read);

void stream_triad(benchmark::State& state) {
  const std::vector<double> a(kStreamed, 1.0), b(kStreamed, 2.0);
  std::vector<double> c(kStreamed);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kStreamed; ++i) c[i] = a[i] + 3.0 * b[i];
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  count(state, 3 * sizeof(double) * static_cast<double>(kStreamed));
}
BENCHMARK(stream_triad);

enum class Kind { sparse_double, sparse_float, dense_double, dense_float };

template <class Value>
MatrixPtr dense(Index rows, Index columns) {
  std::vector<Value> value(static_cast<std::size_t>(rows * columns));
  for (std::size_t k = 0; k < value.size(); ++k) value[k] = static_cast<Value>(static_cast<double>(k % 97) / 97 - 0.5);
  return own_dense_rows<Value>(rows, columns, std::move(value));
}

MatrixPtr as_float(const DataMatrix& A) {
  const auto& rows = std::get<SparseLines<double, std::int32_t>>(A.by_row());
  return own_csr<float, std::int32_t>(A.rows(), A.columns(), {rows.offsets.begin(), rows.offsets.end()},
                                      {rows.at.begin(), rows.at.end()}, {rows.value.begin(), rows.value.end()});
}

// The problem of one kind of data; made once, since Google Benchmark calls a function several times.
const Problem& problem(Kind kind) {
  static const Dataset sparse = generate({.rows = 100'000, .features = 100'000}).data;
  const auto make = [](MatrixPtr A) {
    std::vector<double> b(static_cast<std::size_t>(A->rows()));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = i % 3 == 0 ? 1 : -1;
    return make_problem(std::move(A), std::move(b), Formulation{});
  };
  static const Problem made[] = {make_problem(sparse.A, sparse.target, Formulation{}),
                                 make_problem(as_float(*sparse.A), sparse.target, Formulation{}),
                                 make(dense<double>(2'000, 4'000)), make(dense<float>(2'000, 4'000))};
  return made[static_cast<int>(kind)];
}

// What one pass over A reads: values, and indices where there are any.
double bytes(const DataMatrix& A) {
  return std::visit(
      [](const auto& rows) {
        double size = static_cast<double>(rows.value.size_bytes());
        if constexpr (requires { rows.at; }) size += static_cast<double>(rows.at.size_bytes());
        return size;
      },
      A.by_row());
}

void multiply_by_rows(benchmark::State& state, Kind kind) {
  const DataMatrix& A = *problem(kind).A;
  const std::vector<double> x(static_cast<std::size_t>(A.columns()), 1.0);
  std::vector<double> w(static_cast<std::size_t>(A.rows()));
  for (auto _ : state) {
    multiply(A, x, w);
    benchmark::DoNotOptimize(w.data());
  }
  count(state, bytes(A));
}

void multiply_by_columns(benchmark::State& state, Kind kind) {
  const DataMatrix& A = *problem(kind).A;
  const std::vector<double> y(static_cast<std::size_t>(A.rows()), 1.0);
  std::vector<double> z(static_cast<std::size_t>(A.columns()));
  for (auto _ : state) {
    multiply_transposed(A, y, z);
    benchmark::DoNotOptimize(z.data());
  }
  count(state, bytes(A));
}

// Every row added once: what the dual steps do to A'y.
void add_all_rows(benchmark::State& state, Kind kind) {
  const DataMatrix& A = *problem(kind).A;
  std::vector<Index> at(static_cast<std::size_t>(A.rows()));
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<Index>(i);
  const std::vector<double> coefficient(at.size(), 1e-9);
  std::vector<double> z(static_cast<std::size_t>(A.columns()));
  for (auto _ : state) {
    add_lines(A.by_row(), at, coefficient, z);
    benchmark::DoNotOptimize(z.data());
  }
  count(state, bytes(A));
}

void norms_of_rows(benchmark::State& state, Kind kind) {
  const DataMatrix& A = *problem(kind).A;
  std::vector<double> norms(static_cast<std::size_t>(A.rows()));
  for (auto _ : state) {
    squared_norms(A.by_row(), {}, norms);
    benchmark::DoNotOptimize(norms.data());
  }
  count(state, std::visit([](const auto& rows) { return static_cast<double>(rows.value.size_bytes()); }, A.by_row()));
}

void certificate(benchmark::State& state, Kind kind) {
  const Problem& p = problem(kind);
  const std::vector<double> x(static_cast<std::size_t>(p.d())), y(p.loss->size());
  for (auto _ : state) {
    Certificate c = certify(p, x, y);
    benchmark::DoNotOptimize(c);
  }
  count(state, 2 * bytes(*p.A));
}

// Sweeps of the sequential solver with all that belongs to them (packing, thresholds): the bytes of the entries that it
// says it worked with, as they lie in A. The solver may keep them in fewer.
void sweeps(benchmark::State& state, Kind kind) {
  const Problem& p = problem(kind);
  Settings settings;
  settings.solver = "sequential";
  settings.tol = 1e-12;
  settings.max_iterations = 8;
  double passes = 0;
  for (auto _ : state) passes = solve(p, settings).work.data_passes;
  count(state, passes * bytes(*p.A));
}

// The exact threshold of u = -A'y / n, from nothing and from the last zone.
void threshold(benchmark::State& state, bool has_guess) {
  const Problem& p = problem(Kind::sparse_double);
  std::vector<double> u(static_cast<std::size_t>(p.d()));
  multiply_transposed(*p.A, p.loss->targets(), u);
  const Curvatures q = p.regulariser->curvatures();
  DeadZone zone = p.set->dead_zone(u, q);
  for (auto _ : state) {
    zone = p.set->dead_zone(u, q, has_guess ? &zone : nullptr);
    benchmark::DoNotOptimize(zone);
  }
  count(state, static_cast<double>(u.size() * sizeof(double)));
}
BENCHMARK_CAPTURE(threshold, from_nothing, false);
BENCHMARK_CAPTURE(threshold, with_guess, true);

// LIBSVM text from the file system's cache; the bytes are those of the text.
void read_text(benchmark::State& state) {
  const std::string path = (std::filesystem::temp_directory_path() / "pdbfw_bench_kernels.txt").string();
  write_dataset(path, generate({.rows = 20'000}).data);
  for (auto _ : state) {
    Dataset data = read_dataset(path);
    benchmark::DoNotOptimize(data);
  }
  count(state, static_cast<double>(std::filesystem::file_size(path)));
  std::filesystem::remove(path);
}
BENCHMARK(read_text);

const int registered = [] {
  const std::pair<const char*, void (*)(benchmark::State&, Kind)> kernels[] = {
      {"multiply_by_rows", multiply_by_rows}, {"multiply_by_columns", multiply_by_columns},
      {"add_all_rows", add_all_rows},         {"norms_of_rows", norms_of_rows},
      {"certificate", certificate},           {"sweeps", sweeps}};
  const std::pair<const char*, Kind> kinds[] = {{"sparse, float64", Kind::sparse_double},
                                                {"sparse, float32", Kind::sparse_float},
                                                {"dense, float64", Kind::dense_double},
                                                {"dense, float32", Kind::dense_float}};
  for (const auto& [name, kernel] : kernels)
    for (const auto& [data, kind] : kinds)
      benchmark::RegisterBenchmark((std::string(name) + "/" + data).c_str(), kernel, kind);
  return 0;
}();

}  // namespace
}  // namespace pdbfw

BENCHMARK_MAIN();
