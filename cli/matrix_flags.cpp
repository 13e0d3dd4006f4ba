#include "cli/matrix_flags.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/low_rank_registry.hpp"
#include "cli/report.hpp"
#include "core/spectral_set.hpp"

namespace pdbfw::cli {

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
    fields_.add(parser, field);
  add_report(parser);
}

Settings MatrixFlags::settings() const {
  Settings settings = fields_.request().settings;
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

void require_one_stdin(const std::vector<std::string>& read) {
  if (std::count(read.begin(), read.end(), "-") > 1)
    throw InputError("'-' stands for standard input, which only one file can be");
}

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

std::string rank_text(const Factors& X) {
  constexpr Index kShown = 5;
  std::string text = fmt::format("{} of at most {}", X.rank(), std::min(X.rows(), X.columns()));
  if (X.rank() == 0) return text;
  std::vector<double> shown(X.s.data(), X.s.data() + std::min(X.rank(), kShown));
  text += fmt::format(", trace norm {:.6g}; singular values {:.4g}", X.trace_norm(), fmt::join(shown, ", "));
  return X.rank() > kShown ? text + fmt::format(" ... {:.4g}", X.s[X.rank() - 1]) : text;
}

void add_solution(const low_rank::Problem& problem, const low_rank::Result& result, Facts& facts) {
  facts.emplace_back("problem", fmt::format("loss {}, set {} of radius {:.6g}, ridge {:.6g}", problem.loss->name(),
                                            problem.set->name(), problem.set->radius(), problem.ridge));
  facts.emplace_back("status", status_text(result));
  facts.emplace_back("certificate", certificate_text(result.certificate));
  facts.emplace_back("rank", rank_text(result.X));
}

std::string MatrixSeconds::text() const {
  return fmt::format("load {:.3g}, all solves {:.3g}, the last one {:.3g}", load, all_solves, last_solve);
}

Json file_json(const std::string& path) { return path.empty() || path == "-" ? Json() : Json(path); }

Json matrix_json(const low_rank::Problem& problem, const low_rank::Result& result) {
  Json out;
  out["status"] = to_string(result.status);
  out["message"] = result.message;
  out["solver"] = result.solver;
  out["problem"] = {{"n", problem.n()},           {"d", problem.d()},
                    {"c", problem.c()},           {"loss", problem.loss->name()},
                    {"set", problem.set->name()}, {"radius", problem.set->radius()},
                    {"ridge", problem.ridge}};
  out["certificate"] = to_json(result.certificate);
  out["solution"] = {{"rank", result.X.rank()},
                     {"trace_norm", result.X.trace_norm()},
                     {"singular_values", std::vector<double>(result.X.s.begin(), result.X.s.end())},
                     {"multiplier", without_negative_zero(result.multiplier)}};
  out["work"] = to_json(result.work);
  return out;
}

Json steps_json(const std::vector<Explanation::Step>& steps) {
  Json out = Json::array();
  for (const Explanation::Step& step : steps)
    out.push_back({{"radius", step.radius}, {"misfit", step.misfit}, {"rank", step.rank}, {"seconds", step.seconds}});
  return out;
}

std::vector<NamedOutput> factor_outputs(const std::string& prefix) {
  return {{"factors", prefix + ".U.npy"}, {"factors", prefix + ".s.npy"}, {"factors", prefix + ".V.npy"}};
}

void add_factors(const std::string& prefix, const Factors& X, OutputFiles& files) {
  files.add(prefix + ".U.npy", X.U);
  files.add(prefix + ".s.npy", X.s);
  files.add(prefix + ".V.npy", X.V);
}

}  // namespace pdbfw::cli
