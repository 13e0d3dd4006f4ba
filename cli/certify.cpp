// pdbfw certify DATA MODEL
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/training.hpp"
#include "pdbfw/certificate.hpp"

namespace pdbfw::cli {
namespace {

struct CertifyOptions {
  DataArgument data;
  FieldFlags flags;
  std::string model;
  bool is_json = false;
  bool is_quiet = false;
};

struct Verdict {
  Certificate certificate;
  bool uses_stored_proof = false;  // or a dual point derived from the weights
};

// LIBLINEAR's files hold weights only.
void require_formulation(const CertifyOptions& options, const Model& model) {
  if (!model.certificate && !(options.flags.given("radius") && options.flags.given("ridge")))
    throw InputError(options.model, "no radius and no ridge", "a model without them needs --radius and --ridge");
  if (model.intercept != 0)
    throw InputError(options.model, fmt::format("bias {}", model.intercept),
                     "a certificate is for models without bias");
}

// Any dual point proves something; the better proof counts.
Verdict judge(const Problem& problem, const std::vector<double>& x, const Model& model, int threads) {
  Verdict verdict{certify(problem, x, dual_candidate(problem, x, threads), threads), false};
  if (!model.proof || model.proof->size != problem.n()) return verdict;
  const Certificate stored = certify(problem, x, to_dense(*model.proof), threads);
  if (stored.gap <= verdict.certificate.gap) verdict = {stored, true};
  return verdict;
}

// Sums may be taken in another order on another machine; more than that is another problem.
bool agrees(const Certificate& stored, const Certificate& found) {
  constexpr double kRounding = 1e-9;
  const double slack = kRounding * std::max(std::abs(stored.primal), std::abs(found.primal));
  return std::abs(stored.primal - found.primal) <= slack && found.gap <= stored.gap + slack;
}

std::string comparison(const Model& model, const Certificate& found) {
  if (!model.certificate) return "the model states none";
  const std::string stated = certificate_text(*model.certificate);
  return (agrees(*model.certificate, found) ? "agrees: " : "differs (other data or another model?): ") + stated;
}

void tell(const CertifyOptions& options, const Model& model, const Verdict& verdict) {
  if (options.is_json) {
    Json object;
    object["certificate"] = to_json(verdict.certificate);
    object["proof"] = verdict.uses_stored_proof ? "model" : "derived";
    object["stored"] = model.certificate ? to_json(*model.certificate) : Json();
    object["agrees"] = model.certificate ? Json(agrees(*model.certificate, verdict.certificate)) : Json();
    print_json(object);
  } else if (!options.is_quiet) {
    const Certificate& c = verdict.certificate;
    print(aligned({{"primal", fmt::format("{:.17g}", c.primal)},
                   {"dual", fmt::format("{:.17g}", c.dual)},
                   {"gap", fmt::format("{:.6e}", c.gap)},
                   {"relative gap", fmt::format("{:.6e}", c.relative_gap)},
                   {"violation", fmt::format("{:.6g}", c.violation)},
                   {"proof", verdict.uses_stored_proof ? "the model's dual point" : "derived from the weights"},
                   {"stored", comparison(model, c)}}));
  }
}

int certify_model(const CertifyOptions& options) {
  Request request = options.flags.request();  // judged before anything is read
  require_one_stdin(options.data.path(), options.model);
  const Model model = read_model(options.model);
  require_formulation(options, model);
  request.formulation = model.formulation;
  options.flags.apply(request);
  std::vector<double> x = to_dense(model.weights);
  const int threads = request.settings.threads;

  const Dataset data = read_dataset(options.data.path(), options.data.read_options(threads, model.weights.size));
  const Prepared prepared = prepare(data, options.data.name(), request.formulation, model.labels);
  x.resize(static_cast<std::size_t>(prepared.problem.d()));
  const Verdict verdict = judge(prepared.problem, x, model, threads);
  tell(options, model, verdict);
  const bool is_missed = options.flags.given("tol") && !(verdict.certificate.relative_gap <= request.settings.tol);
  return is_missed ? kStopped : kSuccess;
}

}  // namespace

Command add_certify(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("certify", "Prove again, from data and model alone, how good a model is");
  const auto options = std::make_shared<CertifyOptions>();
  options->data.add(*parser);
  parser->add_option("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input")
      ->required()
      ->type_name("");
  parser->add_flag("--json", options->is_json, "Print one JSON object");
  parser->add_flag("--quiet", options->is_quiet, "Print nothing but errors");
  for (const Field& field : fields())
    if (field.group == FieldGroup::model) options->flags.add(*parser, field.name);
  options->flags.add(*parser, "tol");
  options->flags.add(*parser, "threads");
  parser->footer(
      "Loss, set, radius and ridge come from the model unless they are given; LIBLINEAR's files do not hold radius\n"
      "and ridge. With --tol the exit code is 2 when the relative gap is above it.\n\n"
      "Example:\n"
      "  pdbfw certify news20.binary.xz news20.model --tol 1e-6");
  return {parser, [options] { return certify_model(*options); }};
}

}  // namespace pdbfw::cli
