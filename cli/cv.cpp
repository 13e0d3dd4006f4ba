// pdbfw cv DATA [MODEL]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "cli/radii_flags.hpp"
#include "cli/report.hpp"
#include "cli/watching.hpp"
#include "io/data/read_options.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw::cli {
namespace {

struct CvFlags : PathProblemFlags {
  std::string model, groups, score = "auto", rule = "best", folds = "5";
};

enum class Rule { best, one_standard_error };

Rule rule_of(const CvFlags& flags) {
  return chosen("rule", flags.rule, {"best", "one_standard_error"}) == 0 ? Rule::best : Rule::one_standard_error;
}

void check(const CvFlags& flags) {
  flags.radii.check(flags.fields);
  (void)rule_of(flags);
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

struct Report {
  const CrossValidation& cv;
  std::size_t chosen;
  std::string_view word;              // radius | alpha
  const std::vector<double>& values;  // of which
  const Fitted& fitted;               // on all rows
  double seconds;
};

// Of the penalised problem, where that was asked for.
const Certificate& certificate_of(const Fitted& fitted) {
  return fitted.penalty ? fitted.penalty->certificate : fitted.model.certificates.front();
}

std::string table(const Report& report) {
  const CrossValidation& cv = report.cv;
  std::string text = fmt::format("{:>12} {:>12} {:>12}\n", report.word, cv.score, "+-");
  for (std::size_t r = 0; r < report.values.size(); ++r)
    text += fmt::format("{:>12.6g} {:>12.6g} {:>12.2g}{}{}\n", report.values[r], cv.mean[r], cv.standard_error[r],
                        r == cv.best ? "  best" : "", r == cv.one_standard_error ? "  within one standard error" : "");
  return text +
         aligned({{"folds", fmt::format("{}; every {} of every fold certified to {:.2e}", cv.of_fold.size(),
                                        report.word, cv.largest_relative_gap)},
                  {std::string(report.word), fmt::format("{:.6g}, fitted on all rows", report.values[report.chosen])},
                  {"status", status_text(report.fitted.outcomes.front())},
                  {"certificate", certificate_text(certificate_of(report.fitted))},
                  {"seconds", fmt::format("{:.3g}", report.seconds)}});
}

Json report_json(const Report& report) {
  const CrossValidation& cv = report.cv;
  Json out;
  out["score"] = cv.score;
  out[report.word == "alpha" ? "alphas" : "radii"] = report.values;
  out["mean"] = cv.mean;
  out["standard_error"] = cv.standard_error;
  out["of_fold"] = cv.of_fold;
  out["best"] = report.values[cv.best];
  out["one_standard_error"] = report.values[cv.one_standard_error];
  out["largest_relative_gap"] = cv.largest_relative_gap;
  out[std::string(report.word)] = report.values[report.chosen];
  out["status"] = to_string(report.fitted.model.statuses.front());
  out["certificate"] = to_json(certificate_of(report.fitted));
  out["seconds"] = report.seconds;
  return out;
}

int run_cv(const CvFlags& flags) {
  check(flags);
  const bool is_by_penalty = flags.radii.are_penalties();
  CrossValidationOptions options{.is_by_penalty = is_by_penalty,
                                 .path = flags.radii.grid(),
                                 .score = flags.score,
                                 .folds = parse_count("folds", flags.folds, "an integer, 2 .. 1,000")};
  (is_by_penalty ? options.alphas : options.radii) = flags.radii.given();
  if (!flags.groups.empty()) options.groups = groups_in(flags.groups);
  const PathData given = flags.read();
  const Settings& settings = given.request.settings;
  options.formulation = given.request.formulation;
  const InterruptGuard interrupt;
  ProgressLine line(flags.shows_progress());
  const Callback look = watching(line, interrupt);
  const Stopwatch watch;
  const CrossValidation cv = cross_validate(given.samples, options, settings, look);
  if (!cv.is_complete) throw Interrupted();
  const std::size_t choice = rule_of(flags) == Rule::best ? cv.best : cv.one_standard_error;
  Formulation formulation = options.formulation;
  FitOptions learning{.settings = settings};
  if (is_by_penalty)
    learning.alpha = cv.alphas[choice];
  else
    formulation.radius = cv.radii[choice];
  const Fitted fitted = fit(given.samples, formulation, learning, look);
  if (!flags.model.empty()) write_model(flags.model, fitted.model, format_by_name(flags.model));
  const Report report{cv,     choice,         is_by_penalty ? "alpha" : "radius", is_by_penalty ? cv.alphas : cv.radii,
                      fitted, watch.seconds()};
  flags.tell([&] { return report_json(report); }, [&] { return table(report); });
  return fitted.has_converged && cv.largest_relative_gap <= settings.tol ? kSuccess : kStopped;
}

}  // namespace

Command add_cv(CLI::App& tool) {
  CLI::App* parser =
      tool.add_subcommand("cv", "Find the radius or the penalty by cross-validation, and learn the model with it");
  const auto flags = std::make_shared<CvFlags>();
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
