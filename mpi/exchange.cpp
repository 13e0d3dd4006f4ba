// What an exchange costs: mpirun -n K bench_exchange REPEATS NUMBERS... A line of JSON for each number of doubles that
// are summed over all processes, with the mean of the seconds; for bench/scale.py.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "pdbfw/mpi.hpp"

namespace {

// Not counted: they make the connections.
constexpr int kFirst = 3;

// One after the other, as in a solve: a process cannot begin the next before it has the answer of this one.
double mean_seconds(int repeats, const std::function<void()>& exchange) {
  for (int first = 0; first < kFirst; ++first) exchange();
  const auto begin = std::chrono::steady_clock::now();
  for (int repeat = 0; repeat < repeats; ++repeat) exchange();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeats;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const pdbfw::TeamPtr team = pdbfw::mpi_team(MPI_COMM_WORLD);
    const int repeats = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
    for (int a = 2; a < argc; ++a) {
      std::vector<double> values(static_cast<std::size_t>(std::max(1, std::atoi(argv[a]))), 1.0);
      const double sum = mean_seconds(repeats, [&] { team->sum(values); });
      if (team->rank() == 0) std::printf("{\"bytes\": %zu, \"sum\": %.9g}\n", values.size() * sizeof(double), sum);
    }
  }
  MPI_Finalize();
}
