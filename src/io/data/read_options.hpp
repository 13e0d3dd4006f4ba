// ReadOptions: their rule, and how a matrix that is there already is made to meet them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {

// Throws InputError when min_features is out of range.
void check_read_options(const ReadOptions& options);

// The matrix itself when it is wide and narrow enough; else one that is. Dense data that are widened become sparse, as
// they would from text. Throws InputError for a value beyond the largest float.
[[nodiscard]] MatrixPtr fitted(const MatrixPtr& A, const ReadOptions& options);

// Throws InputError that begins with `name` for a matrix without rows, or wider than memory for weights.
void require_usable(Index rows, Index columns, const std::string& name);

// Throws InputError unless there is one finite number for each row.
void check_targets(const Dataset& data);

// From ReadOptions::labels; none: there was no such file.
using GivenTargets = std::optional<std::vector<double>>;

// For a format that holds no targets itself; zeros where none are given and none are needed. Throws InputError that
// begins with `name` when none are given but needed, or there is not one for each row. Asked before memory is taken for
// the rows that a header states: a file of as many numbers vouches for them, and without one they must fit into memory.
[[nodiscard]] std::vector<double> targets_for(Index rows, GivenTargets given, const std::string& name,
                                              bool needs_targets);

// So many of the first bytes decide.
inline constexpr std::size_t kFormatBytes = 16;

// How a cache file begins. As PNG has it: no text begins like this, and a changed line end or eighth bit shows.
inline constexpr std::string_view kCacheMagic = "\x89PDB\r\n\x1a\n";

// The one that is asked for; else by the first bytes (unpacked), then by the name (.csv, .npy.gz ...), else LIBSVM's.
[[nodiscard]] DataFormat recognise_format(std::string_view head, std::string_view path,
                                          DataFormat asked = DataFormat::automatic);

// Targets in a file of their own: one number per line, a .npy array or an idx file, plain or compressed.
[[nodiscard]] std::vector<double> read_labels(const std::string& path);

// One number per line; blank lines are skipped.
[[nodiscard]] std::vector<double> read_label_lines(ByteSource& source, const std::string& name);

}  // namespace pdbfw
