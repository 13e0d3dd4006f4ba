// pdbfw solvers: what each solver is, takes and reads.
#include <fmt/ranges.h>

#include <array>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {
namespace {

Json to_json(const SolverDescription& solver) {
  return {{"name", solver.name},
          {"summary", solver.summary},
          {"reference", solver.reference},
          {"losses", solver.losses},
          {"sets", solver.sets},
          {"takes_polytopes", solver.takes_polytopes},
          {"needs_ridge", solver.needs_ridge},
          {"options", solver.options.empty() ? Json::array() : Json(solver.options)}};
}

// One line a solver; the columns are as wide as their widest cell.
std::string to_text(const std::vector<SolverDescription>& solvers) {
  using Row = std::array<std::string, 5>;
  std::vector<Row> rows{{"solver", "ridge", "options", "reference", "what it is"}};
  for (const SolverDescription& solver : solvers)
    rows.push_back({std::string(solver.name), solver.needs_ridge ? "> 0" : ">= 0",
                    solver.options.empty() ? "-" : fmt::format("{}", fmt::join(solver.options, " ")),
                    std::string(solver.reference), std::string(solver.summary)});
  std::array<std::size_t, 5> width{};
  for (const Row& row : rows)
    for (std::size_t k = 0; k + 1 < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t k = 0; k + 1 < row.size(); ++k) text += fmt::format("{:<{}}  ", row[k], width[k]);
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace

Command add_solvers(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("solvers", "List the solvers: what each is, takes and reads");
  const auto is_json = std::make_shared<bool>(false);
  parser->add_flag("--json", *is_json, "Print one JSON object: also which losses and sets each takes");
  parser->footer(
      "Example:\n"
      "  pdbfw solvers");
  return {parser, [is_json] {
            const std::vector<SolverDescription> solvers = solver_descriptions();
            if (!*is_json) {
              print(to_text(solvers));
              return kSuccess;
            }
            Json list = Json::array();
            for (const SolverDescription& solver : solvers) list.push_back(to_json(solver));
            print_json({{"solvers", list}});
            return kSuccess;
          }};
}

}  // namespace pdbfw::cli
