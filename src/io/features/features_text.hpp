// What feature transformations have learnt, as text (docs/features.md, docs/random-binning.md), from any source and to
// any sink; read_features and write_features of pdbfw/features.hpp are these on files.
#pragma once

#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {

// Instantiated, as all here, for Normalisation, RandomBinning and RandomFourier. Throws InputError
// "file:line:column: what is wrong".
template <class Features>
[[nodiscard]] Features read_features_from(ByteSource& source, const std::string& name);

template <class Features>
[[nodiscard]] Features parse_features(std::string_view text, const std::string& name) {
  MemorySource source(text);
  return read_features_from<Features>(source, name);
}

// Checks first, so features that break a rule leave no text.
template <class Features>
void write_features_to(TextSink& sink, const Features& features);

}  // namespace pdbfw
