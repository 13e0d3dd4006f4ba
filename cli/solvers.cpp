// pdbfw solvers: what each solver is, takes and reads.
#include <fmt/ranges.h>

#include <array>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {
namespace {

// Some names occur in both families.
struct Listed {
  std::string_view family;
  SolverDescription solver;
};

std::vector<Listed> all_solvers() {
  std::vector<Listed> all;
  for (const SolverDescription& solver : solver_descriptions()) all.push_back({"sparse", solver});
  for (const SolverDescription& solver : low_rank::solver_descriptions()) all.push_back({"low rank", solver});
  return all;
}

Json json_of(const Listed& listed) {
  const SolverDescription& solver = listed.solver;
  return {{"name", solver.name},
          {"family", listed.family},
          {"summary", solver.summary},
          {"reference", solver.reference},
          {"losses", solver.losses},
          {"sets", solver.sets},
          {"takes_polytopes", solver.takes_polytopes},
          {"takes_intercept", solver.takes_intercept},
          {"takes_free_features", solver.takes_free_features},
          {"takes_streamed", solver.takes_streamed},
          {"takes_team", solver.takes_team},
          {"needs_ridge", solver.needs_ridge},
          {"options", solver.options.empty() ? Json::array() : Json(solver.options)}};
}

// One line per solver; the columns are as wide as their widest cell.
std::string to_text(const std::vector<Listed>& solvers) {
  constexpr std::size_t kColumns = 6;
  using Row = std::array<std::string, kColumns>;
  std::vector<Row> rows{{"solver", "family", "ridge", "options", "reference", "what it is"}};
  for (const auto& [family, solver] : solvers)
    rows.push_back({std::string(solver.name), std::string(family), solver.needs_ridge ? "> 0" : ">= 0",
                    solver.options.empty() ? "-" : fmt::format("{}", fmt::join(solver.options, " ")),
                    std::string(solver.reference), std::string(solver.summary)});
  std::array<std::size_t, kColumns> width{};
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
      "Those of the family low rank are for --set trace.\n\n"
      "Example:\n"
      "  pdbfw solvers");
  return {parser, [is_json] {
            const std::vector<Listed> solvers = all_solvers();
            if (!*is_json) {
              print(to_text(solvers));
              return kSuccess;
            }
            Json list = Json::array();
            for (const Listed& listed : solvers) list.push_back(json_of(listed));
            print_json({{"solvers", list}});
            return kSuccess;
          }};
}

}  // namespace pdbfw::cli
