// Any bytes as a map of random binning.
#include "fuzz/feature_map.hpp"
#include "io/random_binning_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return pdbfw::fuzz::try_feature_map({reinterpret_cast<const char*>(bytes), size}, &pdbfw::parse_random_binning,
                                      &pdbfw::write_random_binning_to, false);
}
