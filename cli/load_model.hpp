// Models for the commands that use one.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "cli/labelled_data.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {

// A model whose loss and set are known, whose numbers are in range and whose classes fit the loss. Reading judges the
// text alone. Throws InputError that begins with the file's name.
[[nodiscard]] Model load_model(const std::string& path);
void require_known(const std::string& path, const Model& model);

// Throws InputError that begins with `name`, the model's, unless it is of one of these kinds.
void require_kind(const std::string& name, const Model& model, std::initializer_list<ModelKind> kinds);

// What the outputs of a matrix stand for.
[[nodiscard]] Targets targets_of(const Model& model);
// The classes or labels of the outputs, as they stand in the data.
[[nodiscard]] std::vector<double> names_of(const Model& model);

}  // namespace pdbfw::cli
