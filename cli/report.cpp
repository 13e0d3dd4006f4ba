#include "cli/report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "cli/memory_argument.hpp"
#include "cli/options.hpp"

namespace pdbfw::cli {
namespace {

struct Norms {
  Index nonzeros = 0;
  double l1 = 0;
};

Norms norms(const std::vector<double>& x) {
  Norms out;
  for (const double value : x) {
    if (value != 0) ++out.nonzeros;
    out.l1 += std::abs(value);
  }
  return out;
}

// A small norm alone says little: weights on their way to the boundary have one too. But where the multiplier of the
// radius is 0 at the dual point, its value is a lower bound for every larger radius as well.  [M6]
bool proof_ignores_radius(const Problem& problem, const std::vector<double>& y) {
  if (!problem.set->has_dead_zone()) return false;
  std::vector<double> u(static_cast<std::size_t>(problem.d()));
  multiply_transposed(*problem.A, y, u);
  for (double& u_j : u) u_j /= -static_cast<double>(problem.n());
  return problem.set->dead_zone(u, problem.regulariser->curvatures()).multiplier == 0;
}

template <class Number>
bool parse_into(std::string_view text, Json& out) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  out = value;  // an infinite number becomes null when it is written
  return true;
}

// Whether the field had a say in this run.
bool applies(const Field& field, const Formulation& formulation, const Outcome& outcome) {
  if (field.group == FieldGroup::research) {
    const std::vector<std::string_view> readers = readers_of(field, formulation.set);
    return std::find(readers.begin(), readers.end(), outcome.settings.solver) != readers.end();
  }
  if (!reads(formulation.loss, field)) return false;
  if (field.name == "intercept" || field.name == "class_weight" || field.name == "standardise")
    return !is_low_rank(formulation);
  return true;
}

// Numbers as numbers, names as strings; null for what is unlimited, left open or without a say.
Json field_value(const Field& field, const Request& request) {
  const std::string text = field.text(request);
  Json value;
  if (field.group == FieldGroup::research && text == "auto") return value;
  if (parse_into<std::uint64_t>(text, value) || parse_into<double>(text, value)) return value;
  return text;
}

}  // namespace

double without_negative_zero(double value) { return value == 0 ? 0 : value; }

Json to_json(const Certificate& certificate) {
  return {{"primal", without_negative_zero(certificate.primal)},
          {"dual", without_negative_zero(certificate.dual)},
          {"gap", without_negative_zero(certificate.gap)},
          {"relative_gap", without_negative_zero(certificate.relative_gap)},
          {"violation", without_negative_zero(certificate.violation)}};
}

Json to_json(const Work& work) {
  return {{"iterations", work.iterations},
          {"data_passes", work.data_passes},
          {"oracle_calls", work.oracle_calls},
          {"multiply_adds", work.multiply_adds}};
}

Json settings_json(const Formulation& formulation, const Outcome& outcome, const std::string& values) {
  const Request in_force{formulation, outcome.settings};
  Json settings = Json::object();
  for (const Field& field : fields()) {
    const bool has_say = applies(field, formulation, outcome);
    settings[std::string(field.name)] = has_say ? field_value(field, in_force) : Json();
  }
  settings["values"] = values;
  return settings;
}

Json to_json(const TeamReport& team) {
  return {{"processes", team.processes},
          {"exchanges", team.traffic.calls},
          {"long_exchanges", team.traffic.long_calls},
          {"bytes_sent", team.traffic.bytes},
          {"seconds_exchanging", team.traffic.seconds}};
}

Json to_json(const TrainReport& report) {
  const auto& [problem, result, formulation] = std::tie(report.problem, report.result, report.formulation);
  const Norms size = norms(result.x);
  Json out;
  out["status"] = to_string(result.status);
  out["message"] = result.message;
  out["solver"] = result.solver;
  out["problem"] = {{"n", problem.samples()},
                    {"d", problem.features()},
                    {"nonzeros", report.nonzeros},
                    {"loss", formulation.loss},
                    {"set", formulation.set},
                    {"radius", formulation.radius},
                    {"ridge", problem.regulariser->smoothness()}};
  out["certificate"] = to_json(result.certificate);
  if (report.penalty)
    out["penalised"] = {{"alpha", report.penalty->alpha}, {"certificate", to_json(report.penalty->certificate)}};
  out["solution"] = {
      {"nonzeros", size.nonzeros}, {"l1_norm", size.l1}, {"multiplier", without_negative_zero(result.multiplier)}};
  if (formulation.intercept) out["solution"]["intercept"] = result.intercept;
  if (!problem.free_features.empty()) out["solution"]["free_features"] = problem.free_features.size();
  out["fit"] = to_json(report.fit);
  out["work"] = to_json(result.work);
  out["seconds"] = {{"load", report.load_seconds}, {"solve", result.seconds}, {"pass_pair", report.pass_pair_seconds}};
  out["settings"] = settings_json(formulation, result, report.values);
  const RowSource* const source = problem.A->source();
  out["streamed"] = source != nullptr ? to_json(source->traffic()) : Json();
  out["start"] = report.start.empty() ? Json() : Json(report.start);
  out["resumed"] = to_json(report.resumed);
  if (report.team) out["team"] = to_json(*report.team);
  out["model"] = report.model;
  return out;
}

std::string problem_text(const Formulation& f, double ridge) {
  std::string text = fmt::format("loss {}, set {} of radius {}, ridge {:.6g}", f.loss, f.set, f.radius, ridge);
  if (f.ridge.per_sample) text += fmt::format(" ({})", to_string(f.ridge));
  if (f.intercept) text += ", an intercept";
  if (f.standardise) text += ", standardised features";
  if (!f.penalty_weight.empty()) text += ", weights of features";
  if (!f.class_weight.is_none()) text += fmt::format(", class weights {}", to_string(f.class_weight));
  if (!f.sample_weight.empty()) text += ", sample weights";
  return text;
}

std::string certificate_text(const Certificate& certificate) {
  return fmt::format("primal {:.10g}, dual {:.10g}, relative gap {}, violation {:.2g}",
                     without_negative_zero(certificate.primal), without_negative_zero(certificate.dual),
                     text_of_gap(certificate.relative_gap), without_negative_zero(certificate.violation));
}

std::string status_text(const Outcome& outcome) {
  const std::string_view status = to_string(outcome.status);
  if (outcome.message.starts_with(status)) return outcome.message;  // "interrupted: relative gap ..."
  return fmt::format("{}: {}", status, outcome.message);
}

std::string work_text(const Outcome& outcome) {
  return fmt::format("{}, {:.4g} data passes (solver {})", counted(outcome.work.iterations, "iteration", "iterations"),
                     outcome.work.data_passes, outcome.solver);
}

std::string solution_text(const TrainReport& report) {
  const Norms size = norms(report.result.x);
  std::string text = fmt::format("{} of {} features, l1 norm {:.6g}", size.nonzeros, report.result.x.size(), size.l1);
  constexpr double kInside = 1 - 1e-6;
  if (report.formulation.set != "simplex" && report.problem.set->has_dead_zone() &&
      report.result.status == Status::converged && !report.team && size.l1 < kInside * report.formulation.radius &&
      proof_ignores_radius(report.problem, report.result.y))
    text += fmt::format("; the radius {} does not bind within the gap: no larger one gains more than that",
                        report.formulation.radius);
  if (!report.problem.free_features.empty())
    text += fmt::format("; besides {}", counted(static_cast<Index>(report.problem.free_features.size()), "free feature",
                                                "free features"));
  if (report.formulation.intercept) text += fmt::format("; intercept {:.6g}", report.result.intercept);
  return text;
}

std::string seconds_text(const TrainReport& report) {
  if (report.pass_pair_seconds == 0)  // of streamed data it would take as long as two passes of the solver
    return fmt::format("load {:.3g}, solve {:.3g}", report.load_seconds, report.result.seconds);
  return fmt::format("load {:.3g}, solve {:.3g}, pass pair {:.3g}; the solve took {:.3g} pass pairs",
                     report.load_seconds, report.result.seconds, report.pass_pair_seconds,
                     report.result.seconds / report.pass_pair_seconds);
}

std::string team_text(const TeamReport& team, Index iterations) {
  return fmt::format("{}; {:.3g} bytes sent by each in {} exchanges, {:.3g} an iteration; {:.3g} s of exchanging",
                     team.processes, team.traffic.bytes, team.traffic.calls,
                     team.traffic.bytes / static_cast<double>(std::max<Index>(1, iterations)), team.traffic.seconds);
}

std::string summary(const TrainReport& report) {
  const auto& [problem, result] = std::tie(report.problem, report.result);
  Facts facts{{"data", fmt::format("{}: {}, {}, {}", report.data, counted(problem.samples(), "row", "rows"),
                                   counted(problem.features(), "feature", "features"),
                                   counted(report.nonzeros, "non-zero", "non-zeros"))},
              {"problem", problem_text(report.formulation, problem.regulariser->smoothness())},
              {"status", status_text(result)},
              {"certificate", certificate_text(result.certificate)},
              {"non-zeros", solution_text(report)},
              {report.fit.is_classification ? "accuracy" : "fit", to_text(report.fit) + " on these data"},
              {"work", work_text(result)},
              {"seconds", seconds_text(report)},
              {"model", report.model}};
  if (report.penalty)
    facts.insert(facts.begin() + 4, {"penalised", fmt::format("alpha {:.6g}: {}", report.penalty->alpha,
                                                              certificate_text(report.penalty->certificate))});
  if (const RowSource* const source = problem.A->source(); source != nullptr)
    facts.insert(facts.end() - 1, {"streamed", to_text(source->traffic())});
  if (!report.start.empty()) facts.insert(facts.begin() + 2, {"start", report.start});
  if (report.resumed) facts.insert(facts.begin() + 2, {"resumed", to_text(*report.resumed)});
  if (report.team) facts.insert(facts.end() - 1, {"processes", team_text(*report.team, result.work.iterations)});
  return aligned(facts);
}

std::string trace_csv(const Outcome& outcome) {
  std::string csv = "iteration,seconds,data_passes,multiply_adds,primal,dual,gap,relative_gap,nonzeros,is_certified\n";
  for (const TracePoint& p : outcome.trace)
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", p.iteration, p.seconds, p.data_passes, p.multiply_adds,
                       p.primal, p.dual, p.gap, p.relative_gap, p.nonzeros, p.is_certified ? 1 : 0);
  return csv;
}

}  // namespace pdbfw::cli
