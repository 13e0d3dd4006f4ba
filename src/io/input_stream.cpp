#include "io/input_stream.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/decoders.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

InputStream::InputStream(const std::string& path) : InputStream(std::make_unique<RawInput>(path)) {}

InputStream::InputStream(std::unique_ptr<RawInput> input) : name_(input->name()) {
  const std::string_view head = input->peek(kMagicBytes);
  if (head.empty()) throw InputError(fmt::format("{}: the file is empty", name_));
  const Compression compression = recognise(head);
  source_ = make_decoder(compression, std::move(input));
}

}  // namespace pdbfw
