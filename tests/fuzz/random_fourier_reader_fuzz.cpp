// Any bytes as a map of random Fourier features: an InputError or a map, and a map is written and read back unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/random_fourier_text.hpp"
#include "io/text_sink.hpp"

namespace {

std::string text_of(const pdbfw::RandomFourier& map) {
  pdbfw::MemorySink sink;
  pdbfw::write_random_fourier_to(sink, map);
  return sink.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  pdbfw::RandomFourier map;
  try {
    map = pdbfw::parse_random_fourier({reinterpret_cast<const char*>(bytes), size}, "fuzz");
  } catch (const pdbfw::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    return 0;
  }
  // No InputError may escape here: what was read can be written and read back.
  const std::string text = text_of(map);
  if (text_of(pdbfw::parse_random_fourier(text, "fuzz")) != text) std::abort();
  const auto A = pdbfw::own_csr<double, std::int32_t>(2, 3, {0, 2, 3}, {0, 2, 1}, {1.5, -1e300, 7});
  try {
    if (map.apply(*A)->rows() != 2) std::abort();
  } catch (const pdbfw::InputError&) {
    // A product can be beyond the largest double.
  }
  return 0;
}
