// Many fits of the same samples: a path of radii or penalties, cross-validation, and folds that are held out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

#include "apps/fit_rules.hpp"
#include "apps/model_problem.hpp"
#include "apps/named.hpp"
#include "apps/registry.hpp"
#include "base/random.hpp"
#include "base/team.hpp"
#include "linalg/above.hpp"
#include "linalg/products.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/metrics.hpp"
#include "pdbfw/predict.hpp"

namespace pdbfw {
namespace {

using Column = std::span<const double>;

struct Score {
  double (*of)(Column scores, Column targets, Column weight);
  bool larger_is_better;
  bool needs_labels;
};

constexpr auto kScores = std::to_array<Entry<Score>>({
    {"accuracy", {sign_accuracy, true, true}},
    {"auc", {area_under_curve, true, true}},
    {"f1", {positive_f1, true, true}},
    {"log_loss", {log_loss, false, true}},
    {"rmse", {[](Column s, Column b, Column w) { return root_mean_squared_error(s, b, w); }, false, false}},
    {"r2", {[](Column s, Column b, Column w) { return r_squared(s, b, w); }, true, false}},
});

std::string chosen_score(const CrossValidationOptions& options, bool are_labels) {
  if (options.score == "auto") return are_labels ? "accuracy" : "rmse";
  const Score score = find("score", kScores, options.score).make;
  if (score.needs_labels != are_labels)
    throw InputError(
        "score", fmt::format("'{}'", options.score),
        fmt::format("one of {} for the loss {}", are_labels ? "labels" : "numbers", options.formulation.loss));
  if (options.score == "log_loss" && options.formulation.loss != "logistic")
    throw InputError("score", "'log_loss'", fmt::format("for the loss logistic, not for {}", options.formulation.loss));
  return options.score;
}

// Whole groups, the largest first, each to the fold with the fewest rows; groups of one size in random order.
std::vector<Index> grouped_folds(std::span<const Index> groups, Index folds, std::uint64_t seed) {
  std::map<Index, Index> size;
  for (const Index group : groups) ++size[group];
  if (static_cast<Index>(size.size()) < folds)
    throw InputError("groups", fmt::format("{} of them", size.size()), fmt::format("at least {}, the folds", folds));
  struct Group {
    Index id, rows;
    std::uint64_t lot;
  };
  Random random(seed);
  std::vector<Group> order;
  for (const auto& [id, rows] : size)
    order.push_back({id, rows, random.below(std::numeric_limits<std::uint32_t>::max())});
  std::sort(order.begin(), order.end(),
            [](const Group& a, const Group& b) { return a.rows != b.rows ? a.rows > b.rows : a.lot < b.lot; });
  std::vector<Index> filled(static_cast<std::size_t>(folds), 0);
  std::map<Index, Index> fold_of;
  for (const Group& group : order) {
    const auto least = std::min_element(filled.begin(), filled.end());
    *least += group.rows;
    fold_of[group.id] = least - filled.begin();
  }
  std::vector<Index> fold;
  for (const Index group : groups) fold.push_back(fold_of[group]);
  return fold;
}

// The rows of this fold do not count.
Formulation without_fold(Formulation f, std::span<const Index> fold, Index own) {
  if (f.sample_weight.empty()) f.sample_weight.assign(fold.size(), 1.0);
  for (std::size_t i = 0; i < fold.size(); ++i)
    if (fold[i] == own) f.sample_weight[i] = 0;
  return f;
}

struct PathResult {
  double radius;
  Result result;
  std::optional<Fitted::Penalty> penalty;

  // Of the problem that was asked for.
  [[nodiscard]] const Certificate& certificate() const { return penalty ? penalty->certificate : result.certificate; }
};

std::vector<PathResult> by_penalty(const Problem& problem, const std::vector<double>& alphas, const Settings& settings,
                                   bool stops_early, const Callback& callback) {
  std::vector<PathResult> path;
  for (Penalised& found : solve_penalties(problem, alphas, settings, stops_early, callback))
    path.push_back({found.radius, std::move(found.result), {{found.alpha, found.certificate}}});
  return path;
}

std::vector<PathResult> by_radius(const Problem& problem, const std::vector<double>& radii, const Settings& settings,
                                  const Callback& callback) {
  std::vector<PathResult> path;
  for (PathPoint& found : solve_path(problem, radii, settings, callback))
    path.push_back({found.radius, std::move(found.result), std::nullopt});
  return path;
}

// A x and what the intercept and free features add to it.
std::vector<double> predictions(const Problem& p, const Result& result, int threads) {
  const std::vector<Index> support = nonzero_positions(result.x, threads);
  std::vector<double> values, w(p.loss->size()), t = result.free_weights;
  for (const Index j : support) values.push_back(result.x[static_cast<std::size_t>(j)]);
  multiply_columns(*p.A, support, values, w, threads);
  if (p.has_intercept) t.push_back(result.intercept);
  return shifted(w, p.loss->free_columns(), t);
}

// The score of every point of the path on the rows of this fold, by their weights.
std::vector<double> scores_on(const Problem& p, const std::vector<PathResult>& path, std::span<const Index> fold,
                              Index own, std::span<const double> b, std::span<const double> weight, int threads,
                              const Score& score) {
  std::vector<double> out;
  for (const PathResult& point : path) {
    const std::vector<double> w = predictions(p, point.result, threads);
    std::vector<double> predicted, target, counts;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (fold[i] != own || (!weight.empty() && weight[i] == 0)) continue;
      predicted.push_back(w[i]);
      target.push_back(b[i]);
      if (!weight.empty()) counts.push_back(weight[i]);
    }
    out.push_back(score.of(predicted, target, counts));
  }
  return out;
}

// What is compared, the sparsest model first.
void find_values(const Problem& whole, const CrossValidationOptions& options, const Settings& settings,
                 const Callback& callback, CrossValidation& cv) {
  if (!options.radii.empty() && (options.is_by_penalty || !options.alphas.empty()))
    throw InputError("radii", "given", "none where penalties are compared");
  if (options.is_by_penalty || !options.alphas.empty()) {
    cv.alphas = options.alphas.empty() ? path_alphas(whole, options.path, settings.threads) : options.alphas;
    std::sort(cv.alphas.rbegin(), cv.alphas.rend());
  } else {
    cv.radii = options.radii.empty() ? path_radii(whole, options.path, settings, callback) : options.radii;
    std::sort(cv.radii.begin(), cv.radii.end());
  }
}

// Mean, standard error of the mean, and the two choices.
void summarise(CrossValidation& cv) {
  const auto folds = static_cast<double>(cv.of_fold.size());
  const double sign = cv.larger_is_better ? 1 : -1;
  for (std::size_t r = 0; r < cv.of_fold.front().size(); ++r) {
    double mean = 0, squares = 0;
    for (const std::vector<double>& scores : cv.of_fold) mean += scores[r] / folds;
    for (const std::vector<double>& scores : cv.of_fold) squares += (scores[r] - mean) * (scores[r] - mean);
    cv.mean.push_back(mean);
    cv.standard_error.push_back(folds > 1 ? std::sqrt(squares / (folds - 1) / folds) : 0);
    if (sign * cv.mean[r] > sign * cv.mean[cv.best]) cv.best = r;
  }
  const double enough = sign * cv.mean[cv.best] - cv.standard_error[cv.best];
  while (sign * cv.mean[cv.one_standard_error] < enough) ++cv.one_standard_error;
}

}  // namespace

std::vector<double> path_radii(const Problem& problem, const PathOptions& options, const Settings& settings,
                               const Callback& callback) {
  std::vector<double> radii = path_shares(options);
  const Result whole = solve(problem, settings, callback);
  double norm = 0;
  for (const double x_j : whole.x) norm += std::abs(x_j);
  const double largest = norm > 0 ? std::min(norm, problem.set->radius()) : problem.set->radius();
  for (double& radius : radii) radius *= largest;
  return radii;
}

std::vector<Index> make_folds(std::span<const double> targets, Index folds, std::uint64_t seed,
                              std::span<const Index> groups) {
  Splitter::validate({.folds = folds});
  if (folds > static_cast<Index>(targets.size()))
    throw InputError("folds", fmt::format("{}", folds), fmt::format("at most {}, the rows", targets.size()));
  if (!groups.empty()) {
    if (groups.size() != targets.size())
      throw InputError("groups", fmt::format("{} of them", groups.size()),
                       fmt::format("one for each of {} rows", targets.size()));
    return grouped_folds(groups, folds, seed);
  }
  std::vector<Index> fold(targets.size());
  for (Index k = 1; k <= folds; ++k) {
    Splitter splitter({.folds = folds, .fold = k, .seed = seed});
    for (const double target : targets) splitter.count(target);
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (splitter.is_test(targets[i])) fold[i] = k - 1;
  }
  return fold;
}

CrossValidation cross_validate(const Samples& samples, const CrossValidationOptions& options, const Settings& settings,
                               const Callback& callback) {
  CrossValidation cv;
  cv.score = chosen_score(options, make_loss(options.formulation)->target_kind() == TargetKind::labels);
  const Score score = find("score", kScores, cv.score).make;
  cv.larger_is_better = score.larger_is_better;
  bool goes_on = true;
  const Callback watch = [&](const Progress& progress) { return goes_on = !callback || callback(progress); };
  const VectorProblem whole = make_vector_problem(samples, options.formulation);
  const std::vector<double> b = whole.classes.empty() ? samples.target : signs_of(samples.target, whole.classes[1]);
  const std::vector<Index> fold = make_folds(b, options.folds, settings.seed, options.groups);
  find_values(whole.problem, options, settings, watch, cv);

  for (Index k = 0; k < options.folds && goes_on; ++k) {
    const Problem problem = make_problem(samples.A, b, without_fold(options.formulation, fold, k));
    const std::vector<PathResult> path = cv.alphas.empty() ? by_radius(problem, cv.radii, settings, watch)
                                                           : by_penalty(problem, cv.alphas, settings, false, watch);
    if (!goes_on) break;
    for (const PathResult& point : path)
      cv.largest_relative_gap = std::max(cv.largest_relative_gap, point.certificate().relative_gap);
    cv.of_fold.push_back(
        scores_on(problem, path, fold, k, b, options.formulation.sample_weight, settings.threads, score));
  }
  cv.is_complete = goes_on;
  if (!cv.of_fold.empty()) summarise(cv);
  return cv;
}

namespace {

// The folds of the rows here, dealt out as if all rows were in one place.
std::vector<Index> own_folds(const std::vector<double>& b, Index folds, std::uint64_t seed, const TeamPtr& team) {
  if (!team) return make_folds(b, folds, seed);
  const std::vector<double> rows = gathered_at_all(team, {static_cast<double>(b.size())});
  const double before = std::accumulate(rows.begin(), rows.begin() + team->rank(), 0.0);
  const std::vector<Index> fold = make_folds(gathered_at_all(team, b), folds, seed);
  const auto begin = fold.begin() + static_cast<std::ptrdiff_t>(before);
  return {begin, begin + static_cast<std::ptrdiff_t>(b.size())};
}

}  // namespace

std::vector<double> out_of_fold_scores(const MatrixPtr& A, const std::vector<double>& b, const Formulation& formulation,
                                       const Settings& settings, const Callback& callback, Index folds,
                                       const TeamPtr& team) {
  const std::vector<Index> fold = own_folds(b, folds, settings.seed, team);
  std::vector<double> scores(b.size());
  for (Index k = 0; k < folds; ++k) {
    const Problem problem = make_problem(A, b, without_fold(formulation, fold, k), team);
    const Result result = solve(problem, settings, callback);
    if (result.status == Status::team_lost) throw TeamLost(result.message);
    if (result.status == Status::interrupted) return {};  // at all members, whichever member's callback it was
    std::vector<double> w(b.size());
    multiply(*A, feature_weights(problem, result), w, settings.threads);
    for (std::size_t i = 0; i < b.size(); ++i)
      if (fold[i] == k) scores[i] = w[i] + result.intercept;
  }
  return scores;
}

std::vector<std::string_view> score_names() { return names(kScores); }

namespace {

std::vector<PathResult> points_of(const Problem& problem, const PathRequest& request, const Settings& settings,
                                  const Callback& callback) {
  bool goes_on = true;
  const Callback watch = [&](const Progress& progress) { return goes_on = !callback || callback(progress); };
  std::vector<double> values = request.values;
  if (request.is_by_penalty) {
    if (values.empty()) values = path_alphas(problem, request.grid, settings.threads);
    return by_penalty(problem, values, settings, request.stops_early, watch);
  }
  if (values.empty()) values = path_radii(problem, request.grid, settings, watch);
  return goes_on ? by_radius(problem, values, settings, watch) : std::vector<PathResult>();
}

}  // namespace

std::vector<Fitted> fit_path(const Samples& samples, const Formulation& formulation, const PathRequest& request,
                             const Settings& settings, const Callback& callback) {
  if (kind_of(formulation) != ModelKind::vector || formulation.set == kPolytope)
    throw InputError("set", fmt::format("'{}'", formulation.set), "l1, simplex or nonnegative for a path of radii");
  const VectorProblem vector = make_vector_problem(samples, formulation);
  std::vector<Fitted> path;
  for (const PathResult& point : points_of(vector.problem, request, settings, callback)) {
    Formulation in_force = formulation;
    in_force.radius = point.radius;
    Fitted& fitted = path.emplace_back(fitted_of(vector, samples, in_force, point.result, true));
    fitted.penalty = point.penalty;
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
  const std::vector<double>& weight = formulation.sample_weight;
  FitOptions without_extras = options;
  without_extras.keeps_proof = without_extras.measures_fit = false;
  HeldOutFit out;
  bool goes_on = true;
  const Callback watch = [&](const Progress& progress) { return goes_on = !callback || callback(progress); };
  std::vector<double> scores;  // by the models that have not seen the row
  std::vector<Index> places;
  for (Index k = 0; k < folds; ++k) {
    const Fitted fitted = fit(samples, without_fold(formulation, fold, k), without_extras, watch);
    if (!goes_on) return {.is_complete = false};
    const Certificate& certificate = fitted.penalty ? fitted.penalty->certificate : fitted.outcomes[0].certificate;
    out.largest_relative_gap = std::max(out.largest_relative_gap, certificate.relative_gap);
    const Scores found = predict_scores(*samples.A, fitted.model, options.settings.threads);
    for (std::size_t i = 0; i < fold.size(); ++i) {
      if (fold[i] != k || (!weight.empty() && weight[i] == 0)) continue;
      scores.push_back(found.score(static_cast<Index>(i), 0));
      places.push_back(samples.target[i] == fitted.model.classes[1] ? 1 : 0);
    }
  }
  out.accuracy = accuracy({scores, 1}, places);
  out.correct = std::llround(out.accuracy * static_cast<double>(places.size()));
  return out;
}

}  // namespace pdbfw
