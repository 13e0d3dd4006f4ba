#include "io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "pdbfw/errors.hpp"

namespace pdbfw {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
constexpr mode_t kMode = 0666;  // less the umask

}  // namespace

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "standard output" : path), path_(path) {
  struct stat status {};
  if (path == "-") {
    file_ = STDOUT_FILENO;
    is_standard_output_ = true;
    return;
  }
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) {
    open_temporary();
    return;
  }
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) throw_error(errno);
}

OutputFile::~OutputFile() {
  if (file_ >= 0 && !is_standard_output_) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open_temporary() {
  // A link keeps pointing at the file that is replaced.
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::canonical(path_, ignored);
  if (!target.empty()) path_ = target.string();
  constexpr int kMostTries = 1000;
  for (int k = 0; k < kMostTries; ++k) {
    temporary_ = fmt::format("{}.tmp-{}-{}", path_, ::getpid(), k);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (file_ >= 0) return;
    if (errno != EEXIST) break;
  }
  const int code = errno;
  temporary_.clear();
  throw_error(code);
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) throw_error(errno);
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  if (!temporary_.empty() && ::fsync(file_) != 0) throw_error(errno);
}

void OutputFile::commit() {
  finish();
  if (is_standard_output_) return;
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) throw_error(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_error(errno);
  temporary_.clear();
}

void OutputFile::throw_error(int code) const {
  throw InputError(fmt::format("cannot write '{}': {}", name_, std::generic_category().message(code)));
}

}  // namespace pdbfw
