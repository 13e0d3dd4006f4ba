#include "cli/matrix_flags.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/low_rank_registry.hpp"
#include "cli/report.hpp"
#include "core/spectral_set.hpp"

namespace pdbfw::cli {
namespace {

// "7 of at most 20, trace norm 12.5; singular values 5.1, 3.2, 1.1 ..."
std::string rank_text(const Factors& X) {
  constexpr Index kShown = 5;
  std::string text = fmt::format("{} of at most {}", X.rank(), std::min(X.rows(), X.columns()));
  if (X.rank() == 0) return text;
  std::vector<double> shown(X.s.data(), X.s.data() + std::min(X.rank(), kShown));
  text += fmt::format(", trace norm {:.6g}; singular values {:.4g}", X.trace_norm(), fmt::join(shown, ", "));
  return X.rank() > kShown ? text + fmt::format(" ... {:.4g}", X.s[X.rank() - 1]) : text;
}

}  // namespace

void MatrixFlags::add(CLI::App& parser, const std::string& radius) {
  const Flags flags(parser, kMatrixHeading);
  flags.text("--radius", "NUMBER", radius_,
             fmt::format("The largest trace norm. {}\n(auto, or a finite number > 0; default auto)", radius));
  flags.text(
      "--ridge", "NUMBER", ridge_,
      "The weight of half the squared Frobenius norm; n is the number of\nmeasurements.\n(a finite number >= 0, or "
      "one followed by /n; default 0)");
  flags.text(
      "--solver", "NAME", solver_,
      fmt::format("The algorithm; auto picks one.\n({}; default auto)", fmt::join(low_rank::solver_names(), " | ")));
  for (const char* field : {"tol", "max_iterations", "max_seconds", "max_passes", "threads", "seed"})
    fields.add(parser, field);
  add_report(parser);
}

Settings MatrixFlags::settings() const {
  Settings settings = fields.request().settings;
  const std::vector<std::string_view> known = low_rank::solver_names();
  settings.solver = known[chosen("solver", solver_, known)];
  return settings;
}

std::optional<double> MatrixFlags::radius() const {
  constexpr std::string_view kRule = "auto, or a finite number > 0";
  if (radius_ == "auto") return std::nullopt;
  const double value = parse_number("radius", radius_, kRule);
  if (!(value > 0 && std::isfinite(value))) throw InputError("radius", fmt::format("'{}'", radius_), kRule);
  return value;
}

void MatrixFlags::tell(const MatrixReport& report, const OutputFiles& files, bool is_output_taken) const {
  files.tell([&] { ReportFlags::tell(report.object, aligned(report.facts), is_output_taken); });
}

MatrixReport::MatrixReport(Facts first, const low_rank::Problem& problem, const low_rank::Result& result)
    : facts(std::move(first)) {
  facts.emplace_back("problem", fmt::format("loss {}, set {} of radius {:.6g}, ridge {:.6g}", problem.loss->name(),
                                            problem.set->name(), problem.set->radius(), problem.ridge));
  facts.emplace_back("status", status_text(result));
  facts.emplace_back("certificate", certificate_text(result.certificate));
  facts.emplace_back("rank", rank_text(result.X));
  object["status"] = to_string(result.status);
  object["message"] = result.message;
  object["solver"] = result.solver;
  object["problem"] = {{"n", problem.n()},           {"d", problem.d()},
                       {"c", problem.c()},           {"loss", problem.loss->name()},
                       {"set", problem.set->name()}, {"radius", problem.set->radius()},
                       {"ridge", problem.ridge}};
  object["certificate"] = to_json(result.certificate);
  object["solution"] = {{"rank", result.X.rank()},
                        {"trace_norm", result.X.trace_norm()},
                        {"singular_values", std::vector<double>(result.X.s.begin(), result.X.s.end())},
                        {"multiplier", without_negative_zero(result.multiplier)}};
  object["work"] = to_json(result.work);
}

void MatrixReport::add(const std::string& name, std::string text, Json value) {
  std::string key = name;
  std::replace(key.begin(), key.end(), ' ', '_');
  if (!text.empty()) facts.emplace_back(name, std::move(text));
  object[key] = std::move(value);
}

void MatrixReport::add_seconds(double load, double all_solves, const low_rank::Result& result, std::string text) {
  facts.emplace_back("work", work_text(result));
  if (text.empty())
    text = fmt::format("load {:.3g}, all solves {:.3g}, the last one {:.3g}", load, all_solves, result.seconds);
  add("seconds", text, {{"load", load}, {"all_solves", all_solves}, {"solve", result.seconds}});
}

void MatrixReport::add_file(const std::string& name, const std::string& path, const std::string& ending) {
  const bool is_none = path.empty() || path == "-";
  add(name, is_none ? "" : path + ending, is_none ? Json() : Json(path));
}

std::vector<NamedOutput> factor_outputs(const std::string& prefix) {
  if (prefix.empty()) return {};
  return {{"factors", prefix + ".U.npy"}, {"factors", prefix + ".s.npy"}, {"factors", prefix + ".V.npy"}};
}

void add_factors(const std::string& prefix, const Factors& X, OutputFiles& files) {
  if (prefix.empty()) return;
  files.add(prefix + ".U.npy", X.U);
  files.add(prefix + ".s.npy", X.s);
  files.add(prefix + ".V.npy", X.V);
}

}  // namespace pdbfw::cli
