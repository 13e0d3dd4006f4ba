// pdbfw generate [OUT]
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "cli/weight_list.hpp"
#include "data/synthetic_chunks.hpp"
#include "io/cache/block_file.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::cli {
namespace {

struct GenerateOptions : ReportFlags {
  Synthetic recipe;
  FieldFlags flags;
  std::string out = "-";
  std::string truth;
  std::optional<std::string> memory{};
};

// Chunk after chunk into a cache file in blocks. Gives the planted model back.
std::vector<double> generate_in_blocks(const GenerateOptions& options, const Synthetic& recipe, int threads) {
  const Index memory = parse_bytes("memory", *options.memory);
  if (memory < kLeastMemory)
    throw InputError("memory", fmt::format("'{}'", *options.memory), fmt::format("at least {}M", kLeastMemory >> 20U));
  if (!options.out.ends_with(".pdb"))
    throw InputError("OUT", fmt::format("'{}'", options.out), "a cache file, *.pdb, with --memory");
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
    write_text_file(options.truth, weight_lines(planted, strongest(planted, model.size())));
  }
  return kSuccess;
}

}  // namespace

Command add_generate(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("generate", "Make text-like data with a planted sparse model");
  const auto options = std::make_shared<GenerateOptions>();
  Synthetic& recipe = options->recipe;
  const Flags flags(*parser);
  const auto add = [&](const char* name, auto& value, const char* meaning) {
    const char* const rule = std::is_integral_v<std::decay_t<decltype(value)>> ? "an integer" : "a number";
    return flags.number(name, value, rule, fmt::format("{}; default {}", meaning, value));
  };
  flags.optional_argument("OUT", options->out, "Where the data go; default -, standard output");
  add("rows", recipe.rows, "Samples");
  add("features", recipe.features, "Features; how often each occurs follows a power law");
  const CLI::Option* const row_nonzeros = add("row_nonzeros", recipe.row_nonzeros, "Non-zeros of a row, on average");
  const CLI::Option* const support = add("support", recipe.support, "Non-zeros of the planted model");
  add("noise", recipe.noise, "Share of flipped labels; with --regression the standard deviation");
  flags.flag("--regression", recipe.is_regression, "Targets are numbers instead of signs");
  options->flags.add(*parser, "seed");
  options->flags.add(*parser, "threads");
  flags.text("--memory", "SIZE", options->memory,
             "Write a cache file in blocks (OUT is *.pdb), of any size, in so much memory, at least 64M;\n"
             "values are float32, and the rows are other draws than those without --memory");
  flags.text("--truth", "FILE", options->truth, "Write the planted model as `pdbfw weights` would");
  options->add_quiet(*parser);
  parser->footer(
      "Example:\n"
      "  pdbfw generate sample.txt --rows 1000 --features 5000 --truth planted.txt\n"
      "  pdbfw generate large.pdb --rows 20000000 --features 1000000 --memory 1G --threads 4");
  // What was not asked for is no more than there are features.
  return {parser, [options, row_nonzeros, support] {
            Synthetic& asked = options->recipe;
            if (row_nonzeros->count() == 0)
              asked.row_nonzeros =
                  std::min(asked.row_nonzeros, static_cast<double>(std::max<Index>(1, asked.features)));
            if (support->count() == 0) asked.support = std::min(asked.support, std::max<Index>(0, asked.features));
            return write_generated(*options);
          }};
}

}  // namespace pdbfw::cli
