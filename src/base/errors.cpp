#include "pdbfw/errors.hpp"

#include <fmt/format.h>

namespace pdbfw {

InputError::InputError(std::string_view field, std::string_view value, std::string_view rule)
    : InputError(fmt::format("{}: {} breaks the rule: {}", field, value, rule)) {}

}  // namespace pdbfw
