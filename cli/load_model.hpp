// Models for the commands that use one.
#pragma once

#include <string>

#include "pdbfw/model.hpp"

namespace pdbfw::cli {

// A model that pdbfw::check_known finds nothing wrong with. Throws InputError that begins with the file's name.
[[nodiscard]] Model load_model(const std::string& path);
void require_known(const std::string& path, const Model& model);

}  // namespace pdbfw::cli
