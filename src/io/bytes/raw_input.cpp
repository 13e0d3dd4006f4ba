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
#include "io/bytes/growing_array.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

LoadedFile map_file(int file, std::size_t size) {
  void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (place == MAP_FAILED) return {};
  const auto unmap = [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); };
  return {{static_cast<const std::byte*>(place), size}, std::shared_ptr<const void>(place, unmap)};
}

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

LoadedFile in_memory(GrowingArray<char> bytes) {
  const auto storage = std::make_shared<const GrowingArray<char>>(std::move(bytes));
  return {std::as_bytes(storage->view()), storage};
}

}  // namespace

LoadedFile load_all(ByteSource& source, const std::string& name) {
  const auto most = static_cast<std::size_t>(machine_memory_bytes());
  GrowingArray<char> bytes;
  read_up_to(most + 1, source, bytes);
  if (bytes.size() > most) throw InputError(fmt::format("{}: unpacked larger than this machine's memory", name));
  return in_memory(std::move(bytes));
}

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

// Only from the first byte on: standard input may be a file that another program has begun to read.
LoadedFile RawInput::map_whole() const {
  struct stat status {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return {};
  if (first_ > 0 || ::lseek(file_, 0, SEEK_CUR) != static_cast<off_t>(last_)) return {};
  return map_file(file_, static_cast<std::size_t>(status.st_size));
}

LoadedFile RawInput::load(std::size_t expected) {
  if (LoadedFile mapped = map_whole(); mapped.storage) return mapped;
  GrowingArray<char> bytes;
  read_up_to(expected + 1, *this, bytes);
  return in_memory(std::move(bytes));
}

namespace {

class FileBytes final : public FixedBytes {
 public:
  explicit FileBytes(std::string name) : name_(std::move(name)) {
    file_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0) {
      const int code = errno;
      if (file_ >= 0) ::close(file_);
      throw InputError(fmt::format("cannot open '{}': {}", name_, std::generic_category().message(code)));
    }
    size_ = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }
  ~FileBytes() override { ::close(file_); }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  void read(std::uint64_t at, std::span<std::byte> buffer) const override {
    while (!buffer.empty()) {
      const ssize_t got = ::pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw DataLost(fmt::format("cannot read '{}': {}", name_, std::generic_category().message(errno)));
      if (got == 0) throw DataLost(fmt::format("{}: ends at byte {} of {}; it was cut meanwhile", name_, at, size_));
      buffer = buffer.subspan(static_cast<std::size_t>(got));
      at += static_cast<std::uint64_t>(got);
    }
  }

 private:
  std::string name_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

class MemoryBytes final : public FixedBytes {
 public:
  explicit MemoryBytes(LoadedFile file) : file_(std::move(file)) {}

  [[nodiscard]] std::uint64_t size() const override { return file_.bytes.size(); }
  void read(std::uint64_t at, std::span<std::byte> buffer) const override {
    if (!buffer.empty()) std::memcpy(buffer.data(), file_.bytes.data() + at, buffer.size());
  }

 private:
  LoadedFile file_;
};

}  // namespace

std::unique_ptr<FixedBytes> open_bytes(const std::string& path) { return std::make_unique<FileBytes>(path); }

std::unique_ptr<FixedBytes> bytes_in_memory(LoadedFile file) { return std::make_unique<MemoryBytes>(std::move(file)); }

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
  GrowingArray<char> bytes;
  const std::size_t buffered = std::min(size, left());
  std::copy_n(buffer_.data() + first_, buffered, bytes.extend(buffered));
  first_ += buffered;
  read_up_to(size, source_, bytes);
  if (bytes.size() < size) fail_early();
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
