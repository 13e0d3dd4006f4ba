// pdbfw convert DATA OUT
#include <memory>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "io/cache_writer.hpp"
#include "io/libsvm_writer.hpp"
#include "io/output_file.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::cli {
namespace {

struct ConvertOptions {
  DataArgument data;
  FieldFlags flags;
  std::string out;
};

int convert(const ConvertOptions& options) {
  const ReadOptions read_options = options.data.read_options(options.flags.request().settings.threads);
  require_writable("OUT", options.out);
  if (options.out != "-") require_other_file("OUT", options.out, options.data);
  const Dataset data = read_dataset(options.data.path(), read_options);
  const bool is_cache = options.out.ends_with(".pdb");
  if (is_cache) static_cast<void>(data.A->by_column());  // which takes a while, and nothing is to be removed yet
  const InterruptGuard interrupt;
  OutputFile file(options.out);
  InterruptibleSink sink(file, interrupt);
  if (is_cache)
    write_cache_to(sink, file.name(), data);
  else
    write_libsvm(sink, data);
  file.commit();
  return kSuccess;
}

}  // namespace

Command add_convert(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("convert", "Write data as a cache file that opens at once, or back as text");
  const auto options = std::make_shared<ConvertOptions>();
  options->data.add(*parser);
  parser
      ->add_option(
          "OUT", options->out,
          "Where the data go: a cache file if the name ends in .pdb,\nelse LIBSVM's text format; - is standard output")
      ->required()
      ->type_name("");
  options->flags.add(*parser, "threads");
  parser->footer(
      "Every command takes a cache file as DATA.\n\n"
      "Example:\n"
      "  pdbfw convert news20.binary.xz news20.pdb\n"
      "  pdbfw train news20.pdb news20.model");
  return {parser, [options] { return convert(*options); }};
}

}  // namespace pdbfw::cli
