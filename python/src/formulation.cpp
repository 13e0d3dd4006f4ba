#include "formulation.hpp"

#include <string>
#include <utility>

#include "arrays.hpp"
#include "matrix.hpp"

namespace nb = nanobind;

namespace pdbfw::python {

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
