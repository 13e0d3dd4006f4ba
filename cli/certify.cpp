// pdbfw certify DATA MODEL
#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "apps/fit_rules.hpp"
#include "base/machine_memory.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/ways.hpp"
#include "core/verdict.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw::cli {
namespace {

struct CertifyOptions : ProblemOptions {
  std::string model;
};

// What was found about a model, and what it states itself about the problem it was trained for.
struct Findings {
  const Model& model;
  std::vector<Proven> proven;  // one, or one per class
  double radius = 0;           // in force
  bool is_compared = false;    // the model states something, about this problem

  [[nodiscard]] bool are_all_in_set() const {
    return std::all_of(proven.begin(), proven.end(),
                       [this](const Proven& one) { return is_in_set(one.certificate, radius); });
  }
  // Nothing where it is not compared.
  [[nodiscard]] std::optional<bool> agrees(std::size_t k) const {
    if (!is_compared) return std::nullopt;
    return confirms(proven[k].certificate, model.certificates[k], model.formulation.radius);
  }
  [[nodiscard]] std::size_t worst_place() const {
    std::vector<Certificate> certificates;
    for (const Proven& one : proven) certificates.push_back(one.certificate);
    return worst(certificates);
  }
};

// What the model states is about the problem it was trained for.
bool is_another_problem(const FieldFlags& flags) {
  const std::span<const Field> all = fields();
  return std::any_of(all.begin(), all.end(),
                     [&](const Field& field) { return field.group == Field::Group::model && flags.given(field.name); });
}

Json json_of(std::optional<bool> answer) { return answer ? Json(*answer) : Json(); }

std::string_view proof_name(const Proven& proven) { return proven.uses_stored_proof ? "model" : "derived"; }

constexpr std::string_view kDiffers = "differs (other data or another model?)";

void tell_one(const CertifyOptions& options, const Findings& found) {
  const Proven& proven = found.proven.front();
  const Certificate& c = proven.certificate;
  const std::optional<bool> agrees = found.agrees(0);
  std::string violation = fmt::format("{:.6g}", c.violation);
  if (!found.are_all_in_set())
    violation += fmt::format(": NOT in the set of radius {}; a bound proves nothing for a point outside", found.radius);
  Json stored;
  std::string comparison = "the model states none";
  if (!found.model.certificates.empty()) {
    const Certificate& stated = found.model.certificates.front();
    stored = to_json(stated);
    comparison = fmt::format("{}: {}",
                             !agrees   ? "not compared, the options change the problem"
                             : *agrees ? "agrees"
                                       : kDiffers,
                             certificate_text(stated));
  }
  options.tell({{"certificate", to_json(c)},
                {"proof", proof_name(proven)},
                {"is_in_set", found.are_all_in_set()},
                {"stored", stored},
                {"agrees", json_of(agrees)}},
               aligned({{"primal", fmt::format("{:.17g}", without_negative_zero(c.primal))},
                        {"dual", fmt::format("{:.17g}", without_negative_zero(c.dual))},
                        {"gap", fmt::format("{:.6e}", c.gap)},
                        {"relative gap", text_of_gap(c.relative_gap, 6)},
                        {"violation", violation},
                        {"proof", proven.uses_stored_proof ? "the model's dual point" : "derived from the weights"},
                        {"stored", comparison}}));
}

void tell_classes(const CertifyOptions& options, const Findings& found) {
  const std::vector<double>& classes = found.model.classes;
  const std::size_t at = found.worst_place();
  const Certificate& worst_of_all = found.proven[at].certificate;
  Facts facts;
  Json list = Json::array();
  bool all_agree = true;
  for (std::size_t k = 0; k < found.proven.size(); ++k) {
    const Certificate& c = found.proven[k].certificate;
    const std::optional<bool> agrees = found.agrees(k);
    all_agree = all_agree && agrees.value_or(true);
    facts.emplace_back(fmt::format("class {}", classes[k]), certificate_text(c));
    list.push_back({{"class", classes[k]},
                    {"certificate", to_json(c)},
                    {"proof", proof_name(found.proven[k])},
                    {"agrees", json_of(agrees)}});
  }
  facts.emplace_back("worst",
                     fmt::format("class {}: relative gap {}", classes[at], text_of_gap(worst_of_all.relative_gap, 6)));
  facts.emplace_back("stored", !found.is_compared ? "not compared" : all_agree ? "agrees" : kDiffers);
  if (!found.are_all_in_set())
    facts.emplace_back("violation",
                       fmt::format("NOT all in the set of radius {}; a bound proves nothing outside", found.radius));
  options.tell({{"certificate", to_json(worst_of_all)},
                {"classes", list},
                {"is_in_set", found.are_all_in_set()},
                {"agrees", found.is_compared ? Json(all_agree) : Json()}},
               aligned(facts));
}

// LIBLINEAR's files hold weights only. A model of pdbfw says what was minimised, with a certificate or without.
void require_formulation(const CertifyOptions& options, const Model& model) {
  const bool is_foreign = model.kind == ModelKind::vector && model.samples == 0 && model.certificates.empty();
  if (is_foreign && !(options.flags.given("radius") && options.flags.given("ridge")))
    throw InputError(options.model, "no radius and no ridge", "a model without them needs --radius and --ridge");
}

// The model's own, with what was given instead.
Request request_for(const CertifyOptions& options, Request request, const Model& model) {
  request.formulation = model.formulation;
  options.flags.apply(request);
  if (model.kind == ModelKind::matrix && !is_low_rank(request.formulation))
    throw InputError("set", fmt::format("'{}'", request.formulation.set), "trace for this model");
  if (model.kind != ModelKind::vector) require_obeyed(*options.parser, request, way_of(model.kind));
  options.files.read(request.settings.threads, request.formulation);
  check_certifiable(model, options.model, request.formulation);
  return request;
}

Samples read_for(const CertifyOptions& options, const Request& request, const Model& model) {
  const Index width = certified_width(model, request.formulation);
  if (width > most_features_in_memory())
    throw InputError(options.model, fmt::format("{} features", width),
                     fmt::format("at most {}, which this machine's memory can hold", most_features_in_memory()));
  ReadOptions reading = options.data.read_options(request.settings.threads, width);
  options.memory.apply(options.data.path(), reading);
  return read_samples(options.data.path(), reading, targets_of(model));
}

int certify_model(const CertifyOptions& options) {
  const Request given = options.flags.request();  // judged before anything is read
  require_one_stdin(options.data.path(), options.model);
  const Model model = load_model(options.model);
  require_formulation(options, model);
  const Request request = request_for(options, given, model);
  const Samples samples = read_for(options, request, model);
  const Findings found{model, certify(samples, model, request.formulation, request.settings.threads),
                       request.formulation.radius, !model.certificates.empty() && !is_another_problem(options.flags)};
  (model.kind == ModelKind::one_vs_rest ? tell_classes : tell_one)(options, found);
  const bool is_missed =
      options.flags.given("tol") && !std::all_of(found.proven.begin(), found.proven.end(), [&](const Proven& one) {
        return one.certificate.relative_gap <= request.settings.tol;
      });
  return is_missed || !found.are_all_in_set() ? kStopped : kSuccess;
}

}  // namespace

Command add_certify(CLI::App& tool) {
  const auto [parser, options] =
      new_command<CertifyOptions>(tool, "certify", "Prove again, from data and model alone, how good a model is");
  options->parser = parser;
  options->data.add(*parser);
  Flags(*parser).argument("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input");
  options->add_report(*parser, "Print one JSON object");
  for (const Field& field : fields())
    if (field.group == Field::Group::model) options->flags.add(*parser, field.name);
  options->files.add(*parser, true);
  options->flags.add(*parser, "tol");
  options->flags.add(*parser, "threads");
  options->memory.add(*parser);
  return command_of(
      parser, options, certify_model,
      "Loss, set, radius and ridge come from the model unless they are given; LIBLINEAR's files do not hold radius\n"
      "and ridge. The exit code is 2 when the weights are not in the set (a violation above 1e-9 of the radius), for\n"
      "nothing is proven then, and with --tol when the relative gap is above it.\n\n"
      "Example:\n"
      "  pdbfw certify news20.binary.xz news20.model --tol 1e-6");
}

}  // namespace pdbfw::cli
