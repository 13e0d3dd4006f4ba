// Models from memory and to any sink; read_model and write_model (pdbfw/model.hpp) are these on files. And the texts
// that they consist of: pdbfw's own, which docs/model-file.md specifies, and LIBLINEAR's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/output_file.hpp"
#include "io/bytes/text.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

// `name` is what messages call the text.
[[nodiscard]] Model parse_model(std::string_view text, const std::string& name);
// Checks first, so a model that breaks a rule leaves no text.
void write_model_to(TextSink& sink, const Model& model, ModelFormat format = ModelFormat::pdbfw);
// Leaves the commit to the caller; what is wrong with the model begins with the file's name.
void write_model_to(OutputFile& file, const Model& model, ModelFormat format = ModelFormat::pdbfw);

inline constexpr std::string_view kModelMagic = "pdbfw-model";
inline constexpr std::string_view kLiblinearMagic = "solver_type";

// The names of ModelKind, in its order.
inline constexpr std::array<std::string_view, 4> kModelKinds{"vector", "one_vs_rest", "joint", "matrix"};

// Losses, sets and maps are named with small letters, digits and _.
[[nodiscard]] bool is_model_name(std::string_view name);

// How many certificates a model of this kind has, if any.
[[nodiscard]] Index certificates_of(ModelKind kind, Index outputs);

// `lines` stands behind the first word of the first line.
[[nodiscard]] Model read_liblinear_model(TextLines& lines);

// Throw InputError for a model that could not be read back; LIBLINEAR's files hold the kind vector alone, with its
// losses and whole numbers as classes, mapped models the kind vector alone.
void check_model(const Model& model);
void check_liblinear_model(const Model& model);
void check_model(const Model& model, ModelFormat format);

// Of a model that has been checked.
void write_liblinear_model(TextSink& sink, const Model& model);

// What a file of this name is to hold unless the caller says otherwise: mapped if it ends in .pdbm, else pdbfw.
[[nodiscard]] ModelFormat format_by_name(const std::string& path);

// Whether a file is a mapped model, by its first bytes; false for what cannot be opened, and for pipes and "-", which
// can be read only once.
[[nodiscard]] bool is_mapped_model(const std::string& path);

// How a mapped model is laid out; docs/model-file.md has it byte by byte.

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

}  // namespace pdbfw
