#include "arrays.hpp"

#include <string>

namespace pdbfw::python {

std::span<const double> as_span(const char* name, const Numbers& array, Index size) {
  if (static_cast<Index>(array.size()) != size)
    throw InputError(name, std::to_string(array.size()) + " numbers", std::to_string(size) + " of them");
  return as_span(array);
}

}  // namespace pdbfw::python
