// What the module is made of, a file each.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

namespace nb = nanobind;
using namespace nb::literals;

void bind_catalogue(nb::module_& module);         // what there is to choose from: losses, sets, solvers, options
void bind_matrix(nb::module_& module);            // data matrices over NumPy's own memory
void bind_sparse(nb::module_& module);            // vectors of weights: solve and certify, paths of radii and penalties
void bind_cross_validation(nb::module_& module);  // which radius? cross-validation, and how good predictions are
void bind_low_rank(nb::module_& module);  // matrices of weights: of low rank, and sparse ones of several classes
void bind_recovery(nb::module_& module);  // matrix completion, phase retrieval
void bind_features(nb::module_& module);  // random binning and random Fourier features
void bind_model(nb::module_& module);     // model files

// What `work` gives back, which is worked out without the interpreter's lock.
template <class Work>
auto released(const Work& work) {
  const nb::gil_scoped_release no_lock;
  return work();
}

}  // namespace pdbfw::python
