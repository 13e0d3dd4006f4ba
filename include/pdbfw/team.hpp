// Several processes that solve one problem together: each holds some of the rows of A, all hold the same x. What a team
// can do is little, so that MPI (the library pdbfw::mpi), mpi4py, or threads can be one:
//
//   // every member, with its own rows
//   const pdbfw::Problem part = pdbfw::make_problem(own_rows, own_targets, formulation, team);
//   const pdbfw::Result r = pdbfw::solve(part, {.tol = 1e-4});  // x and certificate of all, y of the own rows
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

// A member has died, or nothing was heard for too long. Solvers end with Status::team_lost and the best point so far.
class TeamLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Every member calls the same functions in the same order. What comes back is the same bits at every member, and for a
// given number of members the same bits in every run.
class Team {
 public:
  // What this member has sent and how long it has waited.
  struct Traffic {
    static constexpr std::size_t kLong = 1000;  // bytes
    Index calls = 0;
    Index long_calls = 0;  // of these: that sent more than kLong
    double bytes = 0;
    double seconds = 0;
    void count(std::size_t sent) {
      ++calls;
      if (sent > kLong) ++long_calls;
      bytes += static_cast<double>(sent);
    }
  };

  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] virtual int rank() const = 0;
  // values <- the sum over all members, entry by entry. All give equally many.
  virtual void sum(std::span<double> values) = 0;
  // What each member gives, of any length: element r is that of rank r.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;
  // The same at rank 0, and nothing at the others: what is as long as the rows of all should not go everywhere.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather_at_first(std::span<const std::byte> own) {
    std::vector<std::vector<std::byte>> all = gather(own);
    if (rank() != 0) all.clear();
    return all;
  }

  [[nodiscard]] virtual Traffic traffic() const = 0;
};

using TeamPtr = std::shared_ptr<Team>;

}  // namespace pdbfw
