// How a mapped model is laid out; docs/model-file.md has it byte by byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/raw_input.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

// As PNG has it: no text begins like this, and a changed line end or eighth bit shows.
inline constexpr std::string_view kMappedModelMagic = "\x89PDM\r\n\x1a\n";
inline constexpr std::uint32_t kMappedModelVersion = 2;
inline constexpr std::uint64_t kMappedModelAlignment = 64;

// The first bytes of the file, as they are: all members are little-endian and lie at their natural places. Then come
//   the head          the model's text, which lists neither weights nor proof
//   zeros             up to a multiple of 64 bytes
//   the weights       float64, one per feature
//   the proof         float64, one per sample; where the head has a proof
//   a checksum        chunked_checksum() of all above
struct MappedModelHeader {
  std::array<char, kMappedModelMagic.size()> magic;
  std::uint32_t version;
  std::uint32_t reserved;  // 0
  std::uint64_t file_bytes;
  std::uint64_t head_bytes;
};
inline constexpr std::size_t kMappedModelHeaderBytes = 32;
static_assert(sizeof(MappedModelHeader) == kMappedModelHeaderBytes);

// Where the weights begin.
[[nodiscard]] constexpr std::size_t after_head(const MappedModelHeader& header) {
  return (sizeof(header) + header.head_bytes + kMappedModelAlignment - 1) / kMappedModelAlignment *
         kMappedModelAlignment;
}

// By the first bytes of a file.
[[nodiscard]] bool begins_mapped_model(std::string_view head);

// The model lies in the file's memory and keeps it. `name` is what messages call the file.
[[nodiscard]] MappedModel open_mapped_model(const LoadedFile& file, const std::string& name);

// Throws InputError for a model that could not be read back, or that is not of the kind vector.
void check_mapped_model(const Model& model);

// Checks first, so a model that breaks a rule leaves no bytes.
void write_mapped_model(TextSink& sink, const Model& model);

}  // namespace pdbfw
