#include "pdbfw/data_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/machine_memory.hpp"
#include "data/labels.hpp"
#include "io/bytes/input_stream.hpp"
#include "io/bytes/raw_input.hpp"
#include "io/cache/block_reader.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/csv_reader.hpp"
#include "io/data/idx_reader.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/matrix_market_reader.hpp"
#include "io/data/npy_reader.hpp"
#include "io/data/read_options.hpp"
#include "linalg/chosen_rows.hpp"

namespace pdbfw {
namespace {

// Throws InputError for an option that this format would not look at.
void require_a_say(DataFormat format, const ReadOptions& options) {
  const bool has_labels = format == DataFormat::libsvm || format == DataFormat::cache;
  if (!options.labels.empty() && has_labels)
    throw InputError("labels", options.labels, "only for data that hold no labels themselves");
  if (!options.label_column.empty() && format != DataFormat::csv)
    throw InputError("label_column", options.label_column, "only for CSV");
  if (!options.label_column.empty() && !options.labels.empty())
    throw InputError("label_column", options.label_column, "not with a file of labels");
  if (options.header != ReadOptions::Header::automatic && format != DataFormat::csv)
    throw InputError("header", options.header == ReadOptions::Header::yes ? "yes" : "no", "only for CSV");
}

GivenTargets given_targets(DataFormat format, const std::string& path, const ReadOptions& options) {
  const std::string file =
      options.labels.empty() && format == DataFormat::idx ? labels_beside_images(path) : options.labels;
  return file.empty() ? std::nullopt : GivenTargets(read_labels(file));
}

// For formats that are opened in one piece of memory, not read from front to back.
Dataset open_loaded(const LoadedFile& file, DataFormat format, const std::string& path, const std::string& name,
                    const ReadOptions& options) {
  require_a_say(format, options);
  if (format == DataFormat::cache) return open_cache(file, name, options);
  GivenTargets targets = given_targets(format, path, options);
  return format == DataFormat::npy ? open_npy(file, name, options, std::move(targets))
                                   : open_npz(file, name, options, std::move(targets));
}

bool is_loaded(DataFormat format) {
  return format == DataFormat::cache || format == DataFormat::npy || format == DataFormat::npz;
}

bool is_regular(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_regular_file(path, error);
}

std::shared_ptr<const BlockFile> open_block_file(const std::string& path) {
  return std::make_shared<const BlockFile>(open_bytes(path), path);
}

// Some rows of what was read whole.
Dataset cut(Dataset data, const ReadOptions& options, const std::string& name) {
  const auto [first, last] = checked_range(options, data.A->rows(), name);
  if (last - first == data.A->rows()) return data;
  return {row_range(data.A, first, last), {data.target.begin() + first, data.target.begin() + last}};
}

bool is_block_file(const std::string& path) {
  return is_regular(path) && is_blocked(RawInput(path).peek(kBlockedHeadBytes));
}

Dataset read_file(const std::string& path, const ReadOptions& options) {
  auto input = std::make_unique<RawInput>(path);
  const std::string_view head = input->peek(kFormatBytes);
  if (!head.empty() && recognise(head) == Compression::none) {
    const DataFormat format = recognise_format(head, path, options.format);
    if (format == DataFormat::cache) {
      require_a_say(format, options);
      if (is_regular(path) && is_blocked(head)) return read_blocks(open_block_file(path), options);
      return read_cache(*input, options);
    }
    if (is_loaded(format))
      return open_loaded(input->load(static_cast<std::size_t>(machine_memory_bytes())), format, path, input->name(),
                         options);
  }
  InputStream stream(std::move(input));
  const DataFormat format = recognise_format(stream.peek(kFormatBytes), path, options.format);
  if (is_loaded(format)) return open_loaded(load_all(stream, stream.name()), format, path, stream.name(), options);
  require_a_say(format, options);
  if (format == DataFormat::libsvm) return read_libsvm(stream, stream.name(), options);
  GivenTargets targets = given_targets(format, path, options);
  if (format == DataFormat::csv) return read_csv(stream, stream.name(), options, std::move(targets));
  if (format == DataFormat::idx) return read_idx(stream, stream.name(), options, std::move(targets));
  return read_matrix_market(stream, stream.name(), options, std::move(targets));
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  check_read_options(options);
  ReadOptions whole = options;
  whole.rows.reset();
  const bool is_cut_already = !options.rows || is_block_file(path);
  const Dataset data = is_cut_already ? read_file(path, options) : cut(read_file(path, whole), options, path);
  return options.classes ? keep_classes(data, *options.classes) : data;
}

std::optional<BlockedShape> blocked_shape(const std::string& path) {
  if (!is_block_file(path)) return std::nullopt;
  const BlockFile file(open_bytes(path), path);
  const BlockedTrailer& trailer = file.trailer();
  BlockedShape shape{trailer.rows, trailer.columns, trailer.entries, trailer.blocks,
                     static_cast<double>(trailer.file_bytes)};
  // By row, by column, and as some solvers pack it.
  constexpr double kCopies = 3;
  shape.bytes_in_memory = kCopies * shape.bytes;
  return shape;
}

Dataset open_streamed(const std::string& path, const ReadOptions& options) {
  check_read_options(options);
  if (!is_block_file(path))
    throw InputError(fmt::format("{}: only cache files in blocks can be streamed; pdbfw convert --memory writes them",
                                 path == "-" ? "standard input" : path));
  require_a_say(DataFormat::cache, options);
  if (options.classes) throw InputError("classes", "given", "none for data that are streamed");
  return stream_blocks(open_block_file(path), options);
}

MultilabelDataset read_multilabel(const std::string& path, const ReadOptions& options) {
  check_read_options(options);
  if (options.classes) throw InputError("classes", "two of them", "only for data with one label a row");
  InputStream stream(path);
  if (recognise_format(stream.peek(kFormatBytes), path, options.format) != DataFormat::libsvm)
    throw InputError(fmt::format("{}: several labels a row are read from LIBSVM's text only", stream.name()));
  require_a_say(DataFormat::libsvm, options);
  return read_libsvm_multilabel(stream, stream.name(), options);
}

}  // namespace pdbfw
