// Any bytes as a .npy file: an InputError or a data set; and as an array of numbers, which is written and read back.
#include "fuzz/outcome.hpp"
#include "io/binary_formats.hpp"
#include "io/data/npy_reader.hpp"

using namespace pdbfw;
using namespace pdbfw::fuzz;

namespace {

// As an array of numbers; real ones are written and read back.
void require_sound_numbers(const LoadedFile& file) {
  try {
    const NumberArray array = number_array(open_npy_array(file, "fuzz"));
    MemorySink sink;
    write_npy_to(sink, array.real, array.shape);
    const NumberArray again = number_array(open_npy_array(test::loaded(sink.text()), "again"));
    require(again.shape == array.shape && again.real == array.real);
    require(array.is_complex ? array.imaginary.size() == array.real.size() : array.imaginary.empty());
  } catch (const InputError& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    require(!std::string_view(error.what()).starts_with("again"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Input input = split(bytes, size);
  const LoadedFile file = test::loaded(std::string(input.bytes));
  for (const bool float32 : {false, true})
    require_sound(outcome([&] { return open_npy(file, "fuzz", {.float32 = float32}, input.targets); }));
  require_sound_numbers(file);
  return 0;
}
