// pdbfw path DATA [OUT.csv] and pdbfw cv DATA [MODEL]: many radii, or penalties.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "apps/fit_rules.hpp"
#include "apps/registry.hpp"
#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "cli/report.hpp"
#include "cli/watching.hpp"
#include "io/data/read_options.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/cross_validation.hpp"

namespace pdbfw::cli {
namespace {

// The data and the formulation of a command that learns vectors, read and judged.
struct PathData {
  Samples samples;
  Request request;
  double load_seconds = 0;
};

// What both commands have: the problem, and which radii or penalties.
struct PathFlags : ReportFlags {
  DataArgument data;
  FieldFlags fields;
  ProblemFiles files;
  std::string points = "20", smallest = "0.001", radii, by = "radius", alphas;
  std::string model;

  void add(CLI::App& parser);
  // All of them throw InputError.
  [[nodiscard]] PathOptions grid() const;
  [[nodiscard]] bool are_penalties() const { return !alphas.empty() || chosen("by", by, {"radius", "alpha"}) == 1; }
  // --alphas or --radii, whichever it is about; empty: from the data.
  [[nodiscard]] std::vector<double> given() const {
    return are_penalties() ? parse_positive_list("alphas", alphas) : parse_positive_list("radii", radii);
  }
  // For contradictions among these.
  void check() const;
  // For an output that is an input too, or one of `taken`, or standard output.
  void check_output(std::string_view option, const std::string& path, std::vector<std::string> taken = {}) const;
  [[nodiscard]] PathData read() const;
};

void PathFlags::add(CLI::App& parser) {
  fields.add_all(parser);
  files.add(parser, false);
  const Flags flags(parser, "The radii");
  flags.text("--radii", "LIST", radii,
             "These, separated by commas. (default: from the data, --points of them up to --radius\n"
             "or to where a larger one changes nothing)");
  flags.text("--points", "COUNT", points, "How many; 1 .. 100,000; default 20");
  flags.text("--smallest", "NUMBER", smallest, "The smallest as a share of the largest, in (0, 1); default 0.001");
  const Flags penalties(parser, "Penalties instead of radii");
  penalties.text("--by", "NAME", by,
                 "What is varied; alpha: --points penalties from the data, from the one that allows no feature\n"
                 "down to --smallest of it. (radius | alpha; default radius)");
  penalties.text("--alphas", "LIST", alphas, "These penalties, separated by commas");
}

PathOptions PathFlags::grid() const {
  const PathOptions grid{parse_count("points", points, "an integer, 1 .. 100,000"),
                         parse_number("smallest", smallest, "a number in (0, 1)")};
  if (grid.points < 1 || grid.points > 100'000)
    throw InputError("points", fmt::format("'{}'", points), "an integer, 1 .. 100,000");
  if (!(grid.smallest > 0 && grid.smallest < 1))
    throw InputError("smallest", fmt::format("'{}'", smallest), "a number in (0, 1)");
  return grid;
}

void PathFlags::check() const {
  (void)grid();
  (void)given();
  if (are_penalties() && (!radii.empty() || fields.given("radius")))
    throw InputError("alphas", "with radii", "one of the two");
}

void PathFlags::check_output(std::string_view option, const std::string& path, std::vector<std::string> taken) const {
  for (const std::string& input : files.paths()) taken.push_back(input);
  taken.emplace_back("-");
  require_output(option, path, data, taken);
}

PathData PathFlags::read() const {
  PathData out{{}, fields.request(), 0};
  fields.require_a_say(out.request);
  if (is_low_rank(out.request.formulation) || out.request.formulation.set == kPolytope)
    throw InputError("set", fmt::format("'{}'", out.request.formulation.set),
                     "l1, simplex or nonnegative for a path of radii");
  validate(out.request.settings);
  const int threads = out.request.settings.threads;
  const ReadOptions reading = data.read_options(threads);
  const Stopwatch load;
  files.read(threads, out.request.formulation);
  Dataset rows = read_dataset(data.path(), reading);
  out.samples = {.A = std::move(rows.A), .target = std::move(rows.target), .name = data.name()};
  static_cast<void>(out.samples.A->by_column());
  out.load_seconds = load.seconds();
  return out;
}

// Of the penalised problem, where that was asked for.
const Certificate& certificate_of(const Fitted& fitted) {
  return fitted.penalty ? fitted.penalty->certificate : fitted.model.certificates.front();
}

struct PointFlags : PathFlags {
  std::string out, early_stop = "yes";
  std::optional<Index> most_features;
};

bool stops_early(const PointFlags& flags) { return chosen("early_stop", flags.early_stop, {"no", "yes"}) == 1; }

void check_path(const PointFlags& flags) {
  (void)stops_early(flags);
  flags.check();
  if (flags.most_features && flags.model.empty())
    throw InputError("most_features", fmt::format("{}", *flags.most_features), "with --model, which it is for");
  for (const auto& [option, path] : {std::pair{"OUT", flags.out}, std::pair{"model", flags.model}})
    if (!path.empty()) flags.check_output(option, path);
  if (!flags.model.empty()) require_other_file("model", flags.model, {flags.out});
}

// The points as they are told: for people, in a file, to programs.
struct Points {
  std::string table, csv;
  Json json = Json::array();
};

Points told(const std::vector<Fitted>& path) {
  const std::string fit_name = path.front().model.classes.empty() ? "rmse" : "accuracy";
  Points out;
  out.table = fmt::format("{:>12} {:>12} {:>10} {:>14} {:>10} {:>10}\n", "radius", "multiplier", "non-zeros", "primal",
                          "gap", fit_name);
  out.csv = fmt::format("radius,multiplier,nonzeros,l1_norm,intercept,primal,dual,relative_gap,status,{}\n", fit_name);
  for (const Fitted& fitted : path) {
    const SparseVector& weights = fitted.model.weights.front();
    double norm = 0;
    for (const double value : weights.value) norm += std::abs(value);
    const double radius = fitted.formulation.radius, intercept = fitted.model.intercept();
    // The penalty that was asked for, or the one that was found.
    const double multiplier =
        without_negative_zero(fitted.penalty ? fitted.penalty->alpha : fitted.outcomes.front().multiplier);
    const Certificate& c = certificate_of(fitted);
    const FitMeasures& measures = fitted.measures;
    const double fit = measures.kind == FitMeasures::Kind::classes ? measures.accuracy : measures.rmse;
    const std::string_view status = to_string(fitted.model.statuses.front());
    out.table += fmt::format("{:>12.6g} {:>12.4g} {:>10} {:>14.8g} {:>10.2e} {:>10.6g}\n", radius, multiplier,
                             weights.at.size(), c.primal, c.relative_gap, fit);
    out.csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", radius, multiplier, weights.at.size(), norm, intercept,
                           c.primal, without_negative_zero(c.dual), c.relative_gap, status, fit);
    out.json.push_back({{"radius", radius},
                        {"multiplier", multiplier},
                        {"nonzeros", weights.at.size()},
                        {"l1_norm", norm},
                        {"intercept", intercept},
                        {"status", status},
                        {"certificate", to_json(c)},
                        {"data_passes", fitted.outcomes.front().work.data_passes},
                        {fit_name, fit}});
  }
  return out;
}

int run_path(const PointFlags& flags) {
  check_path(flags);
  const PathData given = flags.read();
  const InterruptGuard interrupt;
  const Stopwatch watch;
  const PathRequest wanted{flags.are_penalties(), flags.given(), flags.grid(), stops_early(flags)};
  const std::vector<Fitted> path = watched(flags.shows_progress(), interrupt, [&](const Callback& look) {
    return fit_path(given.samples, given.request.formulation, wanted, given.request.settings, look);
  });
  if (path.empty()) throw Interrupted();
  const double seconds = watch.seconds();
  const Points points = told(path);
  if (!flags.model.empty())
    write_model(flags.model, largest_radius_of(path, flags.most_features).model, format_by_name(flags.model));
  if (!flags.out.empty()) write_text_file(flags.out, points.csv);
  flags.tell({{"seconds", {{"load", given.load_seconds}, {"solve", seconds}}}, {"points", points.json}},
             points.table + fmt::format("{} points, {:.3g} s\n", path.size(), seconds));
  return std::all_of(path.begin(), path.end(), [](const Fitted& fitted) { return fitted.has_converged; }) ? kSuccess
                                                                                                          : kStopped;
}

struct CvFlags : PathFlags {
  std::string groups, score = "auto", rule = "best", folds = "5";
};

bool takes_best(const CvFlags& flags) { return chosen("rule", flags.rule, {"best", "one_standard_error"}) == 0; }

void check_cv(const CvFlags& flags) {
  flags.check();
  (void)takes_best(flags);
  if (flags.groups == "-") throw InputError("groups", "'-'", "a file; only DATA may be standard input");
  if (flags.model.empty()) return;
  flags.check_output("MODEL", flags.model, {flags.groups});
}

std::vector<Index> groups_in(const std::string& path) {
  std::map<double, Index> place;
  std::vector<Index> groups;
  for (const double group : read_labels(path))
    groups.push_back(place.emplace(group, static_cast<Index>(place.size())).first->second);
  return groups;
}

// `fitted` is the model of all rows.
void tell(const CvFlags& flags, const CrossValidation& cv, std::size_t choice, const Fitted& fitted, double seconds) {
  const bool is_by_penalty = !cv.alphas.empty();
  const std::string word = is_by_penalty ? "alpha" : "radius";
  const std::vector<double>& values = is_by_penalty ? cv.alphas : cv.radii;
  std::string table = fmt::format("{:>12} {:>12} {:>12}\n", word, cv.score, "+-");
  for (std::size_t r = 0; r < values.size(); ++r)
    table += fmt::format("{:>12.6g} {:>12.6g} {:>12.2g}{}{}\n", values[r], cv.mean[r], cv.standard_error[r],
                         r == cv.best ? "  best" : "", r == cv.one_standard_error ? "  within one standard error" : "");
  const Facts facts{{"folds", fmt::format("{}; every {} of every fold certified to {:.2e}", cv.of_fold.size(), word,
                                          cv.largest_relative_gap)},
                    {word, fmt::format("{:.6g}, fitted on all rows", values[choice])},
                    {"status", status_text(fitted.outcomes.front())},
                    {"certificate", certificate_text(certificate_of(fitted))},
                    {"seconds", fmt::format("{:.3g}", seconds)}};
  flags.tell({{"score", cv.score},
              {is_by_penalty ? "alphas" : "radii", values},
              {"mean", cv.mean},
              {"standard_error", cv.standard_error},
              {"of_fold", cv.of_fold},
              {"best", values[cv.best]},
              {"one_standard_error", values[cv.one_standard_error]},
              {"largest_relative_gap", cv.largest_relative_gap},
              {word, values[choice]},
              {"status", to_string(fitted.model.statuses.front())},
              {"certificate", to_json(certificate_of(fitted))},
              {"seconds", seconds}},
             table + aligned(facts));
}

int run_cv(const CvFlags& flags) {
  check_cv(flags);
  const bool is_by_penalty = flags.are_penalties();
  CrossValidationOptions options{.is_by_penalty = is_by_penalty,
                                 .path = flags.grid(),
                                 .score = flags.score,
                                 .folds = parse_count("folds", flags.folds, "an integer, 2 .. 1,000")};
  (is_by_penalty ? options.alphas : options.radii) = flags.given();
  if (!flags.groups.empty()) options.groups = groups_in(flags.groups);
  const PathData given = flags.read();
  const Settings& settings = given.request.settings;
  options.formulation = given.request.formulation;
  const InterruptGuard interrupt;
  const Callback look = watching(flags.shows_progress(), interrupt);
  const Stopwatch watch;
  const CrossValidation cv = cross_validate(given.samples, options, settings, look);
  if (!cv.is_complete) throw Interrupted();
  const std::size_t choice = takes_best(flags) ? cv.best : cv.one_standard_error;
  Formulation formulation = options.formulation;
  FitOptions learning{.settings = settings};
  if (is_by_penalty)
    learning.alpha = cv.alphas[choice];
  else
    formulation.radius = cv.radii[choice];
  const Fitted fitted = fit(given.samples, formulation, learning, look);
  if (!flags.model.empty()) write_model(flags.model, fitted.model, format_by_name(flags.model));
  tell(flags, cv, choice, fitted, watch.seconds());
  return fitted.has_converged && cv.largest_relative_gap <= settings.tol ? kSuccess : kStopped;
}

}  // namespace

Command add_path(CLI::App& tool) {
  const auto [parser, flags] =
      new_command<PointFlags>(tool, "path", "Solve for many radii, each from where the last one ended, each certified");
  flags->data.add(*parser);
  const Flags add(*parser), penalties(*parser, "Penalties instead of radii");
  add.optional_argument("OUT", flags->out, "Where the table goes, as CSV");
  flags->add(*parser);
  penalties.text("--early-stop", "NAME", flags->early_stop,
                 "End where smaller penalties no longer lower the loss. (yes | no; default yes)");
  add.text("--model", "FILE", flags->model, "Write the model of the largest radius, see --most-features");
  add.number("most_features", flags->most_features, "an integer >= 0",
             "For --model: of the largest radius whose model has at most so many features", "COUNT");
  flags->add_report(*parser, "Print one JSON object instead of the table");
  return command_of(
      parser, flags, run_path,
      "The multiplier is the penalty on the norm that has the same solution: the radius said the other way.\n"
      "Exit code: 0 if all converged, 2 if some did not, 1 error.\n\n"
      "Example:\n"
      "  pdbfw path news20.binary.xz path.csv --ridge 10/n --points 100\n"
      "  pdbfw path news20.binary.xz --model small.model --most-features 50");
}

Command add_cv(CLI::App& tool) {
  const auto [parser, flags] = new_command<CvFlags>(
      tool, "cv", "Find the radius or the penalty by cross-validation, and learn the model with it");
  flags->data.add(*parser);
  Flags(*parser).optional_argument("MODEL", flags->model, "Where the model of all rows goes; none: no file");
  flags->add(*parser);
  const Flags folds(*parser, "The folds");
  folds.text("--folds", "COUNT", flags->folds, "How many, 2 .. 1,000; default 5. Every label has its share in each");
  folds.text("--groups", "FILE", flags->groups,
             "Rows of one group stay together: a number a line, a .npy array or an idx file");
  folds.text("--score", "NAME", flags->score,
             fmt::format("What is compared; auto: accuracy, or rmse of numbers.\n(auto | {}; default auto)",
                         fmt::join(score_names(), " | ")));
  folds.text("--rule", "NAME", flags->rule,
             "The best one, or the sparsest one whose score is within one standard error of it.\n"
             "(best | one_standard_error; default best)");
  flags->add_report(*parser, "Print one JSON object instead of the table");
  return command_of(parser, flags, run_cv,
                    "Folds share the data in memory; --seed deals them out.\n"
                    "Exit code: 0 if everything converged, 2 if not, 1 error.\n\n"
                    "Example:\n"
                    "  pdbfw cv news20.binary.xz news20.model --ridge 10/n --rule one_standard_error\n"
                    "  pdbfw cv news20.binary.xz news20.model --ridge 0 --by alpha --points 50");
}

}  // namespace pdbfw::cli
