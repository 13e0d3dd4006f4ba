// pdbfw rank-min MEASUREMENTS TARGETS --shape d,c and pdbfw phase VECTORS INTENSITIES: a matrix, or a signal, from
// measurements that it explains.
#include "pdbfw/recovery.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/matrix_flags.hpp"
#include "cli/watching.hpp"
#include "io/data/npy_reader.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/phase.hpp"

namespace pdbfw::cli {
namespace {

// Throws InputError where more than one of these files is standard input.
void require_one_stdin(const std::vector<std::string>& read) {
  if (std::count(read.begin(), read.end(), "-") > 1)
    throw InputError("'-' stands for standard input, which only one file can be");
}

// --shape d,c. Throws InputError.
struct Shape {
  Index d = 0, c = 0;
};

Shape parse_shape(const std::string& text) {
  constexpr std::string_view kRule = "d,c: two integers >= 1, rows and columns";
  constexpr Index kMost = Index{1} << 31;  // d c is a number that can be counted
  const std::size_t comma = text.find(',');
  if (comma == text.npos) throw InputError("shape", fmt::format("'{}'", text), kRule);
  const Shape shape{parse_count("shape", std::string_view(text).substr(0, comma), kRule),
                    parse_count("shape", std::string_view(text).substr(comma + 1), kRule)};
  if (shape.d < 1 || shape.c < 1 || shape.d >= kMost || shape.c >= kMost)
    throw InputError("shape", fmt::format("'{}'", text), kRule);
  return shape;
}

// Throws InputError unless there are so many numbers.
std::vector<double> read_numbers(const std::string& path, Index wanted, std::string_view one, std::string_view many,
                                 std::string_view measured) {
  std::vector<double> b = read_labels(path);
  if (std::ssize(b) != wanted)
    throw InputError(path, counted(std::ssize(b), one, many),
                     fmt::format("one for each of the {} {}", wanted, measured));
  return b;
}

MatrixReport report_of(Facts first, const Explanation& found) {
  MatrixReport report(std::move(first), found.problem, found.result);
  report.object["steps"] = steps_json(found.steps, "misfit", &Explanation::Step::misfit);
  report.add("misfit", fmt::format("{:.3e}: |A(X) - b| / |b|", found.misfit), found.misfit);
  return report;
}

// The relative distance to the truth, where that was given.
void add_error(MatrixReport& report, std::optional<double> error, std::string_view what) {
  report.add("error", error ? fmt::format("{:.3e}: {}", *error, what) : "", error ? Json(*error) : Json());
}

std::string solves_text(const Explanation& found) { return counted(std::ssize(found.steps), "solve", "solves"); }

struct RankMinOptions : MatrixFlags {
  std::vector<std::string> files;  // MEASUREMENTS TARGETS, or TARGETS alone
  std::string shape;
  std::string left, right;
  std::string truth, factors;
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
  if (options.radius() && options.misfit_flag->count() > 0)
    throw InputError("misfit", "with a radius", "only for --radius auto");
  std::vector<std::string> read = options.files;
  read.insert(read.end(), {options.left, options.right, options.truth});
  require_one_stdin(read);
  require_outputs(factor_outputs(options.factors), read);
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

Matrix read_truth(const std::string& path, const LinearMap& map) {
  const NumberArray array = read_npy(path);
  if (array.is_complex) throw InputError(path, "complex numbers", "real ones, as the measurements");
  if (array.shape != std::vector<Index>{map.rows(), map.columns()})
    throw InputError(path, fmt::format("the shape ({})", fmt::join(array.shape, ", ")),
                     fmt::format("({}, {}), as the measured matrix", map.rows(), map.columns()));
  return Eigen::Map<const Matrix>(array.real.data(), map.rows(), map.columns());
}

std::string radius_text(const RankMinOptions& options, const Explanation& found) {
  const std::string text = fmt::format("{:.9g}", found.radius), solves = solves_text(found);
  if (options.radius()) return text;
  if (found.misfit <= options.misfit)
    return fmt::format("{}, the smallest that explains the measurements ({})", text, solves);
  return fmt::format("{}: the measurements are NOT explained ({})", text, solves);
}

int minimise_rank(const RankMinOptions& options) {
  const ExplainOptions how{
      .radius = options.radius(), .misfit = options.misfit, .ridge = options.ridge(), .settings = options.settings()};
  check_early(options);

  const Stopwatch load;
  const MapPtr map = read_map(options, how.settings.threads);
  const std::vector<double> b = read_numbers(options.targets(), map->samples(), "target", "targets", "measurements");
  const std::optional<Matrix> truth =
      options.truth.empty() ? std::nullopt : std::optional(read_truth(options.truth, *map));
  const double load_seconds = load.seconds();

  const InterruptGuard interrupt;
  const Stopwatch watch;
  const Explanation found = watched(options.shows_progress(), interrupt,
                                    [&](const Callback& callback) { return explain(map, b, how, callback); });
  const double seconds = watch.seconds();

  OutputFiles files;
  add_factors(options.factors, found.result.X, files);
  files.commit();
  const low_rank::Problem& problem = found.problem;
  MatrixReport report =
      report_of({{"data", fmt::format("{}: {} of {} x {} matrices", options.targets(),
                                      counted(problem.n(), "measurement", "measurements"), problem.d(), problem.c())},
                 {"radius", radius_text(options, found)}},
                found);
  add_error(report, truth ? std::optional(relative_error(found.result.X, *truth)) : std::nullopt,
            "|X - truth| / |truth|");
  report.add_seconds(load_seconds, seconds, found.result);
  report.add_file("factors", options.factors, ".*");
  options.tell(report, files);
  const bool is_done = found.result.status == Status::converged && (options.radius() || found.misfit <= options.misfit);
  return is_done ? kSuccess : kStopped;
}

struct PhaseFlags : MatrixFlags {
  std::string vectors, intensities;
  std::string signal = "auto";
  std::string truth, output, shape, picture;
};

void check_early(const PhaseFlags& flags) {
  static_cast<void>(chosen("signal", flags.signal, {"auto", "real", "complex"}));
  if (flags.ridge().value != 0) throw InputError("ridge", "> 0", "0: a ridge would shrink the signal");
  if (flags.shape.empty() != flags.picture.empty())
    throw InputError(flags.shape.empty() ? "shape" : "picture", "none", "--shape and --picture come together");
  if (!flags.shape.empty()) static_cast<void>(parse_shape(flags.shape));
  const std::vector<std::string> read = {flags.vectors, flags.intensities, flags.truth};
  require_one_stdin(read);
  require_outputs({{"output", flags.output}, {"picture", flags.picture}}, read);
}

Measurements read_vectors(const PhaseFlags& flags) {
  const NumberArray array = read_npy(flags.vectors);
  if (array.shape.size() != 2)
    throw InputError(flags.vectors, fmt::format("the shape ({})", fmt::join(array.shape, ", ")),
                     "two sizes: a vector a row");
  const bool is_complex = flags.signal == "complex" || (flags.signal == "auto" && array.is_complex);
  const SignalKind signal = is_complex ? SignalKind::complex : SignalKind::real;
  const Eigen::Map<const Matrix> real(array.real.data(), array.shape[0], array.shape[1]);
  if (!array.is_complex) return phase_measurements(Matrix(real), signal);
  ComplexMatrix vectors(real.rows(), real.cols());
  vectors.real() = real;
  vectors.imag() = Eigen::Map<const Matrix>(array.imaginary.data(), real.rows(), real.cols());
  return phase_measurements(vectors, signal);
}

Index length(const Measurements& measurements) {
  return measurements.G->columns() / (measurements.signal == SignalKind::complex ? 2 : 1);
}

ComplexVector read_truth(const PhaseFlags& flags, const Measurements& measurements) {
  const NumberArray array = read_npy(flags.truth);
  const auto size = static_cast<Index>(array.real.size());
  if (size != length(measurements))
    throw InputError(flags.truth, fmt::format("{} numbers", size),
                     fmt::format("{}, as the vectors", length(measurements)));
  if (array.is_complex && measurements.signal == SignalKind::real)
    throw InputError(flags.truth, "complex numbers", "real ones, as the signal; see --signal");
  ComplexVector truth(size);
  truth.real() = Eigen::Map<const Vector>(array.real.data(), size);
  if (array.is_complex)
    truth.imag() = Eigen::Map<const Vector>(array.imaginary.data(), size);
  else
    truth.imag().setZero();
  if (truth.norm() == 0) throw InputError(flags.truth, "zero", "a signal that is not zero");
  return truth;
}

void check_picture(const PhaseFlags& flags, Index size) {
  if (flags.picture.empty()) return;
  const Shape shape = parse_shape(flags.shape);
  if (shape.d * shape.c != size)
    throw InputError("shape", fmt::format("'{}'", flags.shape),
                     fmt::format("rows and columns of a picture with {} points, as the signal has", size));
}

// Magnitudes as grey values: 0 is black, the largest white (the format PGM, binary).
std::string picture(const ComplexVector& x, const Shape& shape) {
  constexpr double kWhite = 255;
  const double largest = x.cwiseAbs().maxCoeff();
  std::string out = fmt::format("P5\n{} {}\n{}\n", shape.c, shape.d, kWhite);
  for (const std::complex<double>& value : x)
    out += static_cast<char>(
        static_cast<unsigned char>(std::lround(largest > 0 ? kWhite * std::abs(value) / largest : 0)));
  return out;
}

void add_signal(const std::string& path, const ComplexVector& x, SignalKind signal, OutputFiles& files) {
  if (signal == SignalKind::real)
    files.add(path, Vector(x.real()));
  else
    write_npy_to(files.open(path), std::span<const std::complex<double>>(x.data(), static_cast<std::size_t>(x.size())),
                 {x.size()});
}

int retrieve(const PhaseFlags& flags) {
  const PhaseRetrieval::Options how{.radius = flags.radius(), .settings = flags.settings()};
  check_early(flags);

  const Stopwatch load;
  const Measurements measurements = read_vectors(flags);
  const std::vector<double> b = read_numbers(flags.intensities, measurements.G->rows() / measurements.group,
                                             "intensities", "intensities", "vectors");
  const std::optional<ComplexVector> truth =
      flags.truth.empty() ? std::nullopt : std::optional(read_truth(flags, measurements));
  check_picture(flags, length(measurements));
  const double load_seconds = load.seconds();

  const InterruptGuard interrupt;
  const Stopwatch watch;
  PhaseRetrieval found = watched(flags.shows_progress(), interrupt, [&](const Callback& callback) {
    return retrieve_phase(measurements, b, how, callback);
  });
  const double seconds = watch.seconds();
  // Where the truth is given, its phase is taken.
  if (truth) found.x = pdbfw::aligned(found.x, *truth);

  OutputFiles files;
  if (!flags.output.empty()) add_signal(flags.output, found.x, measurements.signal, files);
  if (!flags.picture.empty()) files.add(flags.picture, picture(found.x, parse_shape(flags.shape)));
  files.commit();
  const Explanation& explanation = found.explanation;
  const bool is_complex = measurements.signal == SignalKind::complex;
  const std::string_view kind = is_complex ? "complex" : "real";
  const double length_of_x = found.x.norm();
  MatrixReport report =
      report_of({{"data", fmt::format("{}: {} of a {} signal of length {}", flags.vectors,
                                      counted(std::ssize(b), "intensity", "intensities"), kind, found.x.size())}},
                explanation);
  report.add("signal", fmt::format("length {:.9g}", length_of_x),
             {{"kind", kind}, {"size", found.x.size()}, {"length", length_of_x}});
  add_error(report, truth ? std::optional(relative_error(found.x, *truth)) : std::nullopt,
            fmt::format("|x - truth| / |truth|, the {} resolved", is_complex ? "phase" : "sign"));
  report.add_seconds(load_seconds, seconds, explanation.result,
                     fmt::format("load {:.3g}, {} {:.3g}", load_seconds, solves_text(explanation), seconds));
  report.add_file("output", flags.output);
  report.add_file("picture", flags.picture);
  flags.tell(report, files);
  return explanation.result.status == Status::converged ? kSuccess : kStopped;
}

}  // namespace

Command add_rank_min(CLI::App& tool) {
  const auto [parser, options] = new_command<RankMinOptions>(
      tool, "rank-min", "Find the matrix of smallest trace norm that explains measurements");
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
  options->add(*parser, "auto: the smallest with which the\nmeasurements are explained");
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

Command add_phase(CLI::App& tool) {
  const auto [parser, flags] = new_command<PhaseFlags>(
      tool, "phase", "Recover a signal from the intensities of its products with known vectors");
  const Flags add(*parser);
  add.argument("VECTORS", flags->vectors, "The a_i, one a row: .npy, real or complex; - is standard input");
  add.argument("INTENSITIES", flags->intensities, "The |a_i* x|^2: .npy, or a number a line");
  Flags(*parser, kMatrixHeading)
      .text("--signal", "NAME", flags->signal,
            "What the signal is; auto: complex if the vectors are.\n(auto | real | complex; default auto)");
  flags->add(*parser,
             "It is that of X = x x*, so |x|^2.\nauto: twice what least squares makes of the intensities, and "
             "doubled while it binds");
  add.text("--truth", "FILE", flags->truth, "The signal (.npy), to tell the error; the result takes its phase");
  add.text("--output", "FILE", flags->output, "Write the signal, as .npy");
  add.text("--shape", "d,c", flags->shape, "The signal is a picture with so many rows and columns");
  add.text("--picture", "FILE", flags->picture, "Write its magnitudes as grey values, as .pgm");
  return command_of(
      parser, flags, retrieve,
      "No intensity tells x from x times a number of modulus 1 (for real signals, from -x): the result has its "
      "largest\n"
      "entry positive, or the phase of the truth where that is given.\n"
      "Exit code: 0 converged, 2 stopped before the tolerance (files are written all the same), 1 error: nothing is\n"
      "written.\n\n"
      "Example:\n"
      "  pdbfw phase a.npy b.npy --truth x.npy --output found.npy");
}

}  // namespace pdbfw::cli
