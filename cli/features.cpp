// pdbfw features KIND: data made from data. A new kind is one more function add_... in a file of its own.
#include "cli/commands.hpp"
#include "cli/making.hpp"

namespace pdbfw::cli {

Command add_features(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("features", "Make new features from data, for non-linear models");
  const Run run = std::make_shared<std::function<int()>>();
  add_random_binning(*parser, run);
  add_random_fourier(*parser, run);
  add_polynomial(*parser, run);
  add_normalise(*parser, run);
  parser->footer(
      "Example:\n"
      "  pdbfw features random-binning train.txt train.bins --grids 300");
  return {parser, [run] { return (*run)(); }};
}

}  // namespace pdbfw::cli
