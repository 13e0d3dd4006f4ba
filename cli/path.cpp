// pdbfw path DATA [OUT.csv]
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/fit.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"
#include "cli/radii_flags.hpp"
#include "cli/report.hpp"
#include "cli/training.hpp"
#include "io/models/model_file.hpp"
#include "io/output_file.hpp"
#include "pdbfw/predict.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {
namespace {

struct PathFlags : ReportFlags {
  DataArgument data;
  FieldFlags fields;
  WeightsArgument weights;
  FeatureArguments features;
  RadiiFlags radii;
  std::string out, model, by = "radius", alphas, early_stop = "yes";
  std::optional<Index> most_features;
};

bool is_by_penalty(const PathFlags& flags) {
  return !flags.alphas.empty() || chosen("by", flags.by, {"radius", "alpha"}) == 1;
}

std::vector<double> given_alphas(const PathFlags& flags) {
  constexpr std::string_view kRule = "finite numbers > 0, separated by commas";
  std::vector<double> alphas = parse_list("alphas", flags.alphas, kRule);
  for (const double alpha : alphas)
    if (!(alpha > 0)) throw InputError("alphas", fmt::format("'{}'", flags.alphas), kRule);
  return alphas;
}

bool stops_early(const PathFlags& flags) { return chosen("early_stop", flags.early_stop, {"no", "yes"}) == 1; }

void check(const PathFlags& flags) {
  (void)stops_early(flags);
  (void)given_alphas(flags);
  if (is_by_penalty(flags) && (!flags.radii.given().empty() || flags.fields.given("radius")))
    throw InputError("alphas", "with radii", "one of the two");
  (void)flags.radii.grid();
  (void)flags.radii.given();
  if (flags.most_features && flags.model.empty())
    throw InputError("most_features", fmt::format("{}", *flags.most_features), "with --model, which it is for");
  for (const auto& [option, path] : {std::pair{"OUT", flags.out}, std::pair{"model", flags.model}}) {
    if (path.empty()) continue;
    require_writable(option, path);
    require_other_file(option, path, flags.data);
    require_other_file(option, path, {flags.weights.path(), flags.features.path(), "-"});
  }
  if (!flags.model.empty()) require_other_file("model", flags.model, {flags.out});
}

// The points of either kind of path.
struct Point {
  double radius, penalty;  // the penalty that was asked for, or the multiplier that was found
  Result result;
  Certificate certificate;  // of the penalised problem where that was asked for
};

struct Row {
  double radius, penalty;
  const Certificate* certificate;
  const Result* result;
  Index nonzeros;
  double norm, fit;
};

std::vector<Row> rows_of(const std::vector<Point>& path, const Prepared& prepared, const PathData& given) {
  std::vector<Row> rows;
  for (const Point& point : path) {
    const Model model = make_model(prepared, given.request.formulation, point.result, false);
    double norm = 0;
    for (const double value : model.weights.front().value) norm += std::abs(value);
    const Scores scores = predict_scores(*given.data.A, model, given.request.settings.threads);
    const Fit fit = measure_fit(scores.all(), given.data.target, model.classes);
    rows.push_back({point.radius, point.penalty, &point.certificate, &point.result,
                    static_cast<Index>(model.weights.front().at.size()), norm,
                    fit.is_classification ? fit.accuracy : fit.rmse});
  }
  return rows;
}

std::string csv(const std::vector<Row>& rows, std::string_view fit) {
  std::string text =
      fmt::format("radius,multiplier,nonzeros,l1_norm,intercept,primal,dual,relative_gap,status,{}\n", fit);
  for (const Row& row : rows) {
    const Certificate& c = *row.certificate;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", row.radius, without_negative_zero(row.penalty), row.nonzeros,
                        row.norm, row.result->intercept, c.primal, without_negative_zero(c.dual), c.relative_gap,
                        to_string(row.result->status), row.fit);
  }
  return text;
}

std::string table(const std::vector<Row>& rows, std::string_view fit) {
  std::string text = fmt::format("{:>12} {:>12} {:>10} {:>14} {:>10} {:>10}\n", "radius", "multiplier", "non-zeros",
                                 "primal", "gap", fit);
  for (const Row& row : rows)
    text += fmt::format("{:>12.6g} {:>12.4g} {:>10} {:>14.8g} {:>10.2e} {:>10.6g}\n", row.radius,
                        without_negative_zero(row.penalty), row.nonzeros, row.certificate->primal,
                        row.certificate->relative_gap, row.fit);
  return text;
}

Json path_json(const std::vector<Row>& rows, std::string_view fit, double seconds, const PathData& given) {
  Json out;
  out["seconds"] = {{"load", given.load_seconds}, {"solve", seconds}};
  out["points"] = Json::array();
  for (const Row& row : rows) {
    Json point;
    point["radius"] = row.radius;
    point["multiplier"] = without_negative_zero(row.penalty);
    point["nonzeros"] = row.nonzeros;
    point["l1_norm"] = row.norm;
    point["intercept"] = row.result->intercept;
    point["status"] = to_string(row.result->status);
    point["certificate"] = to_json(*row.certificate);
    point["data_passes"] = row.result->work.data_passes;
    point[std::string(fit)] = row.fit;
    out["points"].push_back(point);
  }
  return out;
}

// The largest radius that has at most so many features.
const Row& chosen_row(const std::vector<Row>& rows, std::optional<Index> most) {
  const Row* best = nullptr;
  for (const Row& row : rows)
    if ((!most || row.nonzeros <= *most) && (best == nullptr || row.radius > best->radius)) best = &row;
  if (best == nullptr)
    throw InputError("most_features", fmt::format("{}", *most),
                     "at least as many as the smallest radius has; a smaller --smallest may help");
  return *best;
}

std::vector<Point> points_of(const PathFlags& flags, const Problem& problem, const Settings& settings,
                             const Callback& look, const InterruptGuard& interrupt) {
  std::vector<Point> points;
  if (is_by_penalty(flags)) {
    std::vector<double> alphas = given_alphas(flags);
    if (alphas.empty()) alphas = path_alphas(problem, flags.radii.grid(), settings.threads);
    for (PenaltyPoint& point : solve_penalties(problem, alphas, settings, stops_early(flags), look))
      points.push_back({point.found.radius, point.alpha, std::move(point.found.result), point.found.certificate});
    return points;
  }
  std::vector<double> radii = flags.radii.given();
  if (radii.empty()) radii = path_radii(problem, flags.radii.grid(), settings, look);
  if (interrupt.is_requested()) throw Interrupted();
  for (PathPoint& point : solve_path(problem, radii, settings, look)) {
    const Certificate certificate = point.result.certificate;
    const double multiplier = point.result.multiplier;
    points.push_back({point.radius, multiplier, std::move(point.result), certificate});
  }
  return points;
}

int run_path(const PathFlags& flags) {
  check(flags);
  const PathData given = read_path_data(flags.data, flags.fields, flags.weights, flags.features);
  const Formulation& formulation = given.request.formulation;
  const Prepared prepared = prepare(given.data, flags.data.name(), formulation);
  const InterruptGuard interrupt;
  std::vector<Point> path;
  const Stopwatch watch;
  {
    ProgressLine line(flags.shows_progress());
    const Callback look = [&](const Progress& progress) {
      line.show(progress);
      return !interrupt.is_requested();
    };
    path = points_of(flags, prepared.problem, given.request.settings, look, interrupt);
  }
  const double seconds = watch.seconds();
  const std::string_view fit = prepared.labels ? "accuracy" : "rmse";
  const std::vector<Row> rows = rows_of(path, prepared, given);
  if (!flags.model.empty()) {
    const Row& chosen = chosen_row(rows, flags.most_features);
    Formulation at = formulation;
    at.radius = chosen.radius;
    OutputFile file(flags.model);
    write_model_to(file, make_model(prepared, at, *chosen.result, true), format_by_name(flags.model));
    file.commit();
  }
  if (!flags.out.empty()) {
    OutputFile file(flags.out);
    file.write(csv(rows, fit));
    file.commit();
  }
  if (flags.is_json)
    print_json(path_json(rows, fit, seconds, given));
  else if (!flags.is_quiet)
    print(table(rows, fit) + fmt::format("{} points, {:.3g} s\n", rows.size(), seconds));
  for (const Row& row : rows)
    if (row.result->status != Status::converged) return kStopped;
  return kSuccess;
}

}  // namespace

Command add_path(CLI::App& tool) {
  CLI::App* parser =
      tool.add_subcommand("path", "Solve for many radii, each from where the last one ended, each certified");
  const auto flags = std::make_shared<PathFlags>();
  flags->data.add(*parser);
  parser->add_option("OUT", flags->out, "Where the table goes, as CSV")->type_name("");
  flags->fields.add_all(*parser);
  flags->weights.add(*parser);
  flags->features.add(*parser);
  flags->radii.add(*parser);
  constexpr const char* kGroup = "Penalties instead of radii";
  parser
      ->add_option("--by", flags->by,
                   "What is varied; alpha: --points penalties from the data, from the one that allows no feature\n"
                   "down to --smallest of it. (radius | alpha; default radius)")
      ->type_name("NAME")
      ->group(kGroup);
  parser->add_option("--alphas", flags->alphas, "These penalties, separated by commas")
      ->type_name("LIST")
      ->group(kGroup);
  parser
      ->add_option("--early-stop", flags->early_stop,
                   "End where smaller penalties no longer lower the loss. (yes | no; default yes)")
      ->type_name("NAME")
      ->group(kGroup);
  parser->add_option("--model", flags->model, "Write the model of the largest radius, see --most-features")
      ->type_name("FILE");
  parser
      ->add_option_function<std::string>(
          "--most-features",
          [flags](const std::string& text) {
            flags->most_features = parse_count("most_features", text, "an integer >= 0");
          },
          "For --model: of the largest radius whose model has at most so many features")
      ->type_name("COUNT");
  flags->add_json(*parser, "Print one JSON object instead of the table");
  flags->add_quiet(*parser);
  parser->footer(
      "The multiplier is the penalty on the norm that has the same solution: the radius said the other way.\n"
      "Exit code: 0 if all converged, 2 if some did not, 1 error.\n\n"
      "Example:\n"
      "  pdbfw path news20.binary.xz path.csv --ridge 10/n --points 100\n"
      "  pdbfw path news20.binary.xz --model small.model --most-features 50");
  return {parser, [flags] { return run_path(*flags); }};
}

}  // namespace pdbfw::cli
