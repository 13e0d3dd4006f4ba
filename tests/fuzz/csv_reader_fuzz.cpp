// Any bytes as a CSV file: an InputError or a data set, the same however the bytes arrive.
#include "fuzz/outcome.hpp"
#include "io/data/csv_reader.hpp"

using namespace pdbfw;
using namespace pdbfw::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto read = [](ByteSource& source, const ReadOptions& options) {
    return outcome([&] { return read_csv(source, "fuzz", options, {}); });
  };
  MemorySource source(text), same_source(text), last_source(text);
  DrippingSource dripping(text);
  const std::string whole = read(source, {});
  require(whole == read(dripping, {}));
  require_sound(whole);
  require_sound(read(same_source, {.float32 = true, .header = ReadOptions::Header::no}));
  require_sound(read(last_source, {.label_column = "-1"}));
  return 0;
}
