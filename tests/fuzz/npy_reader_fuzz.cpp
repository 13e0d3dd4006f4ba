// Any bytes as a .npy file: an InputError or a data set.
#include "fuzz/outcome.hpp"
#include "io/binary_formats.hpp"
#include "io/npy_reader.hpp"

using namespace pdbfw;
using namespace pdbfw::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Input input = split(bytes, size);
  const LoadedFile file = test::loaded(std::string(input.bytes));
  for (const bool float32 : {false, true})
    require_sound(outcome([&] { return open_npy(file, "fuzz", {.float32 = float32}, input.targets); }));
  return 0;
}
