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

  pdbfw::python::bind_catalogue(module);
  pdbfw::python::bind_matrix(module);
  pdbfw::python::bind_metrics(module);
  pdbfw::python::bind_sparse(module);
  pdbfw::python::bind_cross_validation(module);
  pdbfw::python::bind_joint(module);
  pdbfw::python::bind_low_rank(module);
  pdbfw::python::bind_features(module);
  pdbfw::python::bind_completion(module);
  pdbfw::python::bind_phase(module);
  pdbfw::python::bind_model(module);
}
