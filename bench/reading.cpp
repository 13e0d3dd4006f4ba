// How fast data files are read, in bytes of the file per second, on one and two threads: until the rows are there, and
// until the columns are there too.
//
//   bench_reading data.txt data.pdb
//
// The files are in the system's cache, because they are read many times over.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

#include "pdbfw/data_file.hpp"

namespace {

void read_file(benchmark::State& state, const std::string& path) {
  const pdbfw::ReadOptions options{.threads = static_cast<int>(state.range(0))};
  for (auto _ : state) {
    const pdbfw::Dataset data = pdbfw::read_dataset(path, options);
    benchmark::DoNotOptimize(state.range(1) == 1 ? &data.A->by_column() : &data.A->by_row());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int k = 1; k < argc; ++k) {
    const std::string path = argv[k];
    benchmark::RegisterBenchmark(path.c_str(), read_file, path)
        ->ArgNames({"threads", "columns"})
        ->ArgsProduct({{1, 2}, {0, 1}})
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
}
