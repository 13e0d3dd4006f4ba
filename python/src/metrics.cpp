#include "pdbfw/metrics.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <span>

#include "arrays.hpp"
#include "bindings.hpp"

namespace pdbfw::python {
namespace {

ScoreTable table_of(const Table& scores) { return {as_span(scores), static_cast<Index>(scores.shape(1))}; }

std::span<const double> weights_of(const std::optional<Numbers>& weight) {
  return weight ? as_span(*weight) : std::span<const double>();
}

}  // namespace

void bind_metrics(nb::module_& module) {
  module.def(
      "predicted_places", [](const Table& scores) { return to_array(predicted_places(table_of(scores))); }, "scores"_a);

  module.def(
      "accuracy",
      [](const Table& scores, const Integers& place, const std::optional<Numbers>& weight) {
        return accuracy(table_of(scores), as_span(place), weights_of(weight));
      },
      "scores"_a, "place"_a, "weight"_a = nb::none());

  module.def(
      "root_mean_squared_error",
      [](const Numbers& predicted, const Numbers& actual, const std::optional<Numbers>& weight) {
        return root_mean_squared_error(as_span(predicted), as_span(actual), weights_of(weight));
      },
      "predicted"_a, "actual"_a, "weight"_a = nb::none());

  module.def(
      "r_squared",
      [](const Numbers& predicted, const Numbers& actual, const std::optional<Numbers>& weight) {
        return r_squared(as_span(predicted), as_span(actual), weights_of(weight));
      },
      "predicted"_a, "actual"_a, "weight"_a = nb::none());
}

}  // namespace pdbfw::python
