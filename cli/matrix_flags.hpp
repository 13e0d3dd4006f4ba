// What `complete`, `rank-min` and `phase` share: flags of a matrix of bounded trace norm, its report, its files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/output_files.hpp"
#include "cli/watching.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/recovery.hpp"

namespace pdbfw::cli {

// The heading of options whose names also stand in the table of fields, with other values or another default.
inline constexpr std::string_view kMatrixHeading = "The matrix (docs/low-rank.md)";

class MatrixFlags : public ReportFlags {
 public:
  // `radius` says what auto does.
  void add(CLI::App& parser, const std::string& radius);

  // Throw InputError with the rule that is broken.
  [[nodiscard]] Settings settings() const;
  [[nodiscard]] std::optional<double> radius() const;  // none: auto
  [[nodiscard]] Ridge ridge() const { return Ridge::parse(ridge_); }

 private:
  FieldFlags fields_;
  std::string radius_ = "auto";
  std::string ridge_ = "0";
  std::string solver_ = "auto";
};

// Throws InputError where more than one of these files is standard input.
void require_one_stdin(const std::vector<std::string>& read);

// --shape d,c. Throws InputError.
struct Shape {
  Index d = 0, c = 0;
};
[[nodiscard]] Shape parse_shape(const std::string& text);

// "7 of at most 20, trace norm 12.5; singular values 5.1, 3.2, 1.1 ..."
[[nodiscard]] std::string rank_text(const Factors& X);

// The facts that all three have: problem, status, certificate, rank.
void add_solution(const low_rank::Problem& problem, const low_rank::Result& result, Facts& facts);
// "load 0.1, all solves 2, the last one 0.5", and the same as an object.
struct MatrixSeconds {
  double load = 0, all_solves = 0, last_solve = 0;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json json() const { return {{"load", load}, {"all_solves", all_solves}, {"solve", last_solve}}; }
};
// Null for no file, and for standard output.
[[nodiscard]] Json file_json(const std::string& path);
// The keys that all three commands have: status, message, solver, problem, certificate, solution, work.
[[nodiscard]] Json matrix_json(const low_rank::Problem& problem, const low_rank::Result& result);
[[nodiscard]] Json steps_json(const std::vector<Explanation::Step>& steps);

// PREFIX.U.npy, PREFIX.s.npy, PREFIX.V.npy.
[[nodiscard]] std::vector<NamedOutput> factor_outputs(const std::string& prefix);
void add_factors(const std::string& prefix, const Factors& X, OutputFiles& files);

}  // namespace pdbfw::cli
