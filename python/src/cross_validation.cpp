#include "cross_validation.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "arrays.hpp"
#include "matrix.hpp"
#include "options.hpp"
#include "pdbfw/cross_validation.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace pdbfw::python {
namespace {

nb::dict to_dict(CrossValidation cv) {
  Matrix scores(static_cast<Index>(cv.of_fold.size()), static_cast<Index>(cv.radii.size()));
  for (std::size_t fold = 0; fold < cv.of_fold.size(); ++fold)
    for (std::size_t k = 0; k < cv.radii.size(); ++k)
      scores(static_cast<Index>(fold), static_cast<Index>(k)) = cv.of_fold[fold][k];
  nb::dict d;
  d["score"] = nb::str(cv.score.c_str());
  d["larger_is_better"] = cv.larger_is_better;
  d["radii"] = to_array(std::move(cv.radii));
  d["of_fold"] = to_table(std::move(scores));
  d["mean"] = to_array(std::move(cv.mean));
  d["standard_error"] = to_array(std::move(cv.standard_error));
  d["best"] = cv.best;
  d["one_standard_error"] = cv.one_standard_error;
  d["largest_relative_gap"] = cv.largest_relative_gap;
  d["is_complete"] = cv.is_complete;
  return d;
}

}  // namespace

void bind_cross_validation(nb::module_& module) {
  module.def(
      "cross_validate",
      [](const BorrowedMatrix& A, const Numbers& b, const nb::dict& options, const std::optional<Numbers>& radii,
         const std::string& score, Index folds, const std::optional<Integers>& groups,
         const std::optional<Numbers>& sample_weight, nb::object callback) {
        Request request = request_of(options);
        if (sample_weight) request.formulation.sample_weight = as_vector(*sample_weight);
        CrossValidationOptions wanted{.formulation = std::move(request.formulation), .score = score, .folds = folds};
        if (radii) wanted.radii = as_vector(*radii);
        if (groups) wanted.groups.assign(groups->data(), groups->data() + groups->size());
        const std::vector<double> targets = as_vector(b);
        Watch watch(std::move(callback));
        return to_dict(watch.run(
            [&](const Callback& between) { return cross_validate(A.A, targets, wanted, request.settings, between); }));
      },
      nb::arg("A"), nb::arg("b"), nb::arg("options"), nb::kw_only(), nb::arg("radii") = nb::none(), nb::arg("score"),
      nb::arg("folds"), nb::arg("groups") = nb::none(), nb::arg("sample_weight") = nb::none(),
      nb::arg("callback") = nb::none());
}

}  // namespace pdbfw::python
