#include "io/input_stream.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/decoders.hpp"
#include "io/raw_input.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

InputStream::InputStream(const std::string& path) {
  auto input = std::make_unique<RawInput>(path);
  name_ = input->name();
  const std::string_view head = input->peek(kMagicBytes);
  if (head.empty()) throw InputError(fmt::format("{}: the file is empty", name_));
  const Compression compression = recognise(head);
  source_ = make_decoder(compression, std::move(input));
}

}  // namespace pdbfw
