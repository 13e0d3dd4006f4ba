// Any bytes as a normalisation.
#include "fuzz/feature_map.hpp"
#include "io/normalise_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return pdbfw::fuzz::try_feature_map({reinterpret_cast<const char*>(bytes), size}, &pdbfw::parse_normalisation,
                                      &pdbfw::write_normalisation_to, true);
}
