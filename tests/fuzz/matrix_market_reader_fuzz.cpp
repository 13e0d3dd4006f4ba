// Any bytes as a Matrix Market file: an InputError or a data set, the same however the bytes arrive.
#include "fuzz/outcome.hpp"
#include "io/matrix_market_reader.hpp"

using namespace pdbfw;
using namespace pdbfw::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Input input = split(bytes, size);
  const auto read = [&](ByteSource& source, const ReadOptions& options) {
    return outcome([&] { return read_matrix_market(source, "fuzz", options, input.targets); });
  };
  MemorySource source(input.bytes), same_source(input.bytes);
  DrippingSource dripping(input.bytes);
  const std::string whole = read(source, {});
  require(whole == read(dripping, {}));
  require_sound(whole);
  require_sound(read(same_source, {.float32 = true}));
  return 0;
}
