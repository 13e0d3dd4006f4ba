// Any bytes as a data file: an InputError or a data set, the same for any block size and number of threads, and what
// was read is written and read back unchanged. The same bytes as multilabel data too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/data/libsvm_file.hpp"

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

// The same for rows with any number of labels; a row's labels stand in front of it.
std::string multilabel_outcome(std::string_view text, int threads, std::size_t block_bytes) {
  try {
    pdbfw::MemorySource source(text);
    const pdbfw::MultilabelDataset data =
        pdbfw::read_libsvm_multilabel(source, "fuzz", {.threads = threads}, block_bytes);
    const auto rows = static_cast<std::size_t>(data.labels.rows());
    std::string labels;
    for (pdbfw::Index i = 0; i < data.labels.rows(); ++i) {
      for (const pdbfw::Index place : data.labels[i])
        labels += std::to_string(data.ids.at(static_cast<std::size_t>(place))) + ' ';
      labels += '\n';
    }
    return labels + text_of({data.A, std::vector<double>(rows)});
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
  const std::string multilabel = multilabel_outcome(text, 1, kLargeBlock);
  require(multilabel == multilabel_outcome(text, 2, kSmallBlock));
  if (multilabel[0] == '!') require(multilabel.find('\n') == std::string::npos);
  if (floats[0] != '!') require(floats == outcome(floats, narrow, kSmallBlock));
  return 0;
}
