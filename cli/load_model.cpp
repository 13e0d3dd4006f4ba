#include "cli/load_model.hpp"

#include <fmt/format.h>

#include "apps/fit_rules.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw::cli {

Model load_model(const std::string& path) {
  Model model = read_model(path);
  require_known(path, model);
  return model;
}

void require_known(const std::string& path, const Model& model) {
  try {
    check_known(model);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path == "-" ? "standard input" : path, error.what()));
  }
}

}  // namespace pdbfw::cli
