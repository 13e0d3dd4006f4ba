#include "io/machine_memory.hpp"

#include <unistd.h>

namespace pdbfw {

Index machine_memory_bytes() {
  return static_cast<Index>(sysconf(_SC_PHYS_PAGES)) * static_cast<Index>(sysconf(_SC_PAGESIZE));
}

Index most_features_in_memory() {
  // A solver holds a handful of vectors as long as the data are wide.
  constexpr Index kVectors = 8;
  return machine_memory_bytes() / (kVectors * static_cast<Index>(sizeof(double)));
}

}  // namespace pdbfw
