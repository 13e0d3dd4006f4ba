// A team that is written in Python, so that the module needs no MPI of its own.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <memory>

#include "pdbfw/team.hpp"

namespace pdbfw::python {

// Over an object with
//   rank, size                     whole numbers
//   sum(array)                     a vector of float64, replaced by the sum over all members
//   gather(bytes) -> list[bytes]   of all members, by rank
// An Exception that it raises is a lost team; whatever else it raises (KeyboardInterrupt) ends the solve too, and is
// raised again by raise_again().
class PythonTeam final : public Team {
 public:
  explicit PythonTeam(nanobind::object members);
  ~PythonTeam() override;

  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int rank() const override { return rank_; }
  void sum(std::span<double> values) override;
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override;
  [[nodiscard]] Traffic traffic() const override { return traffic_; }

  void raise_again() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  // What is given back leaves with the lock: nothing of Python's.
  template <class Call>
  auto ask(std::size_t bytes, const Call& call);

  nanobind::object members_;
  int size_, rank_;
  Traffic traffic_;
  std::exception_ptr raised_;
};

using PythonTeamPtr = std::shared_ptr<PythonTeam>;

// None where there is no team.
[[nodiscard]] PythonTeamPtr team_of(nanobind::object members);

// What `solve` gives back. What Python raised while the team was asked is raised here.
template <class Solve>
auto over_team(const PythonTeamPtr& team, const Solve& solve) {
  if (!team) return solve();
  try {
    auto result = solve();
    team->raise_again();
    return result;
  } catch (const TeamLost&) {  // before the solve began
    team->raise_again();
    throw;
  }
}

}  // namespace pdbfw::python
