// pdbfw train -s 5 -v FOLDS DATA: cross-validation as LIBLINEAR does it, of one cost, all rows counted once.
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/fit.hpp"
#include "cli/report.hpp"
#include "cli/train_options.hpp"
#include "cli/training.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/predict.hpp"

namespace pdbfw::cli {

// Every fold is held out once: its rows have the weight 0, and the penalty is that of the weight that is left.
int validate_as_liblinear(const TrainOptions& options, const Request& request, const Dataset& data) {
  const Index folds = *options.liblinear.folds();
  const std::vector<Index> fold = make_folds(data.target, folds, request.settings.seed);
  const Prepared all = prepare(data, options.data.name(), request.formulation);
  const InterruptGuard interrupt;
  std::vector<double> held_out, targets;  // scores by the models that have not seen the row
  double largest_gap = 0;
  for (Index k = 0; k < folds; ++k) {
    Formulation formulation = request.formulation;
    std::vector<double>& weight = formulation.sample_weight;
    if (weight.empty()) weight.assign(data.target.size(), 1.0);
    const std::vector<double> given = weight;
    double total = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (fold[i] == k) weight[i] = 0;
      const ClassWeight& by_class = formulation.class_weight;
      total += weight[i] * (data.target[i] == (*all.labels)[1] ? by_class.positive : by_class.negative);
    }
    const Prepared prepared = prepare(data, options.data.name(), formulation);
    const Penalised found = solve_penalised_watched(prepared.problem, options.liblinear.alpha(total), request.settings,
                                                    interrupt, options.shows_progress());
    if (interrupt.is_requested()) throw Interrupted();
    largest_gap = std::max(largest_gap, found.certificate.relative_gap);
    const Model model = make_model(prepared, formulation, found.result, false);
    const Scores scores = predict_scores(*data.A, model, request.settings.threads);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (fold[i] != k || given[i] == 0) continue;
      held_out.push_back(scores.all()[i]);
      targets.push_back(data.target[i]);
    }
  }
  const Fit fit = measure_fit(held_out, targets, *all.labels);
  if (options.is_json)
    print_json({{"folds", folds},
                {"accuracy", fit.accuracy},
                {"correct", fit.correct},
                {"largest_relative_gap", largest_gap}});
  else
    print(fmt::format("Cross Validation Accuracy = {:.6g}%\n", 100 * fit.accuracy));
  return largest_gap <= request.settings.tol ? kSuccess : kStopped;
}

}  // namespace pdbfw::cli
