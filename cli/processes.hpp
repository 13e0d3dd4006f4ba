// Several processes that mpirun has started. Without it, one that is alone.
#pragma once

#include <string>
#include <vector>

#include "pdbfw/team.hpp"

namespace pdbfw::cli {

class Processes {
 public:
  // The one object of this program.
  static Processes& here();

  // The team of all; null when alone. MPI is started by the first call, which has the say about the patience in seconds
  // (MpiOptions). Throws InputError where MPI cannot be had.
  const TeamPtr& join(double patience);
  [[nodiscard]] const TeamPtr& team() const { return team_; }

  // One process prints and writes for all.
  [[nodiscard]] bool speaks() const { return rank_ == 0; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int rank() const { return rank_; }

  // The team has been lost: its end is not to be waited for.
  void lose() { is_lost_ = true; }

  // True if all processes have failed, so that one of them may tell it for all.
  [[nodiscard]] bool all_have_failed();
  // The last thing to be done. Ends the other processes when this one has failed alone.
  void leave(int exit_code);

 private:
  Processes();

  int count_ = 1, rank_ = 0;  // as mpirun says
  TeamPtr team_;
  void* module_ = nullptr;
  bool is_lost_ = false;
};

}  // namespace pdbfw::cli
