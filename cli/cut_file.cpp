#include "cli/cut_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cli/commands.hpp"

namespace pdbfw::cli {
namespace {

// All of this runs inside a signal handler: no memory, no locks, nothing but system calls.

void put(std::string_view text) { static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) != 0); }

// Lines of the system's list of mappings: "7f00-7f80 r--p 00000000 08:01 1234    /folder/data.pdb".
class Mappings {
 public:
  Mappings() : file_(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;
  ~Mappings() {
    if (file_ >= 0) ::close(file_);
  }

  // The next line, its end left out where it is very long; false at the end.
  bool next(std::string_view& line) {
    std::size_t size = 0;
    for (char c = 0; take(c) && c != '\n';)
      if (size < line_.size()) line_[size++] = c;
    line = {line_.data(), size};
    return size > 0;
  }

 private:
  bool take(char& c) {
    if (first_ == last_) {
      const ssize_t got = file_ < 0 ? -1 : ::read(file_, buffer_.data(), buffer_.size());
      if (got <= 0) return false;
      first_ = 0;
      last_ = static_cast<std::size_t>(got);
    }
    c = buffer_[first_++];
    return true;
  }

  int file_;
  std::array<char, 4096> buffer_{};
  std::array<char, 4096> line_{};
  std::size_t first_ = 0, last_ = 0;
};

std::uintptr_t take_hexadecimal(std::string_view& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uintptr_t value = 0;
  for (std::size_t digit = 0; !text.empty() && (digit = kDigits.find(text.front())) != kDigits.npos;
       text.remove_prefix(1))
    value = value * kDigits.size() + digit;
  return value;
}

// "'/folder/data.pdb'", or what is known where the system does not say.
void tell_name(const void* address) {
  Mappings mappings;
  for (std::string_view line; mappings.next(line);) {
    std::string_view rest = line;
    const std::uintptr_t begin = take_hexadecimal(rest);
    rest.remove_prefix(rest.empty() ? 0 : 1);
    const std::uintptr_t end = take_hexadecimal(rest);
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::size_t name = line.find('/');
    if (at < begin || at >= end || name == line.npos) continue;
    put("'");
    put(line.substr(name));
    put("'");
    return;
  }
  put("a file");
}

void on_bus_error(int, siginfo_t* info, void*) {
  put("pdbfw: error: cannot read ");
  tell_name(info->si_addr);
  put(": it was cut while it was in use, or its disk failed\n");
  ::_exit(kFailure);
}

}  // namespace

void tell_of_cut_files() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace pdbfw::cli
