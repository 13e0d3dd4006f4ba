#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "core/verdict.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::python {
namespace {

nb::list to_list(const std::vector<SolverDescription>& solvers) {
  nb::list all;
  for (const SolverDescription& solver : solvers) {
    nb::dict d;
    d["name"] = solver.name;
    d["summary"] = solver.summary;
    d["reference"] = solver.reference;
    d["losses"] = solver.losses;
    d["sets"] = solver.sets;
    d["needs_ridge"] = solver.needs_ridge;
    d["takes_intercept"] = solver.takes_intercept;
    d["takes_free_features"] = solver.takes_free_features;
    d["options"] = std::vector<std::string_view>(solver.options.begin(), solver.options.end());
    all.append(d);
  }
  return all;
}

}  // namespace

void bind_catalogue(nb::module_& module) {
  module.def("losses", &loss_names);
  module.def("low_rank_losses", &low_rank::loss_names);
  module.def("solvers", [] { return to_list(solver_descriptions()); });
  module.def("low_rank_solvers", [] { return to_list(low_rank::solver_descriptions()); });
  module.def("statuses", [] {
    std::vector<std::string_view> names;
    for (const Status status : statuses()) names.push_back(to_string(status));
    return names;
  });
  // "1/n" as a number, for samples of this weight in all.
  module.def(
      "ridge_weight", [](const std::string& ridge, double n) { return Ridge::parse(ridge).weight(n); }, "ridge"_a,
      "n"_a);
  module.def("options", [] {
    nb::dict all;
    for (const Field& field : fields()) {
      nb::dict d;
      d["values"] = field.values;
      d["meaning"] = field.meaning;
      d["default"] = nb::str(field.text(Request{}).c_str());
      all[nb::str(field.name.data(), field.name.size())] = d;
    }
    return all;
  });
}

}  // namespace pdbfw::python
