// What `train` tells: a summary for people, one JSON object for programs, the trace as CSV.
#pragma once

#include <optional>
#include <string>

#include "cli/checkpointing.hpp"
#include "cli/console.hpp"
#include "cli/fit.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw::cli {

// What was asked for instead of a radius, and the certificate of that problem.
struct Penalty {
  double alpha;
  Certificate certificate;
};

// Of several processes.
struct TeamReport {
  int processes;
  Team::Traffic traffic;  // of the first process, until the solve had ended
};

struct TrainReport {
  std::string data;   // its path
  std::string model;  // its path
  const Problem& problem;
  const Result& result;
  const Formulation& formulation;
  Fit fit;
  Index nonzeros = 0;  // of the data, those of all processes
  double load_seconds = 0;
  double pass_pair_seconds = 0;
  std::string values = "float64";  // how the data are kept
  std::string start{};             // where it began; empty: from nothing
  std::optional<Resumed> resumed{};
  std::optional<Penalty> penalty{};
  std::optional<TeamReport> team{};
};

// A dual value of -0 is a 0 that came from the other side; nobody should have to wonder.
[[nodiscard]] double without_negative_zero(double value);

[[nodiscard]] std::string summary(const TrainReport& report);
[[nodiscard]] Json to_json(const TrainReport& report);
[[nodiscard]] Json to_json(const Certificate& certificate);
[[nodiscard]] Json to_json(const Work& work);
[[nodiscard]] Json to_json(const TeamReport& team);
// What was in force; null for what had no say.
[[nodiscard]] Json settings_json(const Formulation& formulation, const Outcome& outcome, const std::string& values);

// "smooth_hinge, l1 ball of radius 100, ridge 0.0002"
[[nodiscard]] std::string problem_text(const Formulation& formulation, double ridge);
// "converged: relative gap ..."
[[nodiscard]] std::string status_text(const Outcome& outcome);
// "12 iterations, 37 data passes (solver auto)"
[[nodiscard]] std::string work_text(const Outcome& outcome);
[[nodiscard]] std::string certificate_text(const Certificate& certificate);
[[nodiscard]] std::string solution_text(const TrainReport& report);
[[nodiscard]] std::string seconds_text(const TrainReport& report);
// "4; 2e+05 bytes sent by each in 120 exchanges, ..."
[[nodiscard]] std::string team_text(const TeamReport& team, Index iterations);

[[nodiscard]] std::string trace_csv(const Outcome& outcome);

}  // namespace pdbfw::cli
