#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <variant>

#include "io/bytes/input_stream.hpp"
#include "io/bytes/output_file.hpp"
#include "io/cache/block_reader.hpp"
#include "io/cache/block_writer.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/read_options.hpp"

namespace pdbfw {
namespace {

// A thread that parses holds a piece of text and its numbers.
constexpr Index kThreadBytes = Index{12} << 20U;
// Blocks are held as wide numbers and as the bytes that are written.
constexpr Index kBlockCopies = 4;

void append(const Dataset& data, BlockWriter& writer) {
  data.A->visit_rows([&](Index first, const Lines& rows) {
    writer.append(rows, std::span(data.target).subspan(static_cast<std::size_t>(first)));
  });
}

// What reading a file whole may take at most, told by its length: numbers in text are short, and packed ones shorter.
double most_bytes(const std::string& path, DataFormat format, bool is_packed) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  const bool is_text = format == DataFormat::csv || format == DataFormat::matrix_market;
  return error ? 0 : static_cast<double>(bytes) * (is_text ? 8 : 3) * (is_packed ? 10 : 1);
}

void require_room(const std::string& path, DataFormat format, bool is_packed, Index memory) {
  constexpr double kMebi = 1024 * 1024;
  const double wanted = most_bytes(path, format, is_packed);
  if (wanted <= static_cast<double>(memory)) return;
  throw InputError(
      fmt::format("{}: files in this format are read whole, which may take {:.0f} MiB, more than the {:.0f} "
                  "MiB of memory that are given; LIBSVM's text is read in pieces",
                  path, wanted / kMebi, static_cast<double>(memory) / kMebi));
}

void append_file(const std::string& path, const ReadOptions& options, Index memory, BlockWriter& writer) {
  auto input = std::make_unique<RawInput>(path);
  const std::string_view head = input->peek(kFormatBytes);
  const bool is_packed = !head.empty() && recognise(head) != Compression::none;
  if (path != "-" && is_blocked(head)) {
    ReadOptions plain = options;
    plain.min_features = 0;
    return append(open_streamed(path, plain), writer);
  }
  InputStream stream(std::move(input));
  const DataFormat format =
      options.format == DataFormat::automatic ? recognise_format(stream.peek(kFormatBytes), path) : options.format;
  if (format != DataFormat::libsvm) {
    if (path == "-") throw InputError("DATA", "'-'", "LIBSVM's text, for a given amount of memory");
    require_room(path, format, is_packed, memory);
    return append(read_dataset(path, options), writer);
  }
  if (!options.labels.empty() || !options.label_column.empty() || options.header != ReadOptions::Header::automatic)
    return static_cast<void>(read_dataset(path, options));  // which says what is wrong
  const Index before = writer.rows();
  read_libsvm_into(stream, stream.name(), options, writer);
  if (writer.rows() == before) throw InputError(fmt::format("{}: no samples", stream.name()));
}

}  // namespace

std::vector<std::string> matching_files(const std::string& pattern) {
  std::error_code error;
  if (pattern.find_first_of("*?[") == pattern.npos || std::filesystem::exists(pattern, error)) return {pattern};
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(files.begin(), files.end());  // by bytes: the same order on every machine
  if (files.empty()) throw InputError(fmt::format("no file matches '{}'", pattern));
  return files;
}

void write_blocks_to(TextSink& sink, const std::string& name, const std::vector<std::string>& files,
                     const ReadOptions& options, Index memory) {
  if (memory < kLeastMemory)
    throw InputError("memory", fmt::format("{} bytes", memory), fmt::format("at least {} MiB", kLeastMemory >> 20U));
  if (files.empty()) throw InputError("data", "no file", "at least one");
  if (options.classes) throw InputError("classes", "given", "none for a given amount of memory");
  if (options.rows) throw InputError("rows", "given", "none for a given amount of memory");
  ReadOptions reading = options;
  reading.threads = static_cast<int>(
      std::clamp<Index>((memory - kLeastMemory / 2) / 2 / kThreadBytes, 1, std::max(1, options.threads)));
  const Index block_bytes = std::min(static_cast<Index>(kBlockBytes), memory / 4 / kBlockCopies);
  BlockWriter writer(sink, name, options.float32, static_cast<std::size_t>(block_bytes));
  for (const std::string& file : files) append_file(file, reading, memory, writer);
  writer.finish(options.min_features);
}

void write_blocks_to(TextSink& sink, const std::string& name, const Dataset& data) {
  check_targets(data);
  BlockWriter writer(sink, name);
  append(data, writer);
  writer.finish(data.A->columns());
}

void write_blocks(const std::string& path, const std::vector<std::string>& data, const ReadOptions& options,
                  Index memory) {
  OutputFile file(path);
  write_blocks_to(file, file.name(), data, options, memory);
  file.commit();
}

void write_blocks(const std::string& path, const Dataset& data) {
  OutputFile file(path);
  write_blocks_to(file, file.name(), data);
  file.commit();
}

}  // namespace pdbfw
