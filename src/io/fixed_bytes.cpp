#include "io/fixed_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "pdbfw/errors.hpp"

namespace pdbfw {
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

}  // namespace pdbfw
