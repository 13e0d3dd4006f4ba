// The subcommands. Each adds itself to the parser; the first one that was named on the command line is run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <utility>

namespace pdbfw::cli {

// What the shell sees.
inline constexpr int kSuccess = 0;  // converged, or done
inline constexpr int kFailure = 1;  // bad usage or input
inline constexpr int kStopped = 2;  // stopped before the tolerance was met, or not proven

struct Command {
  CLI::App* parser;
  std::function<int()> run;  // gives the exit code; throws InputError
};

// The parser of a command, and the options that it reads into.
template <class Options>
[[nodiscard]] std::pair<CLI::App*, std::shared_ptr<Options>> new_command(CLI::App& tool, const char* name,
                                                                         const char* meaning) {
  return {tool.add_subcommand(name, meaning), std::make_shared<Options>()};
}

// What the parser has read into `options` is given to `run`; `footer` ends the help.
template <class Options, class Function>
[[nodiscard]] Command command_of(CLI::App* parser, std::shared_ptr<Options> options, Function run, const char* footer) {
  parser->footer(footer);
  return {parser, [options, run] { return run(*options); }};
}

[[nodiscard]] Command add_train(CLI::App& tool);
[[nodiscard]] Command add_path(CLI::App& tool);
[[nodiscard]] Command add_cv(CLI::App& tool);
[[nodiscard]] Command add_predict(CLI::App& tool);
[[nodiscard]] Command add_certify(CLI::App& tool);
[[nodiscard]] Command add_weights(CLI::App& tool);
[[nodiscard]] Command add_complete(CLI::App& tool);
[[nodiscard]] Command add_rank_min(CLI::App& tool);
[[nodiscard]] Command add_phase(CLI::App& tool);
[[nodiscard]] Command add_info(CLI::App& tool);
[[nodiscard]] Command add_convert(CLI::App& tool);
[[nodiscard]] Command add_features(CLI::App& tool);  // has subcommands of its own
[[nodiscard]] Command add_split(CLI::App& tool);
[[nodiscard]] Command add_generate(CLI::App& tool);
[[nodiscard]] Command add_solvers(CLI::App& tool);
[[nodiscard]] Command add_demo(CLI::App& tool);
[[nodiscard]] Command add_reference(CLI::App& tool);  // prints docs/settings.md, from the parser and the field table

}  // namespace pdbfw::cli
