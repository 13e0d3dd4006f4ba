// What the tool loads when mpirun has started it (cli/processes.cpp): so that other users of the tool need no MPI on
// the machine.
#include <chrono>
#include <cstdio>
#include <thread>

#include "pdbfw/mpi.hpp"

namespace {

// Apart from the team's, so that a member that has failed does not disturb what the others are still doing.
MPI_Comm last_words = MPI_COMM_NULL;

}  // namespace

extern "C" {

// The team of all processes, to be deleted before MPI is left; null where MPI does not start.
pdbfw::TeamPtr* pdbfw_join_mpi(double patience, bool (*gives_up)()) {
  int given = 0;
  // Threads of the solvers never speak to MPI.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) return nullptr;
  if (MPI_Comm_dup(MPI_COMM_WORLD, &last_words) != MPI_SUCCESS) return nullptr;
  return new pdbfw::TeamPtr(pdbfw::mpi_team(MPI_COMM_WORLD, {.patience = patience, .gives_up = gives_up}));
}

// Whether all processes call this within this number of seconds.
bool pdbfw_all_have_failed(double patience) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(last_words, &request) != MPI_SUCCESS) return false;
  const double begin = MPI_Wtime();
  int is_done = 0;
  while (is_done == 0 && MPI_Wtime() - begin < patience) {
    if (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return is_done != 0;
}

// With others gone, MPI's own end would wait for them: then this ends all that are left, with the exit code.
void pdbfw_leave_mpi(bool is_team_lost, int exit_code) {
  std::fflush(nullptr);
  if (is_team_lost)
    MPI_Abort(MPI_COMM_WORLD, exit_code);
  else
    MPI_Finalize();
}

}  // extern "C"
