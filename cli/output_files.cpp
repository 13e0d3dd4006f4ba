#include "cli/output_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/console.hpp"
#include "io/data/npy_reader.hpp"

namespace pdbfw::cli {

TextSink& OutputFiles::open(const std::string& path) {
  OutputFile& file = open_file(path);
  if (interrupt_ == nullptr) return file;
  sinks_.push_back(std::make_unique<InterruptibleSink>(file, *interrupt_));
  return *sinks_.back();
}

void OutputFiles::add(const std::string& path, const Matrix& array) {
  const std::span<const double> values(array.data(), static_cast<std::size_t>(array.size()));
  write_npy_to(open(path), values, {array.rows(), array.cols()});
}

void OutputFiles::add(const std::string& path, const Vector& array) {
  const std::span<const double> values(array.data(), static_cast<std::size_t>(array.size()));
  write_npy_to(open(path), values, {array.size()});
}

void OutputFiles::add(const std::string& path, const Model& model, ModelFormat format) {
  write_model_to(open_file(path), model, format);
}

void OutputFiles::commit() {
  for (const auto& file : files_) file->finish();
  for (const auto& file : files_) file->commit();
}

void OutputFiles::tell(const std::function<void()>& tell) const {
  if (files_.empty()) return tell();
  std::vector<std::string> names;
  for (const auto& file : files_) names.push_back(fmt::format("'{}'", file->name()));
  tell_after_writing(fmt::format("{}", fmt::join(names, ", ")), tell);
}

void write_file(const std::string& path, const std::function<void(TextSink&)>& write) {
  const InterruptGuard interrupt;
  OutputFiles files(interrupt);
  write(files.open(path));
  files.commit();
}

void write_text_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

void require_writable(std::string_view option, const std::string& path) {
  namespace fs = std::filesystem;
  const std::string quoted = fmt::format("'{}'", path);
  if (path == "-") return;
  if (path.empty()) throw InputError(option, quoted, "a file name");
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(option, quoted, "a file, but this is a folder");
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) throw InputError(option, quoted, "a file in a folder that exists");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw InputError(option, quoted, fmt::format("a file in a folder that can be written ({})", std::strerror(errno)));
}

void require_other_file(std::string_view option, const std::string& path, const std::vector<std::string>& taken) {
  namespace fs = std::filesystem;
  for (const std::string& other : taken) {
    std::error_code error;
    const bool is_same_file = fs::is_regular_file(path, error) && fs::equivalent(path, other, error);
    if (path == "-" && other == "-") throw InputError(option, "'-'", "a file; it cannot be standard output");
    if (path == other || is_same_file)
      throw InputError(option, fmt::format("'{}'", path), "a file that is not used for something else here");
  }
}

void require_output(std::string_view option, const std::string& path, const DataArgument& data,
                    const std::vector<std::string>& taken) {
  require_writable(option, path);
  require_other_file(option, path, data.files());
  require_other_file(option, path, taken);
}

void require_outputs(const std::vector<NamedOutput>& outputs, std::vector<std::string> read) {
  std::vector<std::string> taken = std::move(read);
  taken.emplace_back("-");
  for (const auto& [option, path] : outputs) {
    if (path.empty()) continue;
    require_writable(option, path);
    require_other_file(option, path, taken);
    taken.push_back(path);
  }
}

}  // namespace pdbfw::cli
