// Any bytes as a feature map: an InputError of one line or a map, and a map is written, read back unchanged and
// applied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw::fuzz {

// With `may_overflow`, a feature of very large data can be beyond the largest double, which is an InputError.
template <class Map>
int try_feature_map(std::string_view bytes, Map (*parse)(std::string_view, const std::string&),
                    void (*write)(TextSink&, const Map&), bool may_overflow) {
  const auto text_of = [&](const Map& map) {
    MemorySink sink;
    write(sink, map);
    return sink.text();
  };
  Map map;
  try {
    map = parse(bytes, "fuzz");
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    return 0;
  }
  // No InputError may escape here: what was read can be written and read back.
  const std::string text = text_of(map);
  if (text_of(parse(text, "fuzz")) != text) std::abort();
  const auto A = own_csr<double, std::int32_t>(2, 3, {0, 2, 3}, {0, 2, 1}, {1.5, -1e300, 7});
  try {
    if (map.apply(*A)->rows() != 2) std::abort();
  } catch (const InputError&) {
    if (!may_overflow) throw;
  }
  return 0;
}

}  // namespace pdbfw::fuzz
