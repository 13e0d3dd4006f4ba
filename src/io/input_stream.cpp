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

std::size_t InputStream::read(std::span<char> buffer) {
  if (given_ == head_.size()) return source_->read(buffer);
  const std::size_t size = head_.copy(buffer.data(), buffer.size(), given_);
  given_ += size;
  return size;
}

std::string_view InputStream::peek(std::size_t wanted) {
  while (head_.size() < wanted) {
    const std::size_t before = head_.size();
    head_.resize(wanted);
    const std::size_t got = source_->read(std::span(head_).subspan(before));
    head_.resize(before + got);
    if (got == 0) break;
  }
  return head_;
}

}  // namespace pdbfw
