// How much memory this machine has: files can ask for any amount.
#pragma once

#include "pdbfw/errors.hpp"

namespace pdbfw {

[[nodiscard]] Index machine_memory_bytes();

// The most features for which the vectors of a solver fit into this machine's memory.
[[nodiscard]] Index most_features_in_memory();

}  // namespace pdbfw
