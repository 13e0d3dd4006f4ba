// What `complete`, `rank-min` and `phase` share: flags of a matrix of bounded trace norm, its report, its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output_files.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::cli {

// The heading of options whose names also stand in the table of fields, with other values or another default.
inline constexpr std::string_view kMatrixHeading = "The matrix (docs/low-rank.md)";

// What such a command tells: lines, and an object whose keys are called the same, with _ for blanks.
struct MatrixReport {
  Facts facts;
  Json object;

  // Begins with `first`, then what all three commands have: problem, status, certificate, rank and, in the object,
  // message, solver and work.
  MatrixReport(Facts first, const low_rank::Problem& problem, const low_rank::Result& result);

  // No line where the text is empty.
  void add(const std::string& name, std::string text, Json value);
  // "load 0.1, all solves 2, the last one 0.5", unless there is a better text; behind a line about the work.
  void add_seconds(double load, double all_solves, const low_rank::Result& result, std::string text = {});
  // Nothing for no file, and for standard output.
  void add_file(const std::string& name, const std::string& path, const std::string& ending = {});
};

struct MatrixFlags : ReportFlags {
  FieldFlags fields;

  // `radius` says what auto does.
  void add(CLI::App& parser, const std::string& radius);

  // Throw InputError with the rule that is broken.
  [[nodiscard]] Settings settings() const;
  [[nodiscard]] std::optional<double> radius() const;  // none: auto
  [[nodiscard]] Ridge ridge() const { return Ridge::parse(ridge_); }

  // Once the files have their names; if it fails the error says that they were written.
  void tell(const MatrixReport& report, const OutputFiles& files, bool is_output_taken = false) const;

 private:
  std::string radius_ = "auto", ridge_ = "0", solver_ = "auto";
};

// The steps of a search for the radius, each with what it was judged by.
template <class Step>
[[nodiscard]] Json steps_json(const std::vector<Step>& steps, const char* name, double Step::*value) {
  Json out = Json::array();
  for (const Step& step : steps)
    out.push_back({{"radius", step.radius}, {name, step.*value}, {"rank", step.rank}, {"seconds", step.seconds}});
  return out;
}

// PREFIX.U.npy, PREFIX.s.npy, PREFIX.V.npy; nothing for no prefix.
[[nodiscard]] std::vector<NamedOutput> factor_outputs(const std::string& prefix);
void add_factors(const std::string& prefix, const Factors& X, OutputFiles& files);

}  // namespace pdbfw::cli
