// What every data file asks of the targets.
#pragma once

#include "pdbfw/dataset.hpp"

namespace pdbfw {

// Throws InputError unless there is one finite number for each row.
void check_targets(const Dataset& data);

}  // namespace pdbfw
