// pdbfw phase VECTORS INTENSITIES
#include "pdbfw/phase.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/matrix_flags.hpp"
#include "cli/report.hpp"
#include "io/data/npy_reader.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/recovery.hpp"

namespace pdbfw::cli {
namespace {

struct PhaseFlags {
  MatrixFlags matrix;
  std::string vectors, intensities;
  std::string signal = "auto";
  std::string truth;
  std::string output;
  std::string shape;
  std::string picture;
};

void check_early(const PhaseFlags& flags) {
  static_cast<void>(chosen("signal", flags.signal, {"auto", "real", "complex"}));
  if (flags.matrix.ridge().value != 0) throw InputError("ridge", "> 0", "0: a ridge would shrink the signal");
  if (flags.shape.empty() != flags.picture.empty())
    throw InputError(flags.shape.empty() ? "shape" : "picture", "none", "--shape and --picture come together");
  if (!flags.shape.empty()) static_cast<void>(parse_shape(flags.shape));
  const std::vector<std::string> read = {flags.vectors, flags.intensities, flags.truth};
  require_one_stdin(read);
  std::vector<NamedOutput> outputs;
  if (!flags.output.empty()) outputs.push_back({"output", flags.output});
  if (!flags.picture.empty()) outputs.push_back({"picture", flags.picture});
  require_outputs(outputs, read);
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

std::vector<double> read_intensities(const PhaseFlags& flags, const Measurements& measurements) {
  std::vector<double> b = read_labels(flags.intensities);
  const Index vectors = measurements.G->rows() / measurements.group;
  if (static_cast<Index>(b.size()) != vectors)
    throw InputError(flags.intensities, fmt::format("{} intensities", b.size()),
                     fmt::format("one for each of the {} vectors", vectors));
  return b;
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

struct PhaseReport {
  const PhaseFlags& flags;
  const Measurements& measurements;
  const PhaseRetrieval& found;
  std::optional<double> error;  // |x - truth| / |truth|, phase resolved
  MatrixSeconds seconds{};

  [[nodiscard]] std::string_view signal() const {
    return measurements.signal == SignalKind::complex ? "complex" : "real";
  }
};

std::string summary(const PhaseReport& report) {
  const auto& [flags, explanation] = std::tie(report.flags, report.found.explanation);
  const low_rank::Result& result = explanation.result;
  Facts facts{{"data", fmt::format("{}: {} of a {} signal of length {}", flags.vectors,
                                   counted(explanation.problem.n(), "intensity", "intensities"), report.signal(),
                                   report.found.x.size())}};
  add_solution(explanation.problem, result, facts);
  facts.emplace_back("misfit", fmt::format("{:.3e}: |A(X) - b| / |b|", explanation.misfit));
  facts.emplace_back("signal", fmt::format("length {:.9g}", report.found.x.norm()));
  if (report.error)
    facts.emplace_back("error", fmt::format("{:.3e}: |x - truth| / |truth|, the {} resolved", *report.error,
                                            report.measurements.signal == SignalKind::real ? "sign" : "phase"));
  facts.emplace_back("work", work_text(result));
  facts.emplace_back("seconds", fmt::format("load {:.3g}, {} {:.3g}", report.seconds.load,
                                            counted(static_cast<Index>(explanation.steps.size()), "solve", "solves"),
                                            report.seconds.all_solves));
  if (!flags.output.empty()) facts.emplace_back("output", flags.output);
  if (!flags.picture.empty()) facts.emplace_back("picture", flags.picture);
  return aligned(facts);
}

Json json_of(const PhaseReport& report) {
  const Explanation& explanation = report.found.explanation;
  Json out = matrix_json(explanation.problem, explanation.result);
  out["steps"] = steps_json(explanation.steps);
  out["misfit"] = explanation.misfit;
  out["signal"] = {{"kind", report.signal()}, {"size", report.found.x.size()}, {"length", report.found.x.norm()}};
  out["error"] = report.error ? Json(*report.error) : Json();
  out["seconds"] = report.seconds.json();
  out["output"] = file_json(report.flags.output);
  out["picture"] = file_json(report.flags.picture);
  return out;
}

int retrieve(const PhaseFlags& flags) {
  const PhaseRetrieval::Options how{.radius = flags.matrix.radius(), .settings = flags.matrix.settings()};
  check_early(flags);

  const Stopwatch load;
  const Measurements measurements = read_vectors(flags);
  const std::vector<double> b = read_intensities(flags, measurements);
  const std::optional<ComplexVector> truth =
      flags.truth.empty() ? std::nullopt : std::optional(read_truth(flags, measurements));
  check_picture(flags, length(measurements));
  const double load_seconds = load.seconds();

  const InterruptGuard interrupt;
  const Stopwatch watch;
  PhaseRetrieval found = watched(flags.matrix.shows_progress(), interrupt, [&](const Callback& callback) {
    return retrieve_phase(measurements, b, how, callback);
  });
  const double seconds = watch.seconds();
  // Where the truth is given, its phase is taken.
  if (truth) found.x = pdbfw::aligned(found.x, *truth);

  OutputFiles files;
  if (!flags.output.empty()) add_signal(flags.output, found.x, measurements.signal, files);
  if (!flags.picture.empty()) files.add(flags.picture, picture(found.x, parse_shape(flags.shape)));
  files.commit();
  const PhaseReport report{flags,
                           measurements,
                           found,
                           truth ? std::optional(relative_error(found.x, *truth)) : std::nullopt,
                           {load_seconds, seconds, found.explanation.result.seconds}};
  files.tell([&] { flags.matrix.tell([&] { return json_of(report); }, [&] { return summary(report); }); });
  return found.explanation.result.status == Status::converged ? kSuccess : kStopped;
}

}  // namespace

Command add_phase(CLI::App& tool) {
  CLI::App* parser =
      tool.add_subcommand("phase", "Recover a signal from the intensities of its products with known vectors");
  const auto flags = std::make_shared<PhaseFlags>();
  const Flags add(*parser);
  add.argument("VECTORS", flags->vectors, "The a_i, one a row: .npy, real or complex; - is standard input");
  add.argument("INTENSITIES", flags->intensities, "The |a_i* x|^2: .npy, or a number a line");
  Flags(*parser, kMatrixHeading)
      .text("--signal", "NAME", flags->signal,
            "What the signal is; auto: complex if the vectors are.\n(auto | real | complex; default auto)");
  flags->matrix.add(*parser,
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
