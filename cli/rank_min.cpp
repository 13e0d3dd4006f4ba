// pdbfw rank-min MEASUREMENTS TARGETS --shape d,c
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/matrix_flags.hpp"
#include "cli/report.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/recovery.hpp"

namespace pdbfw::cli {
namespace {

struct RankMinOptions {
  MatrixFlags matrix;
  std::vector<std::string> files;  // MEASUREMENTS TARGETS, or TARGETS alone
  std::string shape;
  std::string left, right;
  std::string truth;
  std::string factors;
  double misfit = 1e-6;
  const CLI::Option* misfit_flag = nullptr;

  [[nodiscard]] bool is_rank_one() const { return !left.empty() || !right.empty(); }
  [[nodiscard]] const std::string& measurements() const { return files.front(); }
  [[nodiscard]] const std::string& targets() const { return files.back(); }
};

void check_early(const RankMinOptions& options) {
  if (options.left.empty() != options.right.empty())
    throw InputError(options.left.empty() ? "left" : "right", "none", "--left and --right come together");
  const std::size_t wanted = options.is_rank_one() ? 1 : 2;
  if (options.files.size() != wanted)
    throw InputError(options.is_rank_one()
                         ? "one file is needed with --left and --right: TARGETS; see pdbfw rank-min --help"
                         : "two files are needed: MEASUREMENTS TARGETS; see pdbfw rank-min --help");
  if (options.is_rank_one() && !options.shape.empty())
    throw InputError("shape", fmt::format("'{}'", options.shape), "none with --left and --right, which have it");
  if (!options.is_rank_one()) static_cast<void>(parse_shape(options.shape));
  if (options.matrix.radius() && options.misfit_flag->count() > 0)
    throw InputError("misfit", "with a radius", "only for --radius auto");
  std::vector<std::string> read = options.files;
  read.insert(read.end(), {options.left, options.right, options.truth});
  require_one_stdin(read);
  require_outputs(options.factors.empty() ? std::vector<NamedOutput>{} : factor_outputs(options.factors), read);
}

MatrixPtr read_rows(const std::string& path, int threads, Index min_columns = 0) {
  return read_dataset(path, {.threads = threads, .min_features = min_columns, .needs_targets = false}).A;
}

MapPtr read_map(const RankMinOptions& options, int threads) {
  if (options.is_rank_one()) return rank_one_map(read_rows(options.left, threads), read_rows(options.right, threads));
  const Shape shape = parse_shape(options.shape);
  MatrixPtr A = read_rows(options.measurements(), threads);
  // A sparse file need not say how wide it is; it is read again as wide as it should be.
  if (!A->is_dense() && A->columns() < shape.d * shape.c && options.measurements() != "-")
    A = read_rows(options.measurements(), threads, shape.d * shape.c);
  if (A->columns() != shape.d * shape.c)
    throw InputError(options.measurements(), fmt::format("{} numbers a measurement", A->columns()),
                     fmt::format("{} for {} x {} matrices", shape.d * shape.c, shape.d, shape.c));
  return products_map(A, shape.d, shape.c);
}

std::vector<double> read_targets(const RankMinOptions& options, const LinearMap& map) {
  std::vector<double> b = read_labels(options.targets());
  if (static_cast<Index>(b.size()) != map.samples())
    throw InputError(options.targets(), counted(static_cast<Index>(b.size()), "target", "targets"),
                     fmt::format("one for each of the {} measurements", map.samples()));
  return b;
}

Matrix read_truth(const std::string& path, const LinearMap& map) {
  const NumberArray array = read_npy(path);
  if (array.is_complex) throw InputError(path, "complex numbers", "real ones, as the measurements");
  if (array.shape != std::vector<Index>{map.rows(), map.columns()})
    throw InputError(path, fmt::format("the shape ({})", fmt::join(array.shape, ", ")),
                     fmt::format("({}, {}), as the measured matrix", map.rows(), map.columns()));
  return Eigen::Map<const Matrix>(array.real.data(), map.rows(), map.columns());
}

struct RankMinReport {
  const RankMinOptions& options;
  const Explanation& found;
  std::optional<double> error;  // |X - truth| / |truth|
  MatrixSeconds seconds{};
};

bool is_explained(const RankMinReport& report) { return report.found.misfit <= report.options.misfit; }

std::string radius_text(const RankMinReport& report) {
  const std::string text = fmt::format("{:.9g}", report.found.radius);
  if (report.options.matrix.radius()) return text;
  const std::string solves = counted(static_cast<Index>(report.found.steps.size()), "solve", "solves");
  if (is_explained(report)) return fmt::format("{}, the smallest that explains the measurements ({})", text, solves);
  return fmt::format("{}: the measurements are NOT explained ({})", text, solves);
}

std::string summary(const RankMinReport& report) {
  const auto& [options, found] = std::tie(report.options, report.found);
  const low_rank::Problem& problem = found.problem;
  Facts facts{{"data", fmt::format("{}: {} of {} x {} matrices", options.targets(),
                                   counted(problem.n(), "measurement", "measurements"), problem.d(), problem.c())},
              {"radius", radius_text(report)}};
  add_solution(problem, found.result, facts);
  facts.emplace_back("misfit", fmt::format("{:.3e}: |A(X) - b| / |b|", found.misfit));
  if (report.error) facts.emplace_back("error", fmt::format("{:.3e}: |X - truth| / |truth|", *report.error));
  facts.emplace_back("work", work_text(found.result));
  facts.emplace_back("seconds", report.seconds.text());
  if (!options.factors.empty()) facts.emplace_back("factors", options.factors + ".*");
  return aligned(facts);
}

Json json_of(const RankMinReport& report) {
  const auto& [options, found] = std::tie(report.options, report.found);
  Json out = matrix_json(found.problem, found.result);
  out["steps"] = steps_json(found.steps);
  out["misfit"] = found.misfit;
  out["error"] = report.error ? Json(*report.error) : Json();
  out["seconds"] = report.seconds.json();
  out["factors"] = file_json(options.factors);
  return out;
}

int minimise_rank(const RankMinOptions& options) {
  const ExplainOptions how{.radius = options.matrix.radius(),
                           .misfit = options.misfit,
                           .ridge = options.matrix.ridge(),
                           .settings = options.matrix.settings()};
  check_early(options);

  const Stopwatch load;
  const MapPtr map = read_map(options, how.settings.threads);
  const std::vector<double> b = read_targets(options, *map);
  const std::optional<Matrix> truth =
      options.truth.empty() ? std::nullopt : std::optional(read_truth(options.truth, *map));
  const double load_seconds = load.seconds();

  const InterruptGuard interrupt;
  const Stopwatch watch;
  const Explanation found = watched(options.matrix.shows_progress(), interrupt,
                                    [&](const Callback& callback) { return explain(map, b, how, callback); });
  const double seconds = watch.seconds();

  OutputFiles files;
  if (!options.factors.empty()) add_factors(options.factors, found.result.X, files);
  files.commit();
  const RankMinReport report{options,
                             found,
                             truth ? std::optional(relative_error(found.result.X, *truth)) : std::nullopt,
                             {load_seconds, seconds, found.result.seconds}};
  files.tell([&] { options.matrix.tell([&] { return json_of(report); }, [&] { return summary(report); }); });
  const bool is_done = found.result.status == Status::converged && (options.matrix.radius() || is_explained(report));
  return is_done ? kSuccess : kStopped;
}

}  // namespace

Command add_rank_min(CLI::App& tool) {
  CLI::App* parser =
      tool.add_subcommand("rank-min", "Find the matrix of smallest trace norm that explains measurements");
  const auto options = std::make_shared<RankMinOptions>();
  const Flags add(*parser), add_matrix(*parser, kMatrixHeading);
  add.optional_argument(
         "FILES", options->files,
         "MEASUREMENTS TARGETS. The measurements <A_i, X>: one A_i a row, its own rows one after the\nother; "
         ".npy (n x d x c will do too), .npz, Matrix Market, LIBSVM's format ... The targets:\na number a "
         "line, or .npy. With --left and --right: TARGETS alone")
      ->required();
  add_matrix.text("--shape", "d,c", options->shape, "The rows and the columns of X");
  add_matrix.text("--left", "FILE", options->left, "Measurements l_i'X r_i: the l_i, n x d");
  add_matrix.text("--right", "FILE", options->right, "... and the r_i, n x c");
  options->matrix.add(*parser, "auto: the smallest with which the\nmeasurements are explained");
  options->misfit_flag = add_matrix.number(
      "misfit", options->misfit, "a number in (0, 1)",
      "With --radius auto, explained is: |A(X) - b| <= misfit |b|. Noisy\nmeasurements need the size of the "
      "noise.\n(a number in (0, 1); default 1e-6)");
  add.text("--truth", "FILE", options->truth, "The matrix that was measured (.npy), to tell the error");
  add.text("--factors", "PREFIX", options->factors, "Write X = U diag(s) V' as PREFIX.U.npy, .s.npy, .V.npy");
  return command_of(
      parser, options, minimise_rank,
      "Exit code: 0 converged (and explained), 2 not (files are written all the same), 1 error: nothing is written.\n\n"
      "Example:\n"
      "  pdbfw rank-min A.npy b.npy --shape 30,20 --truth X.npy --factors found");
}

}  // namespace pdbfw::cli
