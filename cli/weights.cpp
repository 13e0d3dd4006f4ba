// pdbfw weights MODEL
#include <limits>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "cli/weight_list.hpp"

namespace pdbfw::cli {

Command add_weights(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("weights", "List a model's weights, the strongest first");
  struct Options {
    std::string model;
    std::int64_t top = std::numeric_limits<std::int64_t>::max();
  };
  const auto options = std::make_shared<Options>();
  parser->add_option("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input")
      ->required()
      ->type_name("");
  parser->add_option("--top", options->top, "Only this many")->type_name("COUNT");
  parser->footer(
      "Lines are feature<TAB>weight; features count from 1 as in the data, weights have 17 digits.\n\n"
      "Example:\n"
      "  pdbfw weights news20.model --top 10");
  return {parser, [options] {
            if (options->top < 1) throw InputError("top", fmt::format("{}", options->top), "a whole number >= 1");
            const Model model = load_model(options->model);
            print(weight_lines(strongest(model.weights, static_cast<std::size_t>(options->top))));
            return kSuccess;
          }};
}

}  // namespace pdbfw::cli
