// Any bytes as a normalisation: an InputError or a map, and a map is written and read back unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/normalise_text.hpp"
#include "io/text_sink.hpp"

namespace {

std::string text_of(const pdbfw::Normalisation& map) {
  pdbfw::MemorySink sink;
  pdbfw::write_normalisation_to(sink, map);
  return sink.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  pdbfw::Normalisation map;
  try {
    map = pdbfw::parse_normalisation({reinterpret_cast<const char*>(bytes), size}, "fuzz");
  } catch (const pdbfw::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    return 0;
  }
  // No InputError may escape here: what was read can be written and read back.
  const std::string text = text_of(map);
  if (text_of(pdbfw::parse_normalisation(text, "fuzz")) != text) std::abort();
  const auto A = pdbfw::own_csr<double, std::int32_t>(2, 3, {0, 2, 3}, {0, 2, 1}, {1.5, -1e300, 7});
  try {
    if (map.apply(*A)->rows() != 2) std::abort();
  } catch (const pdbfw::InputError&) {
    // A scaled value can be beyond the largest double.
  }
  return 0;
}
