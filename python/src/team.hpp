// A team that is written in Python, so that the module needs no MPI of its own.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/clock.hpp"
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
  explicit PythonTeam(nanobind::object members)
      : members_(std::move(members)),
        size_(nanobind::cast<int>(members_.attr("size"))),
        rank_(nanobind::cast<int>(members_.attr("rank"))) {}
  // The last one to let go may be a thread without the interpreter's lock.
  ~PythonTeam() override {
    const nanobind::gil_scoped_acquire held;
    members_.reset();
  }

  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] Traffic traffic() const override { return traffic_; }

  void sum(std::span<double> values) override {
    ask(values.size_bytes(), [&] {
      const Summed view(values.data(), {values.size()}, nanobind::handle());
      members_.attr("sum")(nanobind::cast(view, nanobind::rv_policy::reference));
    });
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    std::vector<std::vector<std::byte>> all;
    ask(own.size(), [&] {
      const nanobind::object answer = members_.attr("gather")(nanobind::bytes(own.data(), own.size()));
      for (const nanobind::handle one : answer) {
        const auto given = nanobind::cast<nanobind::bytes>(one);
        const auto* const bytes = static_cast<const std::byte*>(given.data());
        all.emplace_back(bytes, bytes + given.size());
      }
    });
    return all;
  }

  void raise_again() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  using Summed = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<1>>;

  // Calls with the interpreter's lock; nothing of Python's is left when it is given back.
  template <class Call>
  void ask(std::size_t bytes, const Call& call) {
    const Stopwatch watch;
    traffic_.count(bytes);
    const nanobind::gil_scoped_acquire held;
    try {
      call();
      traffic_.seconds += watch.seconds();
    } catch (nanobind::python_error& error) {
      if (!error.matches(PyExc_Exception)) {
        raised_ = std::current_exception();
        throw TeamLost("interrupted");
      }
      throw TeamLost(nanobind::str(error.value()).c_str());
    }
  }

  nanobind::object members_;
  int size_, rank_;
  Traffic traffic_;
  std::exception_ptr raised_;
};

using PythonTeamPtr = std::shared_ptr<PythonTeam>;

// None where there is no team.
[[nodiscard]] inline PythonTeamPtr team_of(nanobind::object members) {
  return members.is_none() ? nullptr : std::make_shared<PythonTeam>(std::move(members));
}

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
