// Options by name, through the one table that the command line uses too (fields.hpp): same names, same rules, same
// messages.
#pragma once

#include <nanobind/nanobind.h>

#include "pdbfw/fields.hpp"

namespace pdbfw::python {

// A dictionary of names and values; None leaves the default.
[[nodiscard]] Request request_of(const nanobind::dict& options);

}  // namespace pdbfw::python
