// The module pdbfw._core: the library's functions over NumPy arrays. What users see is written in Python, in
// python/pdbfw; this layer only hands arrays and options over.
#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/version.hpp"

NB_MODULE(_core, module) {
  module.attr("version") = pdbfw::kVersion;
  nanobind::exception<pdbfw::InputError>(module, "InputError", PyExc_ValueError).attr("__doc__") =
      "A caller's mistake: the message names the argument, its value and the rule that it breaks.";

  using namespace pdbfw::python;
  for (const auto bind : {bind_catalogue, bind_matrix, bind_sparse, bind_cross_validation, bind_low_rank, bind_features,
                          bind_recovery, bind_model})
    bind(module);
}
