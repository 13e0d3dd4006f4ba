// Many fits of the same samples: a path of radii or penalties, and folds that are held out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/fit_rules.hpp"
#include "apps/model_problem.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/predict.hpp"

namespace pdbfw {
namespace {

struct PathResult {
  double radius;
  Result result;
  std::optional<Fitted::Penalty> penalty;
};

std::vector<PathResult> points_of(const Problem& problem, const PathRequest& request, const Settings& settings,
                                  const Callback& callback) {
  bool goes_on = true;
  const Callback watch = [&](const Progress& progress) { return goes_on = !callback || callback(progress); };
  std::vector<double> values = request.values;
  std::vector<PathResult> points;
  if (request.is_by_penalty) {
    if (values.empty()) values = path_alphas(problem, request.grid, settings.threads);
    for (Penalised& found : solve_penalties(problem, values, settings, request.stops_early, watch))
      points.push_back({found.radius, std::move(found.result), {{found.alpha, found.certificate}}});
    return points;
  }
  if (values.empty()) values = path_radii(problem, request.grid, settings, watch);
  if (!goes_on) return {};
  for (PathPoint& point : solve_path(problem, values, settings, watch))
    points.push_back({point.radius, std::move(point.result), std::nullopt});
  return points;
}

}  // namespace

std::vector<Fitted> fit_path(const Samples& samples, const Formulation& formulation, const PathRequest& request,
                             const Settings& settings, const Callback& callback) {
  if (kind_of(formulation) != ModelKind::vector || formulation.set == kPolytope)
    throw InputError("set", fmt::format("'{}'", formulation.set), "l1, simplex or nonnegative for a path of radii");
  const VectorProblem vector = make_vector_problem(samples, formulation);
  std::vector<Fitted> path;
  for (const PathResult& point : points_of(vector.problem, request, settings, callback)) {
    Fitted& fitted = path.emplace_back(begin_fit(ModelKind::vector, samples, formulation));
    add_result(vector, point.result, true, fitted);
    set_radius(point.radius, fitted);
    fitted.penalty = point.penalty;
    fitted.has_converged = point.result.status == Status::converged;
    fitted.measures =
        measure_fit(samples, fitted.model, predict_scores(*samples.A, fitted.model, settings.threads).table());
  }
  return path;
}

const Fitted& largest_radius_of(const std::vector<Fitted>& path, std::optional<Index> most_features) {
  const Fitted* best = nullptr;
  for (const Fitted& point : path) {
    const auto features = static_cast<Index>(point.model.weights.front().at.size());
    if (most_features && features > *most_features) continue;
    if (best == nullptr || point.formulation.radius > best->formulation.radius) best = &point;
  }
  if (best == nullptr)
    throw InputError("most_features", most_features ? fmt::format("{}", *most_features) : "none",
                     "at least as many as the smallest radius has; a smaller --smallest may help");
  return *best;
}

HeldOutFit fit_held_out(const Samples& samples, const Formulation& formulation, const FitOptions& options, Index folds,
                        const Callback& callback) {
  const std::vector<Index> fold = make_folds(samples.target, folds, options.settings.seed);
  const std::vector<double> weight =
      formulation.sample_weight.empty() ? std::vector<double>(samples.target.size(), 1.0) : formulation.sample_weight;
  FitOptions without_extras = options;
  without_extras.keeps_proof = without_extras.measures_fit = false;
  HeldOutFit out;
  bool goes_on = true;
  const Callback watch = [&](const Progress& progress) { return goes_on = !callback || callback(progress); };
  std::vector<double> scores;  // by the models that have not seen the row
  std::vector<Index> places;
  for (Index k = 0; k < folds; ++k) {
    Formulation of_others = formulation;
    of_others.sample_weight = weight;
    for (std::size_t i = 0; i < fold.size(); ++i)
      if (fold[i] == k) of_others.sample_weight[i] = 0;
    const Fitted fitted = fit(samples, of_others, without_extras, watch);
    if (!goes_on) return {.is_complete = false};
    const Certificate& certificate = fitted.penalty ? fitted.penalty->certificate : fitted.outcomes[0].certificate;
    out.largest_relative_gap = std::max(out.largest_relative_gap, certificate.relative_gap);
    const Scores found = predict_scores(*samples.A, fitted.model, options.settings.threads);
    for (std::size_t i = 0; i < fold.size(); ++i) {
      if (fold[i] != k || weight[i] == 0) continue;
      scores.push_back(found.score(static_cast<Index>(i), 0));
      places.push_back(samples.target[i] == fitted.model.classes[1] ? 1 : 0);
    }
  }
  out.accuracy = accuracy({scores, 1}, places);
  out.correct = std::llround(out.accuracy * static_cast<double>(places.size()));
  return out;
}

}  // namespace pdbfw
