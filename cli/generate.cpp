// pdbfw generate [OUT]
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/text_file.hpp"
#include "cli/weight_list.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::cli {
namespace {

struct GenerateOptions {
  Synthetic recipe;
  FieldFlags flags;
  std::string out = "-";
  std::string truth;
};

// What the number must be beyond that, the recipe judges.
void read_value(std::string_view name, std::string_view text, Index& value) {
  value = parse_count(name, text, "an integer");
}

void read_value(std::string_view name, std::string_view text, double& value) {
  value = parse_number(name, text, "a number");
}

int write_generated(const GenerateOptions& options) {
  Synthetic recipe = options.recipe;
  recipe.seed = options.flags.request().settings.seed;
  require_writable("OUT", options.out);
  if (!options.truth.empty()) {
    require_writable("truth", options.truth);
    require_other_file("truth", options.truth, {options.out});
  }
  const SyntheticDataset made = generate(recipe);
  write_dataset(options.out, made.data);
  if (!options.truth.empty()) {
    const SparseVector planted = to_sparse(made.planted);
    write_text_file(options.truth, weight_lines(strongest(planted, planted.at.size())));
  }
  return kSuccess;
}

}  // namespace

Command add_generate(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("generate", "Make text-like data with a planted sparse model");
  const auto options = std::make_shared<GenerateOptions>();
  Synthetic& recipe = options->recipe;
  const auto add = [&](const std::string& name, auto& value, const std::string& meaning) {
    const auto set = [name, &value](const std::string& text) { read_value(name, text, value); };
    parser->add_option_function<std::string>(flag_name(name), set, fmt::format("{}; default {}", meaning, value))
        ->type_name("NUMBER");
  };
  parser->add_option("OUT", options->out, "Where the data go; default -, standard output")->type_name("");
  add("rows", recipe.rows, "Samples");
  add("features", recipe.features, "Features; how often each occurs follows a power law");
  add("row_nonzeros", recipe.row_nonzeros, "Non-zeros of a row, on average");
  add("support", recipe.support, "Non-zeros of the planted model");
  add("noise", recipe.noise, "Share of flipped labels; with --regression the standard deviation");
  parser->add_flag("--regression", recipe.is_regression, "Targets are numbers instead of signs");
  options->flags.add(*parser, "seed");
  parser->add_option("--truth", options->truth, "Write the planted model as `pdbfw weights` would")->type_name("FILE");
  parser->footer(
      "Example:\n"
      "  pdbfw generate sample.txt --rows 1000 --features 5000 --truth planted.txt");
  return {parser, [options] { return write_generated(*options); }};
}

}  // namespace pdbfw::cli
