#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <complex>
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

using ComplexTable = nb::ndarray<const std::complex<double>, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

}  // namespace

void bind_phase(nb::module_& module) {
  module.def(
      "retrieve_phase",
      [](const ComplexTable& a, const Numbers& b, const nb::dict& options, std::optional<double> radius,
         bool is_complex, nb::object callback) {
        const Request request = request_of(options);
        const ComplexMatrix rows =
            Eigen::Map<const ComplexMatrix>(a.data(), static_cast<Index>(a.shape(0)), static_cast<Index>(a.shape(1)));
        const Measurements measured = phase_measurements(rows, is_complex ? SignalKind::complex : SignalKind::real);
        Watch watch(std::move(callback));
        PhaseRetrieval found = watch.run([&](const Callback& between) {
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
