// pdbfw convert DATA OUT: data, or a model
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "apps/fit_rules.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "io/cache/block_file.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::cli {
namespace {

struct ConvertOptions : ReportFlags {
  DataArgument data;
  FieldFlags flags;
  std::string out;
  std::optional<std::string> memory{};
};

// The files in their order, patterns resolved.
std::vector<std::string> all_files(const DataArgument& data) {
  std::vector<std::string> files;
  for (const std::string& path : data.paths())
    for (const std::string& file : matching_files(path)) files.push_back(file);
  return files;
}

int convert_in_pieces(const ConvertOptions& options, const ReadOptions& read_options) {
  const Index memory = parse_bytes("memory", *options.memory);
  if (!options.out.ends_with(".pdb"))
    throw InputError("OUT", fmt::format("'{}'", options.out), "a cache file, *.pdb, with --memory");
  const std::vector<std::string> files = all_files(options.data);
  require_other_file("OUT", options.out, files);
  write_file(options.out, [&](TextSink& sink) { write_blocks_to(sink, options.out, files, read_options, memory); });
  return kSuccess;
}

// A model for many processes at once, or back to text.
int convert_model(const ConvertOptions& options) {
  if (options.data.values() != "float64")
    throw InputError("values", fmt::format("'{}'", options.data.values()), "float64 for a model");
  const Model model = load_model(options.data.path());
  write_file(options.out, [&](TextSink& sink) { write_model_to(sink, model, format_by_name(options.out)); });
  return kSuccess;
}

int convert(ConvertOptions options) {
  options.out = options.data.take_last("OUT");
  const ReadOptions read_options = options.data.read_options(options.flags.request().settings.threads);
  if (options.out != "-") require_output("OUT", options.out, options.data);
  if (options.memory) return convert_in_pieces(options, read_options);
  if (options.data.paths().size() > 1)
    throw InputError("DATA", fmt::format("{} files", options.data.paths().size()), "one file; with --memory several");
  if (format_by_name(options.out) == ModelFormat::mapped || is_mapped_model(options.data.path()))
    return convert_model(options);
  const Dataset data = read_dataset(options.data.path(), read_options);
  const bool is_cache = options.out.ends_with(".pdb");
  if (is_cache) static_cast<void>(data.A->by_column());  // which takes a while, and nothing is to be removed yet
  write_file(options.out, [&](TextSink& sink) {
    if (is_cache)
      write_cache_to(sink, options.out, data);
    else
      write_libsvm(sink, data);
  });
  return kSuccess;
}

}  // namespace

Command add_convert(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand(
      "convert",
      "Write data as a cache file that opens at once, a model as one that many processes share, or back as text");
  const auto options = std::make_shared<ConvertOptions>();
  options->data.add_several(*parser);
  const Flags add(*parser);
  add.optional_argument(
      "OUT", options->out,  // which DATA takes all of
      "Where the data go: a cache file if the name ends in .pdb,\nelse LIBSVM's text format; - is standard output. "
      "*.pdbm: DATA is a model of\nweights and becomes a mapped one; a mapped model becomes text");
  add.text("--memory", "SIZE", options->memory,
           "Work in so much memory, at least 64M, and write a cache file in blocks, which may be larger\n"
           "than memory when it is used. LIBSVM's text is read in pieces; other formats must fit");
  options->flags.add(*parser, "threads");
  options->add_quiet(*parser);
  return command_of(
      parser, options, convert,
      "Every command takes a cache file as DATA. Several files become one, in the order in which they\n"
      "are given; those that match a pattern in quotes in the order of their names.\n"
      "Every command takes a mapped model as MODEL; all processes that predict with it share its memory.\n\n"
      "Example:\n"
      "  pdbfw convert news20.binary.xz news20.pdb\n"
      "  pdbfw train news20.pdb news20.model\n"
      "  pdbfw convert 'part-*.txt.gz' all.pdb --memory 1G\n"
      "  pdbfw convert news20.model news20.pdbm");
}

}  // namespace pdbfw::cli
