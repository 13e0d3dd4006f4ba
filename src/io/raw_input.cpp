#include "io/raw_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

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

}  // namespace pdbfw
