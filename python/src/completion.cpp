#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "outcome.hpp"
#include "pdbfw/recovery.hpp"
#include "problem.hpp"
#include "watch.hpp"

namespace pdbfw::python {
namespace {

Means means_of(const std::string& name) {
  if (name == "none") return Means::none;
  if (name == "rows") return Means::rows;
  if (name == "columns") return Means::columns;
  if (name == "both") return Means::both;
  throw InputError("means", "'" + name + "'", "none | rows | columns | both");
}

nb::dict to_dict(Completion done) {
  nb::dict d = low_rank_to_dict(done.result);
  d["mean"] = done.means.mean;
  d["row_means"] = to_array(std::move(done.means.row));
  d["column_means"] = to_array(std::move(done.means.column));
  d["radius"] = done.radius;
  d["held_out"] = nb::none();
  if (done.held_out) {
    nb::dict held_out;
    held_out["entries"] = done.held_out->entries;
    held_out["rmse"] = done.held_out->rmse;
    held_out["mae"] = done.held_out->mae;
    d["held_out"] = held_out;
  }
  return d;
}

}  // namespace

void bind_completion(nb::module_& module) {
  module.def(
      "complete",
      [](Index rows, Index columns, const Integers& row, const Integers& column, const Numbers& value,
         const nb::dict& options, std::optional<double> radius, const std::string& means, double holdout,
         nb::object callback) {
        const Request request = request_of(options);
        const EntriesView entries{rows, columns, as_span(row), as_span(column), as_span(value)};
        const CompletionOptions wanted{.loss = request.formulation.loss,
                                       .huber_width = request.formulation.huber_width,
                                       .means = means_of(means),
                                       .radius = radius,
                                       .ridge = request.formulation.ridge,
                                       .holdout = holdout,
                                       .settings = request.settings};
        Watch watch(std::move(callback));
        return to_dict(watch.run([&](const Callback& between) { return complete(entries, wanted, between); }));
      },
      "rows"_a, "columns"_a, "row"_a, "column"_a, "value"_a, "options"_a, nb::kw_only(), "radius"_a.none(), "means"_a,
      "holdout"_a, "callback"_a = nb::none());
}

}  // namespace pdbfw::python
