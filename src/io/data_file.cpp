#include "pdbfw/data_file.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "data/labels.hpp"
#include "io/bytes/input.hpp"
#include "io/cache/block_file.hpp"
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

// Some rows of what was read whole.
Dataset cut(Dataset data, const ReadOptions& options, const std::string& name) {
  const auto [first, last] = checked_range(options, data.A->rows(), name);
  if (last - first == data.A->rows()) return data;
  return {row_range(data.A, first, last), {data.target.begin() + first, data.target.begin() + last}};
}

Dataset read_file(const std::string& path, const ReadOptions& options) {
  InputStream stream(path);
  const std::string& name = stream.name();
  const DataFormat format = recognise_format(stream.peek(kFormatBytes), path, options.format);
  require_a_say(format, options);
  if (format == DataFormat::libsvm) return read_libsvm(stream, name, options);
  if (format == DataFormat::cache)
    return is_block_file(path) ? read_blocks(std::make_shared<const BlockFile>(path), options)
                               : open_cache(stream.load(), name, options);
  GivenTargets targets = given_targets(format, path, options);
  if (format == DataFormat::csv) return read_csv(stream, name, options, std::move(targets));
  if (format == DataFormat::idx) return read_idx(stream, name, options, std::move(targets));
  if (format == DataFormat::npy) return open_npy(stream.load(), name, options, std::move(targets));
  if (format == DataFormat::npz) return open_npz(stream.load(), name, options, std::move(targets));
  return read_matrix_market(stream, name, options, std::move(targets));
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

Dataset open_streamed(const std::string& path, const ReadOptions& options) {
  check_read_options(options);
  if (!is_block_file(path))
    throw InputError(fmt::format("{}: only cache files in blocks can be streamed; pdbfw convert --memory writes them",
                                 path == "-" ? "standard input" : path));
  require_a_say(DataFormat::cache, options);
  if (options.classes) throw InputError("classes", "given", "none for data that are streamed");
  return stream_blocks(std::make_shared<const BlockFile>(path), options);
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
