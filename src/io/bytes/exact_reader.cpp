#include "io/bytes/exact_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "pdbfw/errors.hpp"

namespace pdbfw {

ExactReader::ExactReader(ByteSource& source, std::string name)
    : source_(source), name_(std::move(name)), buffer_(2 * kMostTaken) {}

void ExactReader::fail_early() const { throw InputError(fmt::format("{}: ends early (truncated file?)", name_)); }

std::string_view ExactReader::take(std::size_t size) {
  if (left() < size) {
    std::memmove(buffer_.data(), buffer_.data() + first_, left());
    last_ = left();
    first_ = 0;
  }
  while (left() < size) {
    const std::size_t got = source_.read(std::span(buffer_).subspan(last_));
    if (got == 0) fail_early();
    last_ += got;
  }
  first_ += size;
  taken_ += size;
  return {buffer_.data() + first_ - size, size};
}

GrowingArray<char> ExactReader::take_all(std::size_t size) {
  constexpr std::size_t kStep = std::size_t{1} << 20U;
  GrowingArray<char> bytes;
  const std::size_t buffered = std::min(size, left());
  std::copy_n(buffer_.data() + first_, buffered, bytes.extend(buffered));
  first_ += buffered;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    const std::size_t wanted = std::min(kStep, size - before);
    const std::size_t got = source_.read({bytes.extend(wanted), wanted});
    if (got == 0) fail_early();
    bytes.resize_down(before + got);
  }
  taken_ += size;
  return bytes;
}

void ExactReader::expect_end() {
  if (left() == 0) {
    first_ = 0;
    last_ = source_.read(buffer_);
  }
  if (left() > 0) throw InputError(fmt::format("{}: more bytes than its header says", name_));
}

}  // namespace pdbfw
