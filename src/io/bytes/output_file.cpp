#include "io/bytes/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pdbfw/errors.hpp"

namespace pdbfw {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
constexpr mode_t kMode = 0666;  // less the umask

bool is_same_file(int file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

// Whoever writes a temporary file holds a lock on it, which ends with the process however that ends. So a file whose
// lock can be had was left by one that was killed.
bool remove_if_left_over(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno == ENOENT;
  const bool is_left_over = ::flock(file, LOCK_EX | LOCK_NB) == 0 && is_same_file(file, path);
  if (is_left_over) ::unlink(path.c_str());
  ::close(file);
  return is_left_over;
}

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
  // Unlocked last: by then another process may have the name.
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (file_ >= 0 && !is_standard_output_) ::close(file_);
}

void OutputFile::open_temporary() {
  // A link keeps pointing at the file that is replaced.
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::canonical(path_, ignored);
  if (!target.empty()) path_ = target.string();
  // As many names as there are writers at once: those of killed ones are taken over.
  constexpr int kMostTries = 1000;
  int code = EEXIST;
  for (int k = 0, tries = 0; tries < kMostTries && code == EEXIST; ++tries) {
    std::string name = fmt::format("{}.tmp-{}", path_, k);
    file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (file_ < 0) {
      code = errno;
      if (code == EEXIST && !remove_if_left_over(name)) ++k;
      continue;
    }
    // Another process may have taken it for a left over one before it was locked. Where there are no locks, no process
    // takes anything over.
    const bool is_taken = ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!is_taken && is_same_file(file_, name)) {
      temporary_ = std::move(name);
      return;
    }
    ::close(std::exchange(file_, -1));
  }
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
  // Renamed while it is locked: no other process may take it for a left over one.
  if (!temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) throw_error(errno);
  const bool was_direct = temporary_.empty();
  temporary_.clear();
  const bool is_closed = ::close(std::exchange(file_, -1)) == 0;
  if (was_direct && !is_closed) throw_error(errno);  // the others have reached the disk before
}

void OutputFile::throw_error(int code) const {
  throw InputError(fmt::format("cannot write '{}': {}", name_, std::generic_category().message(code)));
}

}  // namespace pdbfw
