#include "problem.hpp"

#include <string>
#include <utility>

namespace nb = nanobind;

namespace pdbfw::python {

Request request_of(const nb::dict& options) {
  Request request;
  for (const auto [name, value] : options) {
    const Field& known = field(nb::cast<const char*>(name));
    if (value.is_none()) continue;
    // Python writes a float with as many digits as bring the same bits back. NumPy's numbers are turned into Python's
    // before.
    known.set(request, nb::str(value).c_str());
  }
  return request;
}

Formulation formulation_of(const Request& request, const nb::dict& arrays, const DataMatrix& A) {
  Formulation formulation = request.formulation;
  for (const auto& [name, slot] :
       {std::pair{"sample_weight", &formulation.sample_weight}, std::pair{"ridge_scale", &formulation.ridge_scale},
        std::pair{"penalty_weight", &formulation.penalty_weight}})
    if (arrays.contains(name)) *slot = as_vector(nb::cast<Numbers>(arrays[name]));
  if (arrays.contains("free_features"))
    formulation.free_features = as_vector(nb::cast<Integers>(arrays["free_features"]));
  for (const Index j : formulation.free_features)
    if (j < 0 || j >= A.columns())
      throw InputError("free_features", std::to_string(j), "features from 0 to " + std::to_string(A.columns() - 1));
  if (arrays.contains("atoms")) formulation.atoms = nb::cast<const BorrowedMatrix&>(arrays["atoms"]).A;
  return formulation;
}

}  // namespace pdbfw::python
