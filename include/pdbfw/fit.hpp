// From samples to a model with its proof, in one call:
//
//   const pdbfw::Fitted fitted = pdbfw::fit(pdbfw::read_samples("news20.xz"), {.loss = "logistic", .radius = 30});
//   pdbfw::write_model("news20.model", fitted.model);
//
// The samples and the formulation say what is learnt (ModelKind): one vector of weights for two classes or numbers, a
// vector for each of several classes against the rest, all classes jointly (losses softmax and multiclass_hinge, set
// l1_per_class), or a matrix (set trace).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pdbfw/checkpoint.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/metrics.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/predict.hpp"
#include "pdbfw/samples.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {

struct FitOptions {
  // What is kept while a fit runs, and where it goes on from (checkpoint.hpp).
  struct CheckpointPlan {
    std::string path{};                                        // where it is kept; empty: nowhere
    double every_seconds = 60;                                 // >= 0
    std::vector<Checkpoint::Option> options{};                 // kept with it, for the caller
    std::shared_ptr<const Checkpoint> resumed{};               // begin here
    std::string resumed_name = "checkpoint";                   // how messages call it
    std::function<void(const std::string& why)> on_failure{};  // called once if one cannot be written; the fit goes on
  };

  Settings settings{};
  std::optional<double> alpha{};     // a penalty on the l1 norm in place of the radius (solve.hpp)
  std::optional<double> cost{};      // the same as LIBLINEAR has it: the weight C of the sum of the losses
  bool wants_probabilities = false;  // of a hinge: sigmoids, from scores out of five folds
  bool keeps_proof = true;           // the dual point, in the model
  bool measures_fit = true;          // one more pass over the data; without it Fitted::measures is empty
  bool measures_speed = false;       // a fifth of a second or more: Fitted::pass_pair_seconds
  const Model* start = nullptr;      // an earlier model of similar data; it must live until fit returns
  std::string start_name = "start";  // how messages call it
  CheckpointPlan checkpoints{};
};

// How well scores meet the targets. Labels and classes that the model does not know count as missed.
struct FitMeasures {
  enum class Kind { none, classes, numbers, labels };
  Kind kind = Kind::none;
  Index rows = 0;
  double accuracy = 0;                                // classes: the share of rows that are predicted to have their own
  Index correct = 0;                                  // classes: the number of these rows
  double rmse = 0;                                    // numbers: the root of the mean squared error
  std::optional<double> r_squared{};                  // numbers: where there is one per row
  LabelMetrics labels{};                              // labels: those with a score above 0 are predicted
  std::vector<std::pair<Index, double>> precision{};  // labels: at 1, 3 and 5, as far as there are that many
};
// `scores` are those of predict_scores (predict.hpp). With a team all members call it.
[[nodiscard]] FitMeasures measure_fit(const Samples& samples, const Model& model, const ScoreTable& scores);

struct Fitted {
  Model model;
  std::vector<Outcome> outcomes;  // one, or one per class where each is learnt against the rest
  Formulation formulation;        // in force: with the loss that was chosen and the radius that was found
  double ridge = 0;               // its weight, where that is one number
  FitMeasures measures{};         // on the samples
  double pass_pair_seconds = 0;   // one A x and one A'y on one thread, the unit of speed; 0: not measured

  // The size of the point in the set, which has no free features and may be scaled; for a matrix, rank and trace norm.
  struct Size {
    Index nonzeros = 0, entries = 0;         // of a matrix: rank, and the largest that it can have
    double norm = 0, largest_of_output = 0;  // l1 norm, in all and of one output; of a matrix the trace norm
  } size{};
  // No larger radius gains more than the certified gap: the multiplier of the radius is 0 at the proof.       [M6]
  bool has_slack_radius = false;

  struct Penalty {
    double alpha = 0;
    Certificate certificate{};  // of the penalised problem
  };
  std::optional<Penalty> penalty{};        // where a penalty was asked for
  bool has_started_with_proof = false;     // the start had one for as many rows
  std::optional<Team::Traffic> traffic{};  // of the solve, with a team

  // All outcomes, and the sigmoids where they were asked for.
  bool has_converged = false;
};

// Throws InputError for bad input; afterwards all trouble is in Fitted::outcomes. The callback may stop it at any
// moment, with the best point so far.
//
// With a team all members call it; the first one alone has the proof and the sigmoids in the model. The formulation's
// sample weights are those of all rows. Throws TeamLost.
[[nodiscard]] Fitted fit(const Samples& samples, const Formulation& formulation, const FitOptions& options = {},
                         const Callback& callback = {});

// Many radii, or penalties, each from where the last one ended, each with its own certificate (solve_path,
// solve_penalties): one vector of weights for two classes or numbers.
struct PathRequest {
  bool is_by_penalty = false;    // else by radius
  std::vector<double> values{};  // the radii or penalties; empty: from the data
  PathOptions grid{};            // for those from the data
  bool stops_early = true;       // penalties: end where smaller ones no longer lower the loss
};
// In the order of the radii, or from the largest penalty down; fewer where the callback stops it. Throws InputError.
[[nodiscard]] std::vector<Fitted> fit_path(const Samples& samples, const Formulation& formulation,
                                           const PathRequest& request = {}, const Settings& settings = {},
                                           const Callback& callback = {});

// Proves again, from the samples and the weights alone, how good a model is: one answer, or one per class where each
// was learnt against the rest. Any dual point proves something: the better of the stored one and one derived from the
// weights counts. The formulation is the model's, or what the caller asks about instead; sample and penalty weights,
// which are not in the model, are in it. Throws InputError.
struct Proven {
  Certificate certificate;
  bool uses_stored_proof = false;
};
[[nodiscard]] std::vector<Proven> certify(const Samples& samples, const Model& model, const Formulation& formulation,
                                          int threads = 1);

// A dual value bounds the objective on the set and nowhere else; 1e-9 of the radius is rounding.
[[nodiscard]] bool is_in_set(const Certificate& certificate, double radius);

}  // namespace pdbfw
