// Several classes, one model a class against all others. The models share the data in memory.
//
//   const pdbfw::Classes classes = pdbfw::encode_classes(data.target);
//   const std::vector<pdbfw::Result> models = pdbfw::solve_one_vs_rest(data.A, classes, {.loss = "logistic"});
#pragma once

#include <vector>

#include "pdbfw/formulation.hpp"
#include "pdbfw/label_lists.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {

// +1 for the rows of this class (a place in classes.original), -1 for the others.
[[nodiscard]] std::vector<double> signs_of(const Classes& classes, Index place);

// A result for every class, each with its own certificate. The loss is one of two classes; class weights are those of
// all others (-1) and of the class itself (+1). The settings' limits are those of one solve. Where the callback stops
// one, those behind it are asked as well: they end where they begin, certified all the same. `starts` is empty or has
// one for each class. Throws InputError.
//
// With a team, A, the rows' places in `classes`, sample weights and the y of the starts are those of this member;
// classes.original are those of all rows, also where no row here is of some of them. All members call it. A result
// whose status is team_lost is the last one.
[[nodiscard]] std::vector<Result> solve_one_vs_rest(const MatrixPtr& A, const Classes& classes,
                                                    const Formulation& formulation, const Settings& settings = {},
                                                    const Callback& callback = {},
                                                    const std::vector<Start>& starts = {}, const TeamPtr& team = {});

}  // namespace pdbfw
