#include "cli/low_rank_report.hpp"

#include <algorithm>
#include <tuple>

#include "cli/report.hpp"

namespace pdbfw::cli {
namespace {

// "102 labels, 3.2 a row", "10 classes" or "600 numbers a row".
std::string targets_text(const LabelledData& data) {
  const auto count = static_cast<Index>(data.names.size());
  if (data.has_numbers()) return counted(data.numbers.cols(), "number a row", "numbers a row");
  if (data.has_classes) return counted(count, "class", "classes");
  return fmt::format("{}, {:.3g} a row", counted(count, "label", "labels"),
                     static_cast<double>(data.labels.place.size()) / static_cast<double>(data.labels.rows()));
}

std::string rank_text(const LowRankReport& report) {
  const auto& [X, radius] = std::tie(report.result.X, report.formulation.radius);
  std::string text =
      fmt::format("{} of at most {}, trace norm {:.6g}", X.rank(), std::min(X.rows(), X.columns()), X.trace_norm());
  // Where the multiplier of the dual point is 0, its value is a lower bound for every larger radius as well.  [M6]
  if (report.result.status == Status::converged && report.result.multiplier == 0)
    text += fmt::format("; the radius {} does not bind within the gap: no larger one gains more than that", radius);
  return text;
}

}  // namespace

std::string summary(const LowRankReport& report) {
  const auto& [problem, result] = std::tie(report.problem, report.result);
  Facts facts{{"data", fmt::format("{}: {}, {}, {}, {}", report.data, counted(problem.samples(), "row", "rows"),
                                   counted(problem.d(), "feature", "features"),
                                   counted(report.labelled.A->nonzeros(), "non-zero", "non-zeros"),
                                   targets_text(report.labelled))},
              {"problem", problem_text(report.formulation, problem.ridge)},
              {"status", status_text(result)},
              {"certificate", certificate_text(result.certificate)},
              {"rank", rank_text(report)},
              {"fit", to_text(report.fit) + " on these data"},
              {"work", work_text(result)},
              {"seconds", fmt::format("load {:.3g}, solve {:.3g}", report.load_seconds, result.seconds)},
              {"model", report.model}};
  if (!report.start.empty()) facts.insert(facts.begin() + 2, {"start", report.start});
  if (report.resumed) facts.insert(facts.begin() + 2, {"resumed", to_text(*report.resumed)});
  return aligned(facts);
}

Json to_json(const LowRankReport& report) {
  const auto& [problem, result, formulation] = std::tie(report.problem, report.result, report.formulation);
  Json out;
  out["status"] = to_string(result.status);
  out["message"] = result.message;
  out["solver"] = result.solver;
  out["problem"] = {{"n", problem.samples()},
                    {"d", problem.d()},
                    {"c", problem.c()},
                    {"nonzeros", report.labelled.A->nonzeros()},
                    {"targets", kTargetNames[static_cast<std::size_t>(report.fit.targets)]},
                    {"loss", formulation.loss},
                    {"set", formulation.set},
                    {"radius", formulation.radius},
                    {"ridge", problem.ridge}};
  out["certificate"] = to_json(result.certificate);
  out["solution"] = {{"rank", result.X.rank()},
                     {"trace_norm", result.X.trace_norm()},
                     {"multiplier", without_negative_zero(result.multiplier)}};
  out["fit"] = to_json(report.fit);
  out["work"] = to_json(result.work);
  out["seconds"] = {{"load", report.load_seconds}, {"solve", result.seconds}};
  out["settings"] = settings_json(formulation, result, report.values);
  out["start"] = report.start.empty() ? Json() : Json(report.start);
  out["resumed"] = to_json(report.resumed);
  out["model"] = report.model;
  return out;
}

}  // namespace pdbfw::cli
