#include "cli/console.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/processes.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw::cli {
namespace {

// An error is one line, whatever a hostile file or argument put into it.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return line;
}

}  // namespace

void print(std::string_view text) {
  if (!Processes::here().speaks()) return;
  errno = 0;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0)
    throw InputError(fmt::format("standard output: cannot write: {}", std::strerror(errno)));
}

void print_json(const Json& object) {
  constexpr int kIndent = 2;
  // File names need not be UTF-8; JSON must be.
  print(object.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n");
}

void tell_after_writing(std::string_view written, const std::function<void()>& tell) {
  try {
    tell();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}; {} was written", error.what(), written));
  }
}

// fmt::print would throw where standard error is full or closed, and then there is no place left to report it.
void print_remark(std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

void print_error(std::string_view line) { print_remark(fmt::format("pdbfw: error: {}\n", one_line(line))); }

void print_out_of_memory() { print_remark("pdbfw: error: out of memory\n"); }

std::string aligned(const Facts& facts) {
  std::size_t width = 0;
  for (const auto& [name, text] : facts) width = std::max(width, name.size());
  std::string lines;
  for (const auto& [name, text] : facts) lines += fmt::format("{:<{}}  {}\n", name, width, text);
  return lines;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace pdbfw::cli
