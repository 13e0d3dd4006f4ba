#include "io/raw_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "io/growing_array.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

[[noreturn]] void throw_system_error(std::string_view action, const std::string& name) {
  throw InputError(fmt::format("cannot {} '{}': {}", action, name, std::generic_category().message(errno)));
}

}  // namespace

RawInput::RawInput(const std::string& path)
    : name_(path == "-" ? "standard input" : path), is_owned_(path != "-"), buffer_(kBufferBytes) {
  file_ = is_owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (file_ < 0) throw_system_error("open", name_);
}

RawInput::~RawInput() {
  if (is_owned_ && file_ >= 0) ::close(file_);
}

std::size_t RawInput::read_file(std::span<char> buffer) {
  ssize_t got = -1;
  do {
    got = ::read(file_, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw_system_error("read", name_);
  return static_cast<std::size_t>(got);
}

std::size_t RawInput::read(std::span<char> buffer) {
  if (first_ == last_) return read_file(buffer);
  const std::size_t size = std::min(buffer.size(), last_ - first_);
  std::memcpy(buffer.data(), buffer_.data() + first_, size);
  first_ += size;
  return size;
}

std::string_view RawInput::peek(std::size_t wanted) {
  if (last_ - first_ < wanted && first_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + first_, last_ - first_);
    last_ -= first_;
    first_ = 0;
  }
  while (last_ - first_ < wanted) {
    const std::size_t got = read_file(std::span(buffer_).subspan(last_));
    if (got == 0) break;
    last_ += got;
  }
  return {buffer_.data() + first_, last_ - first_};
}

// Only from the first byte on: standard input may be a file that somebody else has begun to read.
LoadedFile RawInput::map_whole() const {
  struct stat status {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return {};
  if (first_ > 0 || ::lseek(file_, 0, SEEK_CUR) != static_cast<off_t>(last_)) return {};
  return map_file(file_, static_cast<std::size_t>(status.st_size));
}

LoadedFile RawInput::load(std::size_t expected) {
  if (LoadedFile mapped = map_whole(); mapped.storage) return mapped;
  // What a header says is believed only as far as the bytes really come.
  GrowingArray<char> bytes;
  while (bytes.size() <= expected) {
    const std::size_t before = bytes.size();
    const std::size_t wanted = std::min(kBufferBytes, expected + 1 - before);
    const std::size_t got = read({bytes.extend(wanted), wanted});
    bytes.resize_down(before + got);
    if (got == 0) break;
  }
  const auto storage = std::make_shared<const GrowingArray<char>>(std::move(bytes));
  return {std::as_bytes(storage->view()), storage};
}

}  // namespace pdbfw
