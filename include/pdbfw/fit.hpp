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

// What these samples become. The formulation alone does not tell whether a loss of two classes is to be learnt once for
// each of several: that is where there are more than two different targets, but not so many that they must be numbers.
// With a team all members call it.
[[nodiscard]] ModelKind kind_of(const Formulation& formulation);  // vector where it may be one_vs_rest
[[nodiscard]] ModelKind kind_of(const Samples& samples, const Formulation& formulation);

// The loss of a formulation that names none: softmax for classes learnt jointly; for the set trace squared, softmax or
// multilabel_smooth_hinge, by the targets; else smooth_hinge.
[[nodiscard]] std::string default_loss(const Samples& samples, const Formulation& formulation);

// Whether the loss wants two labels or a number per row. Judges everything of the formulation that can be judged
// without data. Throws InputError.
[[nodiscard]] TargetKind target_kind(const Formulation& formulation);

// How the samples of such a model are to be read.
[[nodiscard]] Targets targets_of(const Model& model);
// What the outputs of a model stand for: its classes, or its labels as numbers.
[[nodiscard]] std::vector<double> names_of(const Model& model);

// Throws InputError unless the loss and the set of a model are known, its numbers are in range and its classes fit the
// loss. Reading a file judges the text alone.
void check_known(const Model& model);

// What is kept while a fit runs, and where it goes on from (checkpoint.hpp).
struct CheckpointPlan {
  std::string path{};                                        // where it is kept; empty: nowhere
  double every_seconds = 60;                                 // >= 0
  std::vector<CheckpointOption> options{};                   // kept with it, for the caller
  std::shared_ptr<const Checkpoint> resumed{};               // begin here
  std::string resumed_name = "checkpoint";                   // how messages call it
  std::function<void(const std::string& why)> on_failure{};  // called once if one cannot be written; the fit goes on
};

struct FitOptions {
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
  // Called before anything is solved, once the samples have told what is learnt: to refuse it with an InputError, or to
  // settle what only the samples tell. With a team, at every member.
  std::function<void(ModelKind kind, Formulation& formulation)> on_kind{};
};

// Everything of them that can be judged without data. Throws InputError.
void check_fit(const Formulation& formulation, const FitOptions& options);

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
// The one of the largest radius with at most this number of features. Throws InputError where none has so few.
[[nodiscard]] const Fitted& largest_radius_of(const std::vector<Fitted>& path,
                                              std::optional<Index> most_features = std::nullopt);

// How well such models do on rows that they have not seen: every fold is held out once, its rows have the weight 0, and
// a cost is that of the rows that are left. Rows of weight 0 are not counted.
struct HeldOutFit {
  double accuracy = 0;
  Index correct = 0;
  double largest_relative_gap = 0;  // certified, over all folds
  bool is_complete = true;          // false: the callback stopped it, and nothing is counted
};
// Two classes. Throws InputError.
[[nodiscard]] HeldOutFit fit_held_out(const Samples& samples, const Formulation& formulation, const FitOptions& options,
                                      Index folds, const Callback& callback = {});

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
// Throws InputError where a model cannot be certified for this formulation: weights are missing, or the bias of a
// foreign model was not learnt as an intercept. Messages begin with `name`, the model's.
void check_certifiable(const Model& model, const std::string& name, const Formulation& formulation);
// The width that the samples must have at least for it.
[[nodiscard]] Index certified_width(const Model& model, const Formulation& formulation);

// A dual value bounds the objective on the set and nowhere else; 1e-9 of the radius is rounding.
[[nodiscard]] bool is_in_set(const Certificate& certificate, double radius);
// Whether a certificate that was found confirms a stated one, up to rounding.
[[nodiscard]] bool confirms(const Certificate& found, const Certificate& stated, double radius);
// The place of the one with the largest relative gap.
[[nodiscard]] std::size_t worst(const std::vector<Certificate>& certificates);

}  // namespace pdbfw
