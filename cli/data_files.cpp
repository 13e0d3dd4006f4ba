// pdbfw generate [OUT], convert DATA OUT and split DATA OUT_TRAIN OUT_TEST: data files, and models, from others or
// made.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "apps/fit_rules.hpp"
#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "cli/report.hpp"
#include "data/synthetic_chunks.hpp"
#include "io/cache/block_file.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/models/model_file.hpp"
#include "io/row_blocks.hpp"
#include "linalg/chosen_rows.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::cli {
namespace {

struct NewFileOptions : ReportFlags {
  FieldFlags flags;
  std::string out = "-";
  std::optional<std::string> memory{};

  // The bytes of --memory, in which only a cache file is written.
  [[nodiscard]] Index bytes(Index least = 1) const {
    const Index bytes = parse_bytes("memory", *memory);
    if (bytes < least)
      throw InputError("memory", fmt::format("'{}'", *memory), fmt::format("at least {}M", least >> 20U));
    if (!out.ends_with(".pdb")) throw InputError("OUT", fmt::format("'{}'", out), "a cache file, *.pdb, with --memory");
    return bytes;
  }
};

struct GenerateOptions : NewFileOptions {
  Synthetic recipe;
  const CLI::Option *row_nonzeros = nullptr, *support = nullptr;
  std::string truth;
};

// Chunk after chunk into a cache file in blocks. Gives the planted model back.
std::vector<double> generate_in_blocks(const GenerateOptions& options, const Synthetic& recipe, int threads) {
  const Index memory = options.bytes(kLeastMemory);
  const SyntheticChunks chunks(recipe);
  const auto most = std::max<Index>(1, memory / (Index{32} << 20U));
  std::vector<Dataset> batch(static_cast<std::size_t>(std::min<Index>(most, Index{4} * std::max(1, threads))));
  write_file(options.out, [&](TextSink& sink) {
    BlockWriter writer(sink, options.out);
    for (Index first = 0; first < chunks.count(); first += static_cast<Index>(batch.size())) {
      const Index count = std::min(static_cast<Index>(batch.size()), chunks.count() - first);
      parallel_for(threads, count, [&](Index k) { batch[static_cast<std::size_t>(k)] = chunks[first + k]; });
      for (Index k = 0; k < count; ++k) {
        const Dataset& chunk = batch[static_cast<std::size_t>(k)];
        writer.append(chunk.A->by_row(), chunk.target);
      }
    }
    writer.finish(recipe.features);
  });
  return chunks.planted();
}

std::vector<double> generate_whole(const GenerateOptions& options, const Synthetic& recipe) {
  SyntheticDataset made = generate(recipe);
  write_dataset(options.out, made.data);
  return std::move(made.planted);
}

int write_generated(const GenerateOptions& options) {
  Synthetic recipe = options.recipe;
  // What was not asked for is no more than there are features.
  if (options.row_nonzeros->count() == 0)
    recipe.row_nonzeros = std::min(recipe.row_nonzeros, static_cast<double>(std::max<Index>(1, recipe.features)));
  if (options.support->count() == 0) recipe.support = std::min(recipe.support, std::max<Index>(0, recipe.features));
  const Settings settings = options.flags.request().settings;
  recipe.seed = settings.seed;
  require_writable("OUT", options.out);
  if (!options.truth.empty()) {
    require_writable("truth", options.truth);
    require_other_file("truth", options.truth, {options.out});
  }
  const std::vector<double> model =
      options.memory ? generate_in_blocks(options, recipe, settings.threads) : generate_whole(options, recipe);
  if (!options.truth.empty()) {
    Model planted;
    planted.weights = {SparseVector::of(model)};
    write_text_file(options.truth, weight_lines(planted, model.size()));
  }
  return kSuccess;
}

struct ConvertOptions : NewFileOptions {
  DataArgument data;
};

int convert_in_pieces(const ConvertOptions& options, const ReadOptions& read_options) {
  const Index memory = options.bytes();
  std::vector<std::string> files;  // in their order, patterns resolved
  for (const std::string& path : options.data.paths())
    for (const std::string& file : matching_files(path)) files.push_back(file);
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

struct SplitFlags : ReportFlags {
  DataArgument data;
  FieldFlags fields;
  std::string train, test;
  Splitter::Options options;
  const CLI::Option* test_fraction = nullptr;
  const CLI::Option* fold = nullptr;
};

void check(const SplitFlags& flags) {
  Splitter::validate(flags.options);
  if (flags.options.folds && flags.test_fraction->count() > 0)
    throw InputError("test_fraction", "with --folds", "one of the two");
  if (!flags.options.folds && flags.fold->count() > 0) throw InputError("fold", "without --folds", "both or none");
  if (flags.options.folds && flags.fold->count() == 0) throw InputError("folds", "without --fold", "both or none");
  require_output("OUT_TRAIN", flags.train, flags.data, {"-"});
  require_output("OUT_TEST", flags.test, flags.data, {flags.train, "-"});
}

bool has_content(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  return first != line.npos && line[first] != '#';
}

// Lines of text as they are, but for those without a row.
void copy_rows(const RowBlock& block, Splitter& splitter, TextSink& train, TextSink& test) {
  std::string_view rest = block.text;
  for (Index i = 0; i < block.data.A->rows(); ++i) {
    const double target = block.data.target[static_cast<std::size_t>(i)];
    TextSink& sink = splitter.is_test(target) ? test : train;
    if (block.text.empty()) {
      write_libsvm(sink, {row_range(*block.data.A, i, i + 1), {target}});
      continue;
    }
    std::string_view line;
    do {
      line = rest.substr(0, rest.find('\n') + 1);
      rest.remove_prefix(line.size());
    } while (!has_content(line));
    sink.write(line);
  }
}

int split(const SplitFlags& given) {
  SplitFlags flags = given;
  const Settings settings = flags.fields.request().settings;
  flags.options.seed = settings.seed;
  check(flags);
  const RowBlocks rows(flags.data.path(), flags.data.read_options(settings.threads));
  Splitter splitter(flags.options);
  rows.for_each([&](const RowBlock& block) {
    for (const double target : block.data.target) splitter.count(target);
  });
  const InterruptGuard interrupt;
  OutputFiles files(interrupt);
  TextSink &train_rows = files.open(flags.train), &test_rows = files.open(flags.test);
  rows.for_each([&](const RowBlock& block) { copy_rows(block, splitter, train_rows, test_rows); });
  files.commit();
  const Index all = splitter.rows(), test = splitter.test_rows();
  const auto line = [](const std::string& name, Index count) {
    return fmt::format("{}: {}", name, counted(count, "row", "rows"));
  };
  tell_after_writing(fmt::format("'{}' and '{}'", flags.train, flags.test), [&] {
    flags.tell({{"rows", all},
                {"train_rows", all - test},
                {"test_rows", test},
                {"stratified", splitter.is_stratified()},
                {"train", flags.train},
                {"test", flags.test}},
               aligned({{"data", line(flags.data.name(), all)},
                        {"train", line(flags.train, all - test)},
                        {"test", line(flags.test, test)},
                        {"labels", splitter.is_stratified() ? "each has its share in both" : "have no say"}}));
  });
  return kSuccess;
}

}  // namespace

Command add_generate(CLI::App& tool) {
  const auto [parser, options] =
      new_command<GenerateOptions>(tool, "generate", "Make text-like data with a planted sparse model");
  Synthetic& recipe = options->recipe;
  const Flags flags(*parser);
  const auto add = [&](const char* name, auto& value, const char* meaning) {
    const char* const rule = std::is_integral_v<std::decay_t<decltype(value)>> ? "an integer" : "a number";
    return flags.number(name, value, rule, fmt::format("{}; default {}", meaning, value));
  };
  flags.optional_argument("OUT", options->out, "Where the data go; default -, standard output");
  add("rows", recipe.rows, "Samples");
  add("features", recipe.features, "Features; how often each occurs follows a power law");
  options->row_nonzeros = add("row_nonzeros", recipe.row_nonzeros, "Non-zeros of a row, on average");
  options->support = add("support", recipe.support, "Non-zeros of the planted model");
  add("noise", recipe.noise, "Share of flipped labels; with --regression the standard deviation");
  flags.flag("--regression", recipe.is_regression, "Targets are numbers instead of signs");
  options->flags.add(*parser, "seed");
  options->flags.add(*parser, "threads");
  flags.text("--memory", "SIZE", options->memory,
             "Write a cache file in blocks (OUT is *.pdb), of any size, in so much memory, at least 64M;\n"
             "values are float32, and the rows are other draws than those without --memory");
  flags.text("--truth", "FILE", options->truth, "Write the planted model as `pdbfw weights` would");
  options->add_quiet(*parser);
  return command_of(parser, options, write_generated,
                    "Example:\n"
                    "  pdbfw generate sample.txt --rows 1000 --features 5000 --truth planted.txt\n"
                    "  pdbfw generate large.pdb --rows 20000000 --features 1000000 --memory 1G --threads 4");
}

Command add_convert(CLI::App& tool) {
  const auto [parser, options] = new_command<ConvertOptions>(
      tool, "convert",
      "Write data as a cache file that opens at once, a model as one that many processes share, or back as text");
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

Command add_split(CLI::App& tool) {
  const auto [parser, flags] = new_command<SplitFlags>(tool, "split", "Cut data into rows to train and rows to test");
  Splitter::Options& options = flags->options;
  flags->data.add(*parser);
  const Flags add(*parser);
  add.argument("OUT_TRAIN", flags->train, "Where the rows to train go");
  add.argument("OUT_TEST", flags->test, "Where the rows to test go");
  flags->test_fraction =
      add.number("test_fraction", options.test_fraction, "a number > 0 and < 1",
                 fmt::format("The share of rows to test.\n(a number > 0 and < 1; default {})", options.test_fraction));
  add.number("folds", options.folds, "an integer",
             "Cut into so many equal parts instead; --fold says which one\nis to test.\n(an integer, 2 .. 1000)");
  flags->fold =
      add.number("fold", options.fold, "an integer", "Which of the folds is to test.\n(an integer, 1 .. folds)");
  parser->add_flag_callback(
      "--no-stratify", [&options] { options.stratify = false; },
      "Draw from all rows together; else every label has its\nshare, where there are at most 20 labels");
  flags->fields.add(*parser, "seed");
  flags->fields.add(*parser, "threads");
  flags->add_report(*parser);
  return command_of(
      parser, flags, split,
      "Lines of text are copied as they are, in their order, without those that hold no row; they are read twice, and\n"
      "not kept. Other formats, and data from a pipe, are written as LIBSVM's text.\n\n"
      "Example:\n"
      "  pdbfw split data.txt.gz train.txt test.txt --test-fraction 0.25 --seed 1\n"
      "  pdbfw split data.txt train.txt test.txt --folds 5 --fold 1");
}

}  // namespace pdbfw::cli
