// The idx format of MNIST: two zeros, the type of the elements, the number of dimensions, their sizes, the elements,
// all big-endian (docs/data-formats.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// By the first bytes of a file.
[[nodiscard]] bool is_idx(std::string_view head);

// The first dimension counts the rows; what the others count lies in a row one after the other.
[[nodiscard]] Dataset read_idx(ByteSource& source, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

// The numbers of a file with one dimension.
[[nodiscard]] std::vector<double> read_idx_labels(ByteSource& source, const std::string& name);

// ".../train-labels-idx1-ubyte.gz" for ".../train-images-idx3-ubyte.gz", compressed in whatever way it is there; empty
// when the name does not say images or there is no such file.
[[nodiscard]] std::string labels_beside_images(const std::string& path);

}  // namespace pdbfw
