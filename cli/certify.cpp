// pdbfw certify DATA MODEL
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "base/machine_memory.hpp"
#include "cli/classes_report.hpp"
#include "cli/classes_training.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/load_model.hpp"
#include "cli/low_rank_training.hpp"
#include "cli/memory_argument.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/training.hpp"
#include "cli/ways.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw::cli {
namespace {

struct CertifyOptions : ReportFlags {
  const CLI::App* parser = nullptr;  // knows which of them were given
  DataArgument data;
  FieldFlags flags;
  AtomsArgument atoms;
  WeightsArgument weights;
  FeatureArguments features;
  MemoryArgument memory;
  std::string model;
};

// What a model states about itself, whichever kind it is.
struct Stated {
  std::optional<Certificate> certificate;
  double radius = 0;
};

// Of a model with one certificate.
std::optional<Certificate> stated_by(const Model& model) {
  return model.certificates.empty() ? std::nullopt : std::optional(model.certificates.front());
}

// What -1 and +1 stand for.
std::optional<std::array<double, 2>> labels_of(const Model& model) {
  if (model.classes.empty()) return std::nullopt;
  return std::array{model.classes[0], model.classes[1]};
}

struct Verdict {
  Certificate certificate;
  bool uses_stored_proof = false;  // or a dual point derived from the weights
};

// LIBLINEAR's files hold weights only. A model of pdbfw says what was minimised, with a certificate or without.
bool is_foreign(const Model& model) { return model.samples == 0 && model.certificates.empty(); }

void require_formulation(const CertifyOptions& options, const Model& model) {
  if (is_foreign(model) && !(options.flags.given("radius") && options.flags.given("ridge")))
    throw InputError(options.model, "no radius and no ridge", "a model without them needs --radius and --ridge");
  if (model.intercept() != 0 && !model.formulation.intercept)
    throw InputError(options.model, fmt::format("bias {}", model.intercept()),
                     "a certificate is for models whose bias was learnt as an intercept, or that have none");
  if (model.has_sample_weight && options.weights.path().empty())
    throw InputError("sample_weight", "none", "the file of weights that the model was learnt with");
  if (model.has_penalty_weight && options.features.path().empty())
    throw InputError("penalty_weight", "none", "the file of weights that the model was learnt with");
}

// How wide the problem must be; the data may make it wider. A model can state any number of features: those behind its
// last weight and the data's last column are zero in every row and for the l1 ball change neither bound. The simplex
// can put its weight on them, and a diagonal ridge has a factor for each.
Index needed_width(const CertifyOptions& options, const Model& model, const Formulation& formulation) {
  const bool is_ball = formulation.set == "l1" || formulation.set == "nonnegative";
  const bool counts_all = !is_ball || !formulation.ridge_scale.empty() || model.has_penalty_weight;
  const std::vector<Index>& at = model.weights.front().at;
  Index last = at.empty() ? 0 : at.back() + 1;
  if (!formulation.free_features.empty()) last = std::max(last, formulation.free_features.back() + 1);
  const Index width = counts_all ? model.features() : last;
  if (width > most_features_in_memory())
    throw InputError(options.model, fmt::format("{} features", width),
                     fmt::format("at most {}, which this machine's memory can hold", most_features_in_memory()));
  return width;
}

// Any dual point proves something; the better proof counts.
Verdict judge(const Problem& problem, const std::vector<double>& x, const Model& model, int threads) {
  Verdict verdict{certify(problem, x, dual_candidate(problem, x, threads), threads), false};
  if (model.proof.empty() || model.samples != problem.n()) return verdict;
  const Certificate stored = certify(problem, x, to_dense(model.proof.front()), threads);
  if (stored.gap <= verdict.certificate.gap) verdict = {stored, true};
  return verdict;
}

// Sums may be taken in another order on another machine; more than that is another problem.
constexpr double kRounding = 1e-9;

// A dual value bounds the objective on the set and nowhere else. A violation that is not a number is none of 0.
bool is_in_set(const Certificate& certificate, double radius) { return certificate.violation <= kRounding * radius; }

bool is_finite(const Certificate& certificate) {
  return std::isfinite(certificate.primal) && std::isfinite(certificate.gap) && std::isfinite(certificate.violation);
}

bool agrees(const Certificate& stored, const Certificate& found, double radius) {
  if (!is_finite(stored) || !is_finite(found)) return false;
  const double slack = kRounding * std::max(std::abs(stored.primal), std::abs(found.primal));
  return std::abs(stored.primal - found.primal) <= slack && found.gap <= stored.gap + slack &&
         found.violation <= stored.violation + kRounding * radius;
}

// What the model states is about the problem it was trained for.
bool is_another_problem(const FieldFlags& flags) {
  const std::span<const Field> all = fields();
  return std::any_of(all.begin(), all.end(),
                     [&](const Field& field) { return field.group == FieldGroup::model && flags.given(field.name); });
}

std::optional<bool> compare(const CertifyOptions& options, const Stated& stated, const Verdict& verdict) {
  if (!stated.certificate || is_another_problem(options.flags)) return std::nullopt;
  return agrees(*stated.certificate, verdict.certificate, stated.radius);
}

std::string comparison(const Stated& stated, std::optional<bool> is_same) {
  if (!stated.certificate) return "the model states none";
  const std::string text = certificate_text(*stated.certificate);
  if (!is_same) return "not compared, the options change the problem: " + text;
  return (*is_same ? "agrees: " : "differs (other data or another model?): ") + text;
}

std::string violation_text(const Certificate& certificate, double radius) {
  const std::string size = fmt::format("{:.6g}", certificate.violation);
  if (is_in_set(certificate, radius)) return size;
  return fmt::format("{}: NOT in the set of radius {}; a bound proves nothing for a point outside", size, radius);
}

void tell_result(const CertifyOptions& options, const Stated& stated, const Verdict& verdict, double radius) {
  const std::optional<bool> is_same = compare(options, stated, verdict);
  if (options.is_json) {
    Json object;
    object["certificate"] = to_json(verdict.certificate);
    object["proof"] = verdict.uses_stored_proof ? "model" : "derived";
    object["is_in_set"] = is_in_set(verdict.certificate, radius);
    object["stored"] = stated.certificate ? to_json(*stated.certificate) : Json();
    object["agrees"] = is_same ? Json(*is_same) : Json();
    print_json(object);
  } else if (!options.is_quiet) {
    const Certificate& c = verdict.certificate;
    print(aligned({{"primal", fmt::format("{:.17g}", without_negative_zero(c.primal))},
                   {"dual", fmt::format("{:.17g}", without_negative_zero(c.dual))},
                   {"gap", fmt::format("{:.6e}", c.gap)},
                   {"relative gap", text_of_gap(c.relative_gap, 6)},
                   {"violation", violation_text(c, radius)},
                   {"proof", verdict.uses_stored_proof ? "the model's dual point" : "derived from the weights"},
                   {"stored", comparison(stated, is_same)}}));
  }
}

int finish(const CertifyOptions& options, const Stated& stated, const Verdict& verdict, const Request& request) {
  const double radius = request.formulation.radius;
  tell_result(options, stated, verdict, radius);
  const bool is_missed = options.flags.given("tol") && !(verdict.certificate.relative_gap <= request.settings.tol);
  return is_missed || !is_in_set(verdict.certificate, radius) ? kStopped : kSuccess;
}

int certify_vector(const CertifyOptions& options, Request request, const Model& model) {
  require_formulation(options, model);
  request.formulation = model.formulation;
  options.flags.apply(request);
  const int threads = request.settings.threads;
  const Index width = needed_width(options, model, request.formulation);
  options.atoms.read(threads, request.formulation);
  options.weights.read(request.formulation);
  options.features.read(request.formulation);

  const Dataset data = options.memory.read(options.data.path(), options.data.read_options(threads, width));
  const Prepared prepared = prepare(data, options.data.name(), request.formulation, labels_of(model));
  std::vector<double> weights(static_cast<std::size_t>(prepared.problem.features()));
  const SparseVector& learnt = model.weights.front();
  for (std::size_t k = 0; k < learnt.at.size(); ++k) weights[static_cast<std::size_t>(learnt.at[k])] = learnt.value[k];
  const Verdict verdict = judge(prepared.problem, point_of_weights(prepared.problem, weights), model, threads);
  return finish(options, {stated_by(model), model.formulation.radius}, verdict, request);
}

Verdict judge(const low_rank::Problem& problem, const Factors& X, const Model& model, int threads) {
  Verdict verdict{low_rank::certify(problem, X, low_rank::dual_candidate(problem, X, threads), threads), false};
  const Matrix& proof = model.matrix_proof;
  if (proof.size() == 0 || proof.rows() != problem.n() || proof.cols() != problem.k()) return verdict;
  const Certificate stored = low_rank::certify(problem, X, proof, threads);
  if (stored.gap <= verdict.certificate.gap) verdict = {stored, true};
  return verdict;
}

int certify_matrix(const CertifyOptions& options, Request request, const Model& model) {
  request.formulation = model.formulation;
  options.flags.apply(request);
  if (!is_low_rank(request.formulation))
    throw InputError("set", fmt::format("'{}'", request.formulation.set), "trace for this model");
  require_obeyed(*options.parser, request, Way::matrix);
  const int threads = request.settings.threads;
  const ReadOptions reading = options.data.read_options(threads, model.features());
  const LabelledData data = read_labelled(options.data, reading, targets_of(model), names_of(model));
  const low_rank::Problem problem = prepare(data, options.data.name(), request.formulation, model.outputs());
  const Verdict verdict = judge(problem, with_rows(model.factors, problem.d()), model, threads);
  return finish(options, {stated_by(model), model.formulation.radius}, verdict, request);
}

// The better of the stored proof and one that is derived from the weights.
Verdict better(const Certificate& derived, const std::optional<Certificate>& stored) {
  if (stored && stored->gap <= derived.gap) return {*stored, true};
  return {derived, false};
}

int certify_joint(const CertifyOptions& options, const Request& request, const Model& model, const Dataset& data) {
  const int threads = request.settings.threads;
  const joint::Problem p =
      joint::make_problem(data.A, known_classes(data.target, options.data.name(), model.classes), request.formulation);
  const joint::SparseRows X = to_rows(model.weights, p.d());
  std::optional<Certificate> stored;
  if (!model.proof.empty() && model.samples == p.n())
    stored = joint::certify(p, X, to_matrix(model.proof, p.n()), threads);
  const Verdict verdict = better(joint::certify(p, X, joint::dual_candidate(p, X, threads), threads), stored);
  return finish(options, {stated_by(model), model.formulation.radius}, verdict, request);
}

void tell_classes(const CertifyOptions& options, const Request& request, const Model& model,
                  const std::vector<Verdict>& verdicts, std::size_t worst) {
  const double radius = request.formulation.radius;
  Json object{{"certificate", to_json(verdicts[worst].certificate)}, {"classes", Json::array()}};
  Facts facts;
  bool all_agree = true, all_are_in_set = true;
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    const Certificate& found = verdicts[k].certificate;
    const std::optional<Certificate> stated =
        model.certificates.empty() ? std::nullopt : std::optional(model.certificates[k]);
    const std::optional<bool> is_same = compare(options, {stated, model.formulation.radius}, verdicts[k]);
    all_agree = all_agree && is_same.value_or(true);
    all_are_in_set = all_are_in_set && is_in_set(found, radius);
    object["classes"].push_back({{"class", model.classes[k]},
                                 {"certificate", to_json(found)},
                                 {"proof", verdicts[k].uses_stored_proof ? "model" : "derived"},
                                 {"agrees", is_same ? Json(*is_same) : Json()}});
    facts.push_back({fmt::format("class {}", model.classes[k]), certificate_text(found)});
  }
  const bool is_compared = !model.certificates.empty() && !is_another_problem(options.flags);
  object["is_in_set"] = all_are_in_set;
  object["agrees"] = is_compared ? Json(all_agree) : Json();
  facts.push_back({"worst", fmt::format("class {}: relative gap {}", model.classes[worst],
                                        text_of_gap(verdicts[worst].certificate.relative_gap, 6))});
  facts.push_back({"stored", !is_compared ? "not compared"
                             : all_agree  ? "agrees"
                                          : "differs (other data or another model?)"});
  if (!all_are_in_set)
    facts.push_back(
        {"violation", fmt::format("NOT all in the set of radius {}; a bound proves nothing outside", radius)});
  if (options.is_json)
    print_json(object);
  else if (!options.is_quiet)
    print(aligned(facts));
}

int certify_one_vs_rest(const CertifyOptions& options, const Request& request, const Model& model,
                        const Dataset& data) {
  const int threads = request.settings.threads;
  const Classes classes = known_classes(data.target, options.data.name(), model.classes);
  std::vector<Verdict> verdicts;
  std::vector<Certificate> certificates;
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    const Problem p = make_problem(data.A, signs_of(classes, static_cast<Index>(k)), request.formulation);
    SparseVector weights = model.weights[k];
    weights.size = p.d();
    const std::vector<double> x = to_dense(weights);
    std::optional<Certificate> stored;
    if (!model.proof.empty() && model.samples == p.n()) stored = certify(p, x, to_dense(model.proof[k]), threads);
    verdicts.push_back(better(certify(p, x, dual_candidate(p, x, threads), threads), stored));
    certificates.push_back(verdicts.back().certificate);
  }
  tell_classes(options, request, model, verdicts, worst(certificates));
  const bool is_fine = std::all_of(certificates.begin(), certificates.end(), [&](const Certificate& c) {
    const bool is_missed = options.flags.given("tol") && !(c.relative_gap <= request.settings.tol);
    return !is_missed && is_in_set(c, request.formulation.radius);
  });
  return is_fine ? kSuccess : kStopped;
}

int certify_classes(const CertifyOptions& options, Request request, const Model& model) {
  if (model.has_sample_weight && options.weights.path().empty())
    throw InputError("sample_weight", "none", "the file of weights that the model was learnt with");
  request.formulation = model.formulation;
  options.flags.apply(request);
  const bool learns_jointly = model.kind == ModelKind::joint;
  require_obeyed(*options.parser, request, learns_jointly ? Way::joint : Way::one_vs_rest);
  options.atoms.read(request.settings.threads, request.formulation);
  options.weights.read(request.formulation);
  Index last = 0;
  for (const SparseVector& column : model.weights)
    if (!column.at.empty()) last = std::max(last, column.at.back() + 1);
  const bool counts_all = request.formulation.set != "l1" && request.formulation.set != kPerClass;
  const Index width = counts_all ? model.features() : last;
  if (width > most_features_in_memory())
    throw InputError(options.model, fmt::format("{} features", width),
                     fmt::format("at most {}, which this machine's memory can hold", most_features_in_memory()));
  const ReadOptions reading = options.data.read_options(request.settings.threads, width);
  const Dataset data =
      learns_jointly ? read_dataset(options.data.path(), reading) : options.memory.read(options.data.path(), reading);
  if (data.A->columns() == 0)
    throw InputError(options.data.name(), "no features", "at least one feature in at least one row");
  return learns_jointly ? certify_joint(options, request, model, data)
                        : certify_one_vs_rest(options, request, model, data);
}

int certify_model(const CertifyOptions& options) {
  const Request request = options.flags.request();  // judged before anything is read
  require_one_stdin(options.data.path(), options.model);
  const Model model = load_model(options.model);
  if (model.kind == ModelKind::matrix) return certify_matrix(options, request, model);
  return model.kind == ModelKind::vector ? certify_vector(options, request, model)
                                         : certify_classes(options, request, model);
}

}  // namespace

Command add_certify(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("certify", "Prove again, from data and model alone, how good a model is");
  const auto options = std::make_shared<CertifyOptions>();
  options->parser = parser;
  options->data.add(*parser);
  parser->add_option("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input")
      ->required()
      ->type_name("");
  options->add_json(*parser, "Print one JSON object");
  options->add_quiet(*parser);
  for (const Field& field : fields())
    if (field.group == FieldGroup::model) options->flags.add(*parser, field.name);
  options->atoms.add(*parser);
  options->weights.add(*parser);
  options->features.add(*parser);
  options->flags.add(*parser, "tol");
  options->flags.add(*parser, "threads");
  options->memory.add(*parser);
  parser->footer(
      "Loss, set, radius and ridge come from the model unless they are given; LIBLINEAR's files do not hold radius\n"
      "and ridge. The exit code is 2 when the weights are not in the set (a violation above 1e-9 of the radius), for\n"
      "nothing is proven then, and with --tol when the relative gap is above it.\n\n"
      "Example:\n"
      "  pdbfw certify news20.binary.xz news20.model --tol 1e-6");
  return {parser, [options] { return certify_model(*options); }};
}

}  // namespace pdbfw::cli
