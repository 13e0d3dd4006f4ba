#include "pdbfw/recovery.hpp"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <complex>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "base/names.hpp"
#include "bindings.hpp"
#include "exchange.hpp"

namespace pdbfw::python {
namespace {

using ComplexTable = nb::ndarray<const std::complex<double>, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Means means_of(const std::string& name) {
  constexpr std::array<std::string_view, 4> kMeans{"none", "rows", "columns", "both"};  // as in Means
  return static_cast<Means>(place_of("means", name, kMeans));
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

void bind_recovery(nb::module_& module) {
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
        return to_dict(Watch(std::move(callback)).run([&](const Callback& between) {
          return complete(entries, wanted, between);
        }));
      },
      "rows"_a, "columns"_a, "row"_a, "column"_a, "value"_a, "options"_a, nb::kw_only(), "radius"_a.none(), "means"_a,
      "holdout"_a, "callback"_a = nb::none());

  module.def(
      "retrieve_phase",
      [](const ComplexTable& a, const Numbers& b, const nb::dict& options, std::optional<double> radius,
         bool is_complex, nb::object callback) {
        const Request request = request_of(options);
        const ComplexMatrix rows =
            Eigen::Map<const ComplexMatrix>(a.data(), static_cast<Index>(a.shape(0)), static_cast<Index>(a.shape(1)));
        const Measurements measured = phase_measurements(rows, is_complex ? SignalKind::complex : SignalKind::real);
        PhaseRetrieval found = Watch(std::move(callback)).run([&](const Callback& between) {
          return retrieve_phase(measured, as_span(b), {.radius = radius, .settings = request.settings}, between);
        });
        nb::dict d = low_rank_to_dict(found.explanation.result);
        d["signal"] = to_table(std::move(found.x));
        d["radius"] = found.explanation.radius;
        d["misfit"] = found.explanation.misfit;
        return d;
      },
      "a"_a, "b"_a, "options"_a, nb::kw_only(), "radius"_a.none(), "is_complex"_a, "callback"_a = nb::none());
}

}  // namespace pdbfw::python
