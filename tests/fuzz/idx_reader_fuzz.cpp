// Any bytes as an idx file: an InputError or a data set, the same however the bytes arrive.
#include "fuzz/outcome.hpp"
#include "io/data/idx_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return pdbfw::fuzz::try_stream_reader(bytes, size, pdbfw::read_idx);
}
