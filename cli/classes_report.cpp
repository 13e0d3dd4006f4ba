#include "cli/classes_report.hpp"

#include <algorithm>
#include <cmath>

namespace pdbfw::cli {
namespace {

struct Norms {
  Index nonzeros = 0;
  double l1 = 0, largest_column = 0;  // |X|_1, and the largest |X_k|_1
};

Norms norms(const Model& model) {
  Norms out;
  for (const SparseVector& column : model.weights) {
    double norm = 0;
    for (const double value : column.value) norm += std::abs(value);
    out.nonzeros += static_cast<Index>(column.at.size());
    out.l1 += norm;
    out.largest_column = std::max(out.largest_column, norm);
  }
  return out;
}

bool is_joint(const ClassesReport& report) { return report.learnt.kind == ModelKind::joint; }

// The first that did not converge, or the first.
const Outcome& overall(const ClassesReport& report) {
  for (const Outcome* outcome : report.outcomes)
    if (outcome->status != Status::converged) return *outcome;
  return *report.outcomes.front();
}

std::string status_line(const ClassesReport& report) {
  if (is_joint(report)) return status_text(*report.outcomes.front());
  const auto done = std::count_if(report.outcomes.begin(), report.outcomes.end(),
                                  [](const Outcome* outcome) { return outcome->status == Status::converged; });
  const auto all = static_cast<std::ptrdiff_t>(report.outcomes.size());
  if (done == all) return fmt::format("converged: all {} classes", all);
  return fmt::format("{}: {} of {} classes converged", to_string(overall(report).status), done, all);
}

std::string certificate_line(const ClassesReport& report) {
  const Model& model = report.learnt;
  const std::size_t at = worst(model.certificates);
  const std::string text = certificate_text(model.certificates[at]);
  return is_joint(report) ? text : fmt::format("worst of all, class {}: {}", model.classes[at], text);
}

Work total_work(const ClassesReport& report) {
  Work work;
  for (const Outcome* outcome : report.outcomes) {
    work.iterations += outcome->work.iterations;
    work.oracle_calls += outcome->work.oracle_calls;
    work.multiply_adds += outcome->work.multiply_adds;
    work.data_passes += outcome->work.data_passes;
  }
  return work;
}

double total_seconds(const ClassesReport& report) {
  double seconds = 0;
  for (const Outcome* outcome : report.outcomes) seconds += outcome->seconds;
  return seconds;
}

Json class_json(const ClassesReport& report, std::size_t k) {
  const Model& model = report.learnt;
  Json out{{"class", model.classes[k]}, {"nonzeros", model.weights[k].at.size()}, {"intercept", model.intercepts[k]}};
  if (is_joint(report)) return out;
  out["status"] = to_string(report.outcomes[k]->status);
  out["certificate"] = to_json(model.certificates[k]);
  return out;
}

}  // namespace

std::size_t worst(const std::vector<Certificate>& certificates) {
  const auto at = std::max_element(certificates.begin(), certificates.end(),
                                   [](const auto& a, const auto& b) { return a.relative_gap < b.relative_gap; });
  return static_cast<std::size_t>(at - certificates.begin());
}

std::string summary(const ClassesReport& report) {
  const Model& model = report.learnt;
  const Norms size = norms(model);
  const Work work = total_work(report);
  Facts facts{{"data", fmt::format("{}: {}, {}, {}, {}", report.data, counted(model.samples, "row", "rows"),
                                   counted(model.features(), "feature", "features"),
                                   counted(report.nonzeros, "non-zero", "non-zeros"),
                                   counted(static_cast<Index>(model.classes.size()), "class", "classes"))},
              {"problem", fmt::format("{}, {}",
                                      problem_text(report.formulation,
                                                   report.formulation.ridge.weight(static_cast<double>(model.samples))),
                                      is_joint(report) ? "all classes jointly" : "one class against the rest")},
              {"status", status_line(report)},
              {"certificate", certificate_line(report)},
              {"non-zeros",
               fmt::format("{} of {}, l1 norm {:.6g}, of one class at most {:.6g}", size.nonzeros,
                           model.features() * static_cast<Index>(model.classes.size()), size.l1, size.largest_column)},
              {"fit", to_text(report.fit) + " on these data"},
              {"work", fmt::format("{}, {:.4g} data passes", counted(work.iterations, "iteration", "iterations"),
                                   work.data_passes)},
              {"seconds", fmt::format("load {:.3g}, solve {:.3g}", report.load_seconds, total_seconds(report))},
              {"model", report.model}};
  if (!report.start.empty()) facts.insert(facts.begin() + 2, {"start", report.start});
  if (report.team) facts.insert(facts.end() - 1, {"processes", team_text(*report.team, work.iterations)});
  return aligned(facts);
}

Json to_json(const ClassesReport& report) {
  const Model& model = report.learnt;
  const Formulation& f = report.formulation;
  const Norms size = norms(model);
  Json out;
  out["status"] = to_string(overall(report).status);
  out["message"] = overall(report).message;
  out["solver"] = report.outcomes.front()->solver;
  out["problem"] = {{"n", model.samples},
                    {"d", model.features()},
                    {"c", model.classes.size()},
                    {"nonzeros", report.nonzeros},
                    {"strategy", to_string(model.kind)},
                    {"loss", f.loss},
                    {"set", f.set},
                    {"radius", f.radius},
                    {"ridge", f.ridge.weight(static_cast<double>(model.samples))}};
  out["certificate"] = to_json(model.certificates[worst(model.certificates)]);
  out["solution"] = {
      {"nonzeros", size.nonzeros}, {"l1_norm", size.l1}, {"largest_l1_norm_of_a_class", size.largest_column}};
  for (std::size_t k = 0; k < model.classes.size(); ++k) out["classes"].push_back(class_json(report, k));
  out["fit"] = to_json(report.fit);
  out["work"] = to_json(total_work(report));
  out["seconds"] = {{"load", report.load_seconds}, {"solve", total_seconds(report)}};
  out["settings"] = settings_json(f, *report.outcomes.front(), report.values);
  out["start"] = report.start.empty() ? Json() : Json(report.start);
  if (report.team) out["team"] = to_json(*report.team);
  out["model"] = report.model;
  return out;
}

}  // namespace pdbfw::cli
