#include "pdbfw/cross_validation.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "exchange.hpp"
#include "pdbfw/metrics.hpp"

namespace pdbfw::python {
namespace {

nb::dict to_dict(CrossValidation cv) {
  const std::size_t count = std::max(cv.radii.size(), cv.alphas.size());
  Matrix scores(static_cast<Index>(cv.of_fold.size()), static_cast<Index>(count));
  for (std::size_t fold = 0; fold < cv.of_fold.size(); ++fold)
    for (std::size_t k = 0; k < count; ++k)
      scores(static_cast<Index>(fold), static_cast<Index>(k)) = cv.of_fold[fold][k];
  nb::dict d;
  d["score"] = nb::str(cv.score.c_str());
  d["larger_is_better"] = cv.larger_is_better;
  d["radii"] = cv.radii.empty() ? nb::none() : nb::object(to_array(std::move(cv.radii)));
  d["alphas"] = cv.alphas.empty() ? nb::none() : nb::object(to_array(std::move(cv.alphas)));
  d["of_fold"] = to_table(std::move(scores));
  d["mean"] = to_array(std::move(cv.mean));
  d["standard_error"] = to_array(std::move(cv.standard_error));
  d["best"] = cv.best;
  d["one_standard_error"] = cv.one_standard_error;
  d["largest_relative_gap"] = cv.largest_relative_gap;
  d["is_complete"] = cv.is_complete;
  return d;
}

nb::tuple sigmoid_of_folds(const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const nb::dict& arrays,
                           nb::object callback) {
  const Request request = request_of(options);
  const Formulation formulation = formulation_of(request, arrays, *A.A);
  const std::vector<double> targets = as_vector(b);
  const std::vector<double> scores = Watch(std::move(callback)).run([&](const Callback& between) {
    return out_of_fold_scores(A.A, targets, formulation, request.settings, between);
  });
  const Sigmoid sigmoid = fit_sigmoid(scores, targets);
  return nb::make_tuple(sigmoid.slope, sigmoid.offset);
}

nb::dict scores_of_path(const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const nb::dict& arrays,
                        const std::optional<Numbers>& radii, const std::optional<Numbers>& alphas, bool is_by_penalty,
                        const std::string& score, Index folds, const std::optional<Integers>& groups,
                        nb::object callback) {
  const Request request = request_of(options);
  CrossValidationOptions wanted{.formulation = formulation_of(request, arrays, *A.A),
                                .is_by_penalty = is_by_penalty,
                                .score = score,
                                .folds = folds};
  if (radii) wanted.radii = as_vector(*radii);
  if (alphas) wanted.alphas = as_vector(*alphas);
  if (groups) wanted.groups = as_vector(*groups);
  const std::vector<double> targets = as_vector(b);
  return to_dict(Watch(std::move(callback)).run([&](const Callback& between) {
    return cross_validate({.A = A.A, .target = targets}, wanted, request.settings, between);
  }));
}

ScoreTable table_of(const Table& scores) { return {as_span(scores), static_cast<Index>(scores.shape(1))}; }

std::span<const double> weights_of(const std::optional<Numbers>& weight) {
  return weight ? as_span(*weight) : std::span<const double>();
}

}  // namespace

void bind_cross_validation(nb::module_& module) {
  module.def("scores", &score_names);

  module.def(
      "make_folds",
      [](const Numbers& targets, Index folds, std::uint64_t seed, const std::optional<Integers>& groups) {
        return to_array(
            make_folds(as_span(targets), folds, seed, groups ? as_span(*groups) : std::span<const Index>()));
      },
      "targets"_a, "folds"_a, "seed"_a, "groups"_a = nb::none());

  module.def("fit_sigmoid", &sigmoid_of_folds, "A"_a, "b"_a, "options"_a, "arrays"_a, nb::kw_only(),
             "callback"_a = nb::none());

  module.def("cross_validate", &scores_of_path, "A"_a, "b"_a, "options"_a, "arrays"_a, nb::kw_only(),
             "radii"_a = nb::none(), "alphas"_a = nb::none(), "is_by_penalty"_a = false, "score"_a, "folds"_a,
             "groups"_a = nb::none(), "callback"_a = nb::none());

  module.def(
      "predicted_places", [](const Table& scores) { return to_array(predicted_places(table_of(scores))); }, "scores"_a);

  module.def(
      "accuracy",
      [](const Table& scores, const Integers& place, const std::optional<Numbers>& weight) {
        return accuracy(table_of(scores), as_span(place), weights_of(weight));
      },
      "scores"_a, "place"_a, "weight"_a = nb::none());

  for (const auto& [name, measure] :
       {std::pair{"root_mean_squared_error", &root_mean_squared_error}, std::pair{"r_squared", &r_squared}})
    module.def(
        name,
        [of = measure](const Numbers& predicted, const Numbers& actual, const std::optional<Numbers>& weight) {
          return of(as_span(predicted), as_span(actual), weights_of(weight), {});
        },
        "predicted"_a, "actual"_a, "weight"_a = nb::none());
}

}  // namespace pdbfw::python
