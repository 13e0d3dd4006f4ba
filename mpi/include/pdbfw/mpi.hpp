// A team of MPI's processes (pdbfw/team.hpp). Link pdbfw::mpi; the tool finds it by itself when mpirun starts it.
//
//   MPI_Init(nullptr, nullptr);
//   pdbfw::Problem part = pdbfw::make_problem(own_rows, own_targets, formulation, pdbfw::mpi_team(MPI_COMM_WORLD));
//   pdbfw::Result r = pdbfw::solve(part);   // every process
#pragma once

#include <mpi.h>

#include <functional>

#include "pdbfw/team.hpp"

namespace pdbfw {

struct MpiOptions {
  // Seconds without a word from the others after which the team is lost. Longer than any member works between two
  // exchanges: a sweep over its rows, or two passes for a certificate.
  double patience = 300;
  // Asked while waiting: true gives the team up if the others are not heard within 10 more seconds.
  std::function<bool()> gives_up{};
};

// Speaks over a copy of the communicator, so that it never meets other messages. MPI must have been initialised, and
// must not be finalised before the team is gone.
[[nodiscard]] TeamPtr mpi_team(MPI_Comm communicator, MpiOptions options = {});

}  // namespace pdbfw
