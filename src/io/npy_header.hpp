// The header of a .npy array: a Python dictionary in one line of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

struct NpyHeader {
  std::string type;  // as NumPy writes it: "<f8"
  bool is_fortran = false;
  std::vector<Index> shape;
};

// "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"; throws InputError that begins with `name`.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view text, const std::string& name);

}  // namespace pdbfw
