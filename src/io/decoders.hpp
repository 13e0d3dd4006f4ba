// gzip, bzip2, xz and zstd as byte sources. Streams that follow one another in a file are one text, as the tools that
// write them have it.
#pragma once

#include <memory>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/raw_input.hpp"

namespace pdbfw {

enum class Compression { none, gzip, bzip2, xz, zstd };

// By the first bytes of a file.
[[nodiscard]] Compression recognise(std::string_view head);
inline constexpr std::size_t kMagicBytes = 6;

// Reads `input` through the decoder for it. Throws InputError, here or while reading, for streams that are corrupt or
// end early.
[[nodiscard]] std::unique_ptr<ByteSource> make_decoder(Compression compression, std::unique_ptr<RawInput> input);

}  // namespace pdbfw
