// What `complete`, `rank-min` and `phase` share: flags of a matrix of bounded trace norm, its report, its files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/progress_line.hpp"
#include "io/bytes/output_file.hpp"
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

// --shape d,c. Throws InputError.
struct Shape {
  Index d = 0, c = 0;
};
[[nodiscard]] Shape parse_shape(const std::string& text);

// "7 of at most 20, trace norm 12.5; singular values 5.1, 3.2, 1.1 ..."
[[nodiscard]] std::string rank_text(const Factors& X);
// "loss squared, set trace of radius 20, ridge 0"
[[nodiscard]] std::string problem_text(const low_rank::Problem& problem);

// The keys that all three commands have: status, message, solver, problem, certificate, solution, work.
[[nodiscard]] Json matrix_json(const low_rank::Problem& problem, const low_rank::Result& result);
[[nodiscard]] Json steps_json(const std::vector<Explanation::Step>& steps);

// Files that appear together or not at all, as far as a file system lets anyone promise it.
class OutputFiles {
 public:
  // What is written goes to the disk at once, and gets its name with the others.
  void add(const std::string& path, const std::function<void(TextSink&)>& write);
  void add(const std::string& path, std::string_view text);
  void add(const std::string& path, const Matrix& array);  // .npy
  void add(const std::string& path, const Vector& array);
  void add(const std::string& path, const Model& model);
  // Those of one call are committed in the order in which they were added.
  void commit();
  // Runs `tell` once they are committed; if it fails the error says that they were written.
  void tell(const std::function<void()>& tell) const;

 private:
  std::vector<std::unique_ptr<OutputFile>> files_;
};

// The files that a command writes, each with the option that names it. Throws InputError unless all of them can be
// written, none is standard output, and none is read or written for something else as well.
struct NamedOutput {
  std::string_view option;
  std::string path;
};
void require_outputs(const std::vector<NamedOutput>& outputs, std::vector<std::string> read);

// PREFIX.U.npy, PREFIX.s.npy, PREFIX.V.npy.
[[nodiscard]] std::vector<NamedOutput> factor_outputs(const std::string& prefix);
void add_factors(const std::string& prefix, const Factors& X, OutputFiles& files);

// Runs a solve with a callback that shows the progress on a terminal and stops it when interrupted.
template <class Solve>
[[nodiscard]] auto watched(const MatrixFlags& flags, const InterruptGuard& interrupt, const Solve& solve) {
  ProgressLine line(flags.shows_progress());
  return solve([&](const Progress& progress) {
    line.show(progress);
    return !interrupt.is_requested();
  });
}

}  // namespace pdbfw::cli
