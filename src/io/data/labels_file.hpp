// Targets in a file of their own: one number per line, a .npy array or an idx file, plain or compressed.
#pragma once

#include <string>
#include <vector>

#include "io/bytes/byte_streams.hpp"

namespace pdbfw {

[[nodiscard]] std::vector<double> read_labels(const std::string& path);

// One number per line; blank lines are skipped.
[[nodiscard]] std::vector<double> read_label_lines(ByteSource& source, const std::string& name);

}  // namespace pdbfw
