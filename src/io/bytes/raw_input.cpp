#include "io/bytes/raw_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/machine_memory.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {
namespace {

// What a header says is believed only as far as the bytes really come.
void read_up_to(std::size_t size, ByteSource& source, GrowingArray<char>& bytes) {
  constexpr std::size_t kStep = std::size_t{1} << 20U;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size(), wanted = std::min(kStep, size - before);
    const std::size_t got = source.read({bytes.extend(wanted), wanted});
    bytes.resize_down(before + got);
    if (got == 0) return;
  }
}

// Read-only, from the first byte on. Without storage when the system cannot.
LoadedFile mapped(int file, std::size_t size) {
  void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (place == MAP_FAILED) return {};
  const auto unmap = [size](const void* bytes) { ::munmap(const_cast<void*>(bytes), size); };
  return {{static_cast<const std::byte*>(place), size}, std::shared_ptr<const void>(place, unmap)};
}

[[noreturn]] void throw_system_error(std::string_view action, const std::string& name) {
  throw InputError(fmt::format("cannot {} '{}': {}", action, name, std::generic_category().message(errno)));
}

int opened(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw_system_error("open", path);
  return file;
}

}  // namespace

LoadedFile load_all(ByteSource& source, const std::string& name) {
  const auto most = static_cast<std::size_t>(machine_memory_bytes());
  GrowingArray<char> bytes;
  read_up_to(most + 1, source, bytes);
  if (bytes.size() > most) throw InputError(fmt::format("{}: unpacked larger than this machine's memory", name));
  const auto storage = std::make_shared<const GrowingArray<char>>(std::move(bytes));
  return {std::as_bytes(storage->view()), storage};
}

std::size_t NamedSource::read(std::span<char> buffer) {
  if (first_ == last_) return read_on(buffer);
  const std::size_t size = std::min(buffer.size(), last_ - first_);
  std::memcpy(buffer.data(), buffer_.data() + first_, size);
  first_ += size;
  return size;
}

std::string_view NamedSource::peek(std::size_t wanted) {
  buffer_.resize(kLookAheadBytes);
  if (last_ - first_ < wanted && first_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + first_, last_ - first_);
    last_ -= first_;
    first_ = 0;
  }
  while (last_ - first_ < wanted) {
    const std::size_t got = read_on(std::span(buffer_).subspan(last_));
    if (got == 0) break;
    last_ += got;
  }
  return {buffer_.data() + first_, last_ - first_};
}

RawInput::RawInput(const std::string& path)
    : NamedSource(path == "-" ? "standard input" : path),
      file_(path == "-" ? STDIN_FILENO : opened(path)),
      is_owned_(path != "-") {}

RawInput::~RawInput() {
  if (is_owned_) ::close(file_);
}

std::size_t RawInput::read_on(std::span<char> buffer) {
  ssize_t got = -1;
  do {
    got = ::read(file_, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw_system_error("read", name());
  return static_cast<std::size_t>(got);
}

// Mapped only from the first byte on: standard input may be a file that another program has begun to read.
LoadedFile RawInput::load() {
  struct stat status {};
  const std::optional<std::size_t> ahead = looked_at();
  if (ahead && ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
      ::lseek(file_, 0, SEEK_CUR) == static_cast<off_t>(*ahead))
    if (LoadedFile file = mapped(file_, static_cast<std::size_t>(status.st_size)); file.storage) return file;
  return NamedSource::load();
}

bool file_begins_with(const std::string& path, std::string_view magic) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    RawInput input(path);
    return input.peek(magic.size()).starts_with(magic);
  } catch (const InputError&) {
    return false;
  }
}

FixedBytes::FixedBytes(const std::string& path) : name_(path), file_(opened(path)) {
  struct stat status {};
  if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
}

FixedBytes::~FixedBytes() {
  if (file_ >= 0) ::close(file_);
}

void FixedBytes::read(std::uint64_t at, std::span<std::byte> buffer) const {
  if (file_ < 0 && !buffer.empty()) std::memcpy(buffer.data(), memory_.bytes.data() + at, buffer.size());
  while (file_ >= 0 && !buffer.empty()) {
    const ssize_t got = ::pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataLost(fmt::format("cannot read '{}': {}", name_, std::generic_category().message(errno)));
    if (got == 0) throw DataLost(fmt::format("{}: ends at byte {} of {}; it was cut meanwhile", name_, at, size_));
    buffer = buffer.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
}

void ExactReader::fail_early() const { throw InputError(fmt::format("{}: ends early (truncated file?)", name())); }

std::string_view ExactReader::take(std::size_t size) {
  const std::string_view ahead = peek(size);
  if (ahead.size() < size) fail_early();
  skip(size);
  taken_ += size;
  return ahead.substr(0, size);
}

GrowingArray<char> ExactReader::take_all(std::size_t size) {
  GrowingArray<char> bytes;
  read_up_to(size, *this, bytes);
  if (bytes.size() < size) fail_early();
  taken_ += size;
  return bytes;
}

void ExactReader::expect_end() {
  if (!peek(1).empty()) throw InputError(fmt::format("{}: more bytes than its header says", name()));
}

}  // namespace pdbfw
