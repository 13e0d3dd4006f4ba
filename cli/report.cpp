#include "cli/report.hpp"

#include <algorithm>

#include "apps/fit_rules.hpp"
#include "base/numbers.hpp"
#include "cli/options.hpp"
#include "core/verdict.hpp"

namespace pdbfw::cli {
namespace {

bool has_classes(const Fitted& fitted) {
  return fitted.model.kind == ModelKind::one_vs_rest || fitted.model.kind == ModelKind::joint;
}

bool is_matrix(const Fitted& fitted) { return fitted.model.kind == ModelKind::matrix; }

// All solves as one: the status and the message of the first that did not converge, or of the first; work
// and seconds in all.
Outcome overall(const Fitted& fitted) {
  const auto stopped = std::find_if(fitted.outcomes.begin(), fitted.outcomes.end(),
                                    [](const Outcome& outcome) { return outcome.status != Status::converged; });
  Outcome all = stopped == fitted.outcomes.end() ? fitted.outcomes.front() : *stopped;
  all.solver = fitted.outcomes.front().solver;
  all.work = {};
  all.seconds = 0;
  for (const Outcome& outcome : fitted.outcomes) {
    all.work.iterations += outcome.work.iterations;
    all.work.oracle_calls += outcome.work.oracle_calls;
    all.work.multiply_adds += outcome.work.multiply_adds;
    all.work.data_passes += outcome.work.data_passes;
    all.seconds += outcome.seconds;
  }
  return all;
}

// Whether the field had a say in this run.
bool applies(const Field& field, const Formulation& formulation, const Outcome& outcome) {
  if (field.group == Field::Group::research) {
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
  if (field.group == Field::Group::research && text == "auto") return {};
  if (const auto whole = number_from<std::uint64_t>(text)) return *whole;
  if (const auto number = number_from<double>(text)) return *number;  // an infinite one is written as null
  return text;
}

// What was in force; null for what had no effect.
Json settings_json(const TrainReport& report) {
  const Formulation& formulation = report.fitted.formulation;
  const Outcome& outcome = report.fitted.outcomes.front();
  const Request in_force{formulation, outcome.settings};
  Json settings = Json::object();
  for (const Field& field : fields()) {
    const bool has_say = applies(field, formulation, outcome);
    settings[std::string(field.name)] = has_say ? field_value(field, in_force) : Json();
  }
  settings["values"] = report.values;
  return settings;
}

// "4; 2e+05 bytes sent by each in 120 exchanges, ..."
std::string team_text(const Samples& samples, const Team::Traffic& traffic, Index iterations) {
  return fmt::format("{}; {:.3g} bytes sent by each in {} exchanges, {:.3g} an iteration; {:.3g} s of exchanging",
                     samples.team->size(), traffic.bytes, traffic.calls,
                     traffic.bytes / static_cast<double>(std::max<Index>(1, iterations)), traffic.seconds);
}

std::string_view targets_name(const Model& model) {
  if (!model.classes.empty()) return "classes";
  return model.labels.empty() ? "numbers" : "labels";
}

Json problem_json(const TrainReport& report) {
  const Fitted& fitted = report.fitted;
  Json out{{"n", report.samples.rows()}, {"d", fitted.model.features()}};
  if (fitted.model.kind != ModelKind::vector) out["c"] = fitted.model.outputs();
  out["nonzeros"] = report.samples.nonzeros();
  if (has_classes(fitted)) out["strategy"] = to_string(fitted.model.kind);
  if (is_matrix(fitted)) out["targets"] = targets_name(fitted.model);
  out["loss"] = fitted.formulation.loss;
  out["set"] = fitted.formulation.set;
  out["radius"] = fitted.formulation.radius;
  out["ridge"] = fitted.ridge;
  return out;
}

Json solution_json(const Fitted& fitted) {
  const auto& [model, size] = std::tie(fitted.model, fitted.size);
  const double multiplier = without_negative_zero(fitted.outcomes.front().multiplier);
  if (is_matrix(fitted)) return {{"rank", size.nonzeros}, {"trace_norm", size.norm}, {"multiplier", multiplier}};
  Json out{{"nonzeros", size.nonzeros}, {"l1_norm", size.norm}};
  if (has_classes(fitted)) {
    out["largest_l1_norm_of_a_class"] = size.largest_of_output;
    return out;
  }
  out["multiplier"] = multiplier;
  if (fitted.formulation.intercept) out["intercept"] = model.intercept();
  if (const auto& free = model.formulation.free_features; !free.empty()) out["free_features"] = free.size();
  return out;
}

Json classes_json(const Fitted& fitted) {
  const Model& model = fitted.model;
  Json out = Json::array();
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    Json one{{"class", model.classes[k]},
             {"nonzeros", model.weights[k].at.size()},
             {"intercept", model.intercept(static_cast<Index>(k))}};
    if (model.kind == ModelKind::one_vs_rest) {
      one["status"] = to_string(model.statuses[k]);
      one["certificate"] = to_json(model.certificates[k]);
    }
    out.push_back(one);
  }
  return out;
}

// "102 labels, 3.2 a row", "10 classes" or "600 numbers a row"; nothing for two classes or one number.
std::string targets_text(const TrainReport& report) {
  const Model& model = report.fitted.model;
  const Index outputs = model.outputs();
  if (model.kind == ModelKind::vector) return {};
  if (!model.classes.empty()) return ", " + counted(outputs, "class", "classes");
  if (model.labels.empty()) return ", " + counted(outputs, "number a row", "numbers a row");
  const LabelLists& labels = report.samples.labels;
  const double per_row = static_cast<double>(labels.place.size()) / static_cast<double>(labels.rows());
  return fmt::format(", {}, {:.3g} a row", counted(outputs, "label", "labels"), per_row);
}

std::string strategy_text(ModelKind kind) {
  if (kind == ModelKind::joint) return ", all classes jointly";
  return kind == ModelKind::one_vs_rest ? ", one class against the rest" : "";
}

std::string status_line(const Fitted& fitted) {
  if (fitted.outcomes.size() == 1) return status_text(fitted.outcomes.front());
  const auto done = std::count(fitted.model.statuses.begin(), fitted.model.statuses.end(), Status::converged);
  const auto all = static_cast<std::ptrdiff_t>(fitted.outcomes.size());
  if (done == all) return fmt::format("converged: all {} classes", all);
  return fmt::format("{}: {} of {} classes converged", to_string(overall(fitted).status), done, all);
}

std::string certificate_line(const Model& model) {
  const std::size_t at = worst(model.certificates);
  const std::string text = certificate_text(model.certificates[at]);
  return model.kind == ModelKind::one_vs_rest ? fmt::format("worst of all, class {}: {}", model.classes[at], text)
                                              : text;
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

std::string to_text(const RowSource::Traffic& traffic) {
  constexpr double kGiga = 1e9, kMega = 1e6;
  return fmt::format("{} passes, {:.3g} GB read at {:.3g} MB/s, waited for {:.3g} s", traffic.passes,
                     traffic.bytes / kGiga, traffic.bytes / kMega / std::max(traffic.seconds, 1e-9), traffic.waited);
}

Json to_json(const RowSource::Traffic& traffic) {
  return {
      {"passes", traffic.passes}, {"bytes", traffic.bytes}, {"seconds", traffic.seconds}, {"waited", traffic.waited}};
}

Json to_json(const FitMeasures& measures) {
  using Kind = FitMeasures::Kind;
  Json out = Json::object();
  if (measures.kind == Kind::classes) out = {{"accuracy", measures.accuracy}, {"correct", measures.correct}};
  if (measures.kind == Kind::numbers) out["rmse"] = measures.rmse;
  if (measures.kind == Kind::numbers && measures.r_squared) out["r_squared"] = *measures.r_squared;
  if (measures.kind != Kind::labels) return out;
  out["micro_f1"] = measures.labels.micro_f1;
  out["macro_f1"] = measures.labels.macro_f1;
  out["hamming_loss"] = measures.labels.hamming_loss;
  for (const auto& [k, share] : measures.precision) out[fmt::format("precision_at_{}", k)] = share;
  return out;
}

Json to_json(const TrainReport& report) {
  const auto& [samples, fitted] = std::tie(report.samples, report.fitted);
  const Outcome all = overall(fitted);
  Json out;
  out["status"] = to_string(all.status);
  out["message"] = all.message;
  out["solver"] = all.solver;
  out["problem"] = problem_json(report);
  out["certificate"] = to_json(fitted.model.certificates[worst(fitted.model.certificates)]);
  if (fitted.penalty)
    out["penalised"] = {{"alpha", fitted.penalty->alpha}, {"certificate", to_json(fitted.penalty->certificate)}};
  out["solution"] = solution_json(fitted);
  if (has_classes(fitted)) out["classes"] = classes_json(fitted);
  out["fit"] = to_json(fitted.measures);
  out["work"] = to_json(all.work);
  out["seconds"] = {{"load", report.load_seconds}, {"solve", all.seconds}};
  if (fitted.model.kind == ModelKind::vector) out["seconds"]["pass_pair"] = report.fitted.pass_pair_seconds;
  out["settings"] = settings_json(report);
  const RowSource* const source = samples.A->source();
  out["streamed"] = source != nullptr ? to_json(source->traffic()) : Json();
  out["start"] = report.start.empty() ? Json() : Json(report.start);
  out["resumed"] = Json();
  if (const auto& resumed = report.resumed)
    out["resumed"] = {
        {"checkpoint", resumed->checkpoint}, {"seconds", resumed->seconds}, {"iterations", resumed->iterations}};
  if (const auto& traffic = fitted.traffic)
    out["team"] = {{"processes", samples.team->size()},
                   {"exchanges", traffic->calls},
                   {"long_exchanges", traffic->long_calls},
                   {"bytes_sent", traffic->bytes},
                   {"seconds_exchanging", traffic->seconds}};
  out["model"] = report.model;
  return out;
}

std::string problem_text(const Formulation& f, double ridge) {
  std::string text = fmt::format("loss {}, set {} of radius {}, ridge {:.6g}", f.loss, f.set, f.radius, ridge);
  if (f.ridge.per_sample) text += fmt::format(" ({})", f.ridge.text());
  if (f.intercept) text += ", an intercept";
  if (f.standardise) text += ", standardised features";
  if (!f.penalty_weight.empty()) text += ", weights of features";
  if (!f.class_weight.is_none()) text += fmt::format(", class weights {}", f.class_weight.text());
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

std::string solution_text(const Fitted& fitted) {
  const auto& [model, size] = std::tie(fitted.model, fitted.size);
  if (has_classes(fitted))
    return fmt::format("{} of {}, l1 norm {:.6g}, of one class at most {:.6g}", size.nonzeros, size.entries, size.norm,
                       size.largest_of_output);
  std::string text = is_matrix(fitted)
                         ? fmt::format("{} of at most {}, trace norm {:.6g}", size.nonzeros, size.entries, size.norm)
                         : fmt::format("{} of {} features, l1 norm {:.6g}", size.nonzeros, size.entries, size.norm);
  if (fitted.has_slack_radius)
    text += fmt::format("; the radius {} does not bind within the gap: no larger one gains more than that",
                        fitted.formulation.radius);
  if (const auto& free = model.formulation.free_features; !free.empty())
    text += fmt::format("; besides {}", counted(static_cast<Index>(free.size()), "free feature", "free features"));
  if (fitted.formulation.intercept) text += fmt::format("; intercept {:.6g}", model.intercept());
  return text;
}

std::string seconds_text(const TrainReport& report) {
  const double solve = overall(report.fitted).seconds;
  if (report.fitted.pass_pair_seconds == 0) return fmt::format("load {:.3g}, solve {:.3g}", report.load_seconds, solve);
  return fmt::format("load {:.3g}, solve {:.3g}, pass pair {:.3g}; the solve took {:.3g} pass pairs",
                     report.load_seconds, solve, report.fitted.pass_pair_seconds,
                     solve / report.fitted.pass_pair_seconds);
}

std::string to_text(const FitMeasures& measures) {
  if (measures.kind == FitMeasures::Kind::classes)
    return fmt::format("{:.6g}% ({}/{})", 100 * measures.accuracy, measures.correct, measures.rows);
  if (measures.kind == FitMeasures::Kind::numbers)
    return fmt::format("RMSE {:.6g}", measures.rmse) +
           (measures.r_squared ? fmt::format(", R2 {:.6g}", *measures.r_squared) : "");
  std::string text =
      fmt::format("micro F1 {:.4f}, macro F1 {:.4f}", measures.labels.micro_f1, measures.labels.macro_f1);
  for (const auto& [k, share] : measures.precision) text += fmt::format(", precision@{} {:.4f}", k, share);
  return text;
}

std::string summary(const TrainReport& report) {
  const auto& [samples, fitted] = std::tie(report.samples, report.fitted);
  const Model& model = fitted.model;
  const Outcome all = overall(fitted);
  Facts facts;
  const auto tell = [&](std::string name, std::string text) { facts.emplace_back(std::move(name), std::move(text)); };
  tell("data", fmt::format("{}: {}, {}, {}{}", report.data, counted(samples.rows(), "row", "rows"),
                           counted(model.features(), "feature", "features"),
                           counted(samples.nonzeros(), "non-zero", "non-zeros"), targets_text(report)));
  tell("problem", problem_text(fitted.formulation, fitted.ridge) + strategy_text(model.kind));
  if (const auto& resumed = report.resumed)
    tell("resumed", fmt::format("{}: after {:.3g} seconds and {}", resumed->checkpoint, resumed->seconds,
                                counted(resumed->iterations, "iteration", "iterations")));
  if (!report.start.empty()) tell("start", report.start);
  tell("status", status_line(fitted));
  tell("certificate", certificate_line(model));
  if (fitted.penalty)
    tell("penalised",
         fmt::format("alpha {:.6g}: {}", fitted.penalty->alpha, certificate_text(fitted.penalty->certificate)));
  tell(is_matrix(fitted) ? "rank" : "non-zeros", solution_text(fitted));
  tell(fitted.measures.kind == FitMeasures::Kind::classes ? "accuracy" : "fit",
       to_text(fitted.measures) + " on these data");
  tell("work", work_text(all));
  tell("seconds", seconds_text(report));
  if (const RowSource* const source = samples.A->source(); source != nullptr)
    tell("streamed", to_text(source->traffic()));
  if (fitted.traffic) tell("processes", team_text(samples, *fitted.traffic, all.work.iterations));
  tell("model", report.model);
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
