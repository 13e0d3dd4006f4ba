// Any bytes as a data file: an InputError or a data set, the same for any block size and number of threads, and what
// was read is written and read back unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/libsvm_reader.hpp"
#include "io/libsvm_writer.hpp"
#include "io/text_sink.hpp"

namespace {

std::string text_of(const pdbfw::Dataset& data) {
  pdbfw::MemorySink sink;
  pdbfw::write_libsvm(sink, data);
  return sink.text();
}

// The data set as text, or the message.
std::string outcome(std::string_view text, const pdbfw::ReadOptions& options, std::size_t block_bytes) {
  try {
    return text_of(pdbfw::parse_libsvm(text, "fuzz", options, block_bytes));
  } catch (const pdbfw::InputError& error) {
    return std::string("! ") + error.what();
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t kSmallBlock = 16;
  constexpr std::size_t kLargeBlock = 4096;  // holds a whole input, mostly
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::string whole = outcome(text, {}, kLargeBlock);
  require(whole == outcome(text, {}, kSmallBlock));
  pdbfw::ReadOptions narrow;
  narrow.float32 = true;
  narrow.threads = 2;
  const std::string floats = outcome(text, narrow, kSmallBlock);
  if (whole[0] == '!')
    require(whole.find('\n') == std::string::npos);
  else
    require(whole == outcome(whole, {}, kSmallBlock));
  if (floats[0] != '!') require(floats == outcome(floats, narrow, kSmallBlock));
  return 0;
}
