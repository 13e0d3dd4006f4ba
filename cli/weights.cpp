// pdbfw weights MODEL
#include <limits>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/load_model.hpp"
#include "cli/options.hpp"
#include "cli/weight_list.hpp"

namespace pdbfw::cli {

Command add_weights(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("weights", "List a model's weights, the strongest first");
  struct Options {
    std::string model;
    std::string top;
  };
  const auto options = std::make_shared<Options>();
  const Flags add(*parser);
  add.argument("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input");
  add.text("--top", "COUNT", options->top, "Only this many");
  parser->footer(
      "Lines are feature<TAB>weight; features count from 1 as in the data, weights have 17 digits. For a model of "
      "several\n"
      "labels or classes they are feature<TAB>label<TAB>weight; of the set trace, without --top, there are as many as\n"
      "features times labels.\n\n"
      "Example:\n"
      "  pdbfw weights news20.model --top 10");
  return {parser, [options] {
            constexpr std::string_view kRule = "an integer >= 1";
            const bool is_limited = !options->top.empty();
            const Index top = is_limited ? parse_count("top", options->top, kRule) : std::numeric_limits<Index>::max();
            if (top < 1) throw InputError("top", fmt::format("'{}'", options->top), kRule);
            const Model model = load_model(options->model);
            print(weight_lines(model, strongest(model, static_cast<std::size_t>(top))));
            return kSuccess;
          }};
}

}  // namespace pdbfw::cli
