// What a reader says of a file that it cannot take.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "pdbfw/errors.hpp"

namespace pdbfw {

[[noreturn]] inline void fail(const std::string& name, std::string_view what) {
  throw InputError(fmt::format("{}: {}", name, what));
}

}  // namespace pdbfw
