#include "pdbfw/data_file.hpp"

#include <memory>
#include <utility>

#include "io/cache_format.hpp"
#include "io/cache_reader.hpp"
#include "io/input_stream.hpp"
#include "io/libsvm_reader.hpp"
#include "io/raw_input.hpp"

namespace pdbfw {

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  auto input = std::make_unique<RawInput>(path);
  if (is_cache(input->peek(kCacheMagic.size()))) return read_cache(*input, options);
  InputStream stream(std::move(input));
  return read_libsvm(stream, stream.name(), options);
}

}  // namespace pdbfw
