// pdbfw path DATA [OUT.csv]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "apps/fit_rules.hpp"
#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "cli/radii_flags.hpp"
#include "cli/report.hpp"
#include "cli/watching.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw::cli {
namespace {

struct PathFlags : PathProblemFlags {
  std::string out, model, early_stop = "yes";
  std::optional<Index> most_features;
};

bool stops_early(const PathFlags& flags) { return chosen("early_stop", flags.early_stop, {"no", "yes"}) == 1; }

void check(const PathFlags& flags) {
  (void)stops_early(flags);
  flags.radii.check(flags.fields);
  if (flags.most_features && flags.model.empty())
    throw InputError("most_features", fmt::format("{}", *flags.most_features), "with --model, which it is for");
  for (const auto& [option, path] : {std::pair{"OUT", flags.out}, std::pair{"model", flags.model}}) {
    if (path.empty()) continue;
    flags.check_output(option, path);
  }
  if (!flags.model.empty()) require_other_file("model", flags.model, {flags.out});
}

// One point as it is told.
struct Row {
  double radius, penalty;          // the penalty that was asked for, or the multiplier that was found
  const Certificate& certificate;  // of the penalised problem where that was asked for
  Index nonzeros;
  double norm, fit;
  const Fitted& fitted;
};

Row row_of(const Fitted& fitted) {
  const SparseVector& weights = fitted.model.weights.front();
  double norm = 0;
  for (const double value : weights.value) norm += std::abs(value);
  const FitMeasures& measures = fitted.measures;
  return {fitted.formulation.radius,
          without_negative_zero(fitted.penalty ? fitted.penalty->alpha : fitted.outcomes.front().multiplier),
          fitted.penalty ? fitted.penalty->certificate : fitted.model.certificates.front(),
          static_cast<Index>(weights.at.size()),
          norm,
          measures.kind == FitMeasures::Kind::classes ? measures.accuracy : measures.rmse,
          fitted};
}

std::string csv(const std::vector<Row>& rows, std::string_view fit) {
  std::string text =
      fmt::format("radius,multiplier,nonzeros,l1_norm,intercept,primal,dual,relative_gap,status,{}\n", fit);
  for (const Row& row : rows) {
    const Certificate& c = row.certificate;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", row.radius, row.penalty, row.nonzeros, row.norm,
                        row.fitted.model.intercept(), c.primal, without_negative_zero(c.dual), c.relative_gap,
                        to_string(row.fitted.model.statuses.front()), row.fit);
  }
  return text;
}

std::string table(const std::vector<Row>& rows, std::string_view fit) {
  std::string text = fmt::format("{:>12} {:>12} {:>10} {:>14} {:>10} {:>10}\n", "radius", "multiplier", "non-zeros",
                                 "primal", "gap", fit);
  for (const Row& row : rows)
    text += fmt::format("{:>12.6g} {:>12.4g} {:>10} {:>14.8g} {:>10.2e} {:>10.6g}\n", row.radius, row.penalty,
                        row.nonzeros, row.certificate.primal, row.certificate.relative_gap, row.fit);
  return text;
}

Json path_json(const std::vector<Row>& rows, std::string_view fit, double seconds, const PathData& given) {
  Json out;
  out["seconds"] = {{"load", given.load_seconds}, {"solve", seconds}};
  out["points"] = Json::array();
  for (const Row& row : rows)
    out["points"].push_back({{"radius", row.radius},
                             {"multiplier", row.penalty},
                             {"nonzeros", row.nonzeros},
                             {"l1_norm", row.norm},
                             {"intercept", row.fitted.model.intercept()},
                             {"status", to_string(row.fitted.model.statuses.front())},
                             {"certificate", to_json(row.certificate)},
                             {"data_passes", row.fitted.outcomes.front().work.data_passes},
                             {std::string(fit), row.fit}});
  return out;
}

int run_path(const PathFlags& flags) {
  check(flags);
  const PathData given = flags.read();
  const InterruptGuard interrupt;
  const Stopwatch watch;
  const PathRequest wanted{flags.radii.are_penalties(), flags.radii.given(), flags.radii.grid(), stops_early(flags)};
  const std::vector<Fitted> path = watched(flags.shows_progress(), interrupt, [&](const Callback& look) {
    return fit_path(given.samples, given.request.formulation, wanted, given.request.settings, look);
  });
  if (path.empty()) throw Interrupted();
  const double seconds = watch.seconds();
  const std::string_view fit = path.front().model.classes.empty() ? "rmse" : "accuracy";
  std::vector<Row> rows;
  for (const Fitted& fitted : path) rows.push_back(row_of(fitted));
  if (!flags.model.empty())
    write_model(flags.model, largest_radius_of(path, flags.most_features).model, format_by_name(flags.model));
  if (!flags.out.empty()) write_text_file(flags.out, csv(rows, fit));
  flags.tell([&] { return path_json(rows, fit, seconds, given); },
             [&] { return table(rows, fit) + fmt::format("{} points, {:.3g} s\n", rows.size(), seconds); });
  return std::all_of(path.begin(), path.end(), [](const Fitted& fitted) { return fitted.has_converged; }) ? kSuccess
                                                                                                          : kStopped;
}

}  // namespace

Command add_path(CLI::App& tool) {
  CLI::App* parser =
      tool.add_subcommand("path", "Solve for many radii, each from where the last one ended, each certified");
  const auto flags = std::make_shared<PathFlags>();
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

}  // namespace pdbfw::cli
