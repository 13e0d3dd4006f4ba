#include "options.hpp"

#include <string>

namespace nb = nanobind;

namespace pdbfw::python {

Request request_of(const nb::dict& options) {
  Request request;
  for (const auto [name, value] : options) {
    const Field& known = field(nb::cast<const char*>(name));
    if (value.is_none()) continue;
    // Python writes a float with as many digits as bring the same bits back. NumPy's numbers are turned into Python's
    // before.
    known.set(request, nb::str(value).c_str());
  }
  return request;
}

}  // namespace pdbfw::python
