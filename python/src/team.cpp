#include "team.hpp"

#include <nanobind/ndarray.h>

#include <chrono>
#include <cstring>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace pdbfw::python {

PythonTeam::PythonTeam(nb::object members)
    : members_(std::move(members)),
      size_(nb::cast<int>(members_.attr("size"))),
      rank_(nb::cast<int>(members_.attr("rank"))) {}

// The last one to let go may be a thread without the interpreter's lock.
PythonTeam::~PythonTeam() {
  const nb::gil_scoped_acquire held;
  members_.reset();
}

template <class Call>
auto PythonTeam::ask(std::size_t bytes, const Call& call) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  traffic_.count(bytes);
  const nb::gil_scoped_acquire held;
  try {
    auto answer = call();
    traffic_.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return answer;
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) {
      raised_ = std::current_exception();
      throw TeamLost("interrupted");
    }
    throw TeamLost(nb::str(error.value()).c_str());
  }
}

void PythonTeam::sum(std::span<double> values) {
  (void)ask(values.size_bytes(), [&] {
    const nb::ndarray<nb::numpy, double, nb::ndim<1>> view(values.data(), {values.size()}, nb::handle());
    members_.attr("sum")(nb::cast(view, nb::rv_policy::reference));
    return true;
  });
}

std::vector<std::vector<std::byte>> PythonTeam::gather(std::span<const std::byte> own) {
  return ask(own.size(), [&] {
    const nb::object answer = members_.attr("gather")(nb::bytes(own.data(), own.size()));
    std::vector<std::vector<std::byte>> all;
    for (const nb::handle one : answer) {
      const auto given = nb::cast<nb::bytes>(one);
      std::vector<std::byte> bytes(given.size());
      if (!bytes.empty()) std::memcpy(bytes.data(), given.data(), bytes.size());
      all.push_back(std::move(bytes));
    }
    return all;
  });
}

PythonTeamPtr team_of(nb::object members) {
  return members.is_none() ? nullptr : std::make_shared<PythonTeam>(std::move(members));
}

}  // namespace pdbfw::python
