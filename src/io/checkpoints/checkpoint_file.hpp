// How a checkpoint is laid out; docs/checkpoints.md has it byte by byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/checkpoint.hpp"

namespace pdbfw {

// As PNG has it: no text begins like this, and a changed line end or eighth bit shows.
inline constexpr std::string_view kCheckpointMagic = "\x89PDC\r\n\x1a\n";
inline constexpr std::uint32_t kCheckpointVersion = 1;

enum class CheckpointKind : std::uint32_t { vector = 0, matrix = 1 };

// The first bytes of the file, as they are: all members are little-endian and lie at their natural places. Then come
//   the options       one after the other: bytes of the name, bytes of the value (each 8 bytes), name, value
//   vector            the features whose x is not zero (8 bytes each), as many x, then y
//   matrix            U (d x rank), s (rank), V (c x rank), Y (n x k), row after row
//   a checksum        chunked_checksum() of all above
struct CheckpointHeader {
  std::array<char, kCheckpointMagic.size()> magic;
  std::uint32_t version;
  CheckpointKind kind;
  std::uint64_t file_bytes;
  std::uint64_t options;
  DataFingerprint data;
  std::int64_t iterations;
  double seconds, data_passes, multiply_adds, primal, dual, gap, relative_gap;
  std::int64_t nonzeros;
  std::int64_t is_certified;  // 0 or 1
  double multiplier;          // vector
  // vector: the length of x, how many of its entries are not zero, the length of y, 0, 0
  // matrix: d, rank, c, n, k
  std::array<std::int64_t, 5> sizes;
};
inline constexpr std::size_t kCheckpointHeaderBytes = 192;
static_assert(sizeof(CheckpointHeader) == kCheckpointHeaderBytes);

void write_checkpoint_to(TextSink& sink, const Checkpoint& checkpoint);
[[nodiscard]] Checkpoint read_checkpoint_from(ByteSource& source, const std::string& name);

// Whether the file begins as a checkpoint does; false for what cannot be read.
[[nodiscard]] bool is_checkpoint(const std::string& path);

// In a team: the point with the y of all rows at rank 0, which is to write it, and without y at the others; without a
// team as it is.
[[nodiscard]] Start gathered(Start own, const TeamPtr& team);
// The part of a point with all of y that belongs to the rows first_row .. first_row + rows - 1.
[[nodiscard]] Start of_rows(Start whole, Index first_row, Index rows);

namespace low_rank {
// The same for the rows of Y.
[[nodiscard]] Start gathered(Start own, const TeamPtr& team);
[[nodiscard]] Start of_rows(Start whole, Index first_row, Index rows);
}  // namespace low_rank

}  // namespace pdbfw
