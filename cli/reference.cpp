// What there is to choose from. pdbfw solvers: what each solver is, takes and reads; pdbfw reference: docs/settings.md,
// made from the table of fields and from the parser itself.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {
namespace {

// One line per solver, or an object; some names occur in both families.
int list_solvers(const ReportFlags& flags) {
  constexpr std::size_t kColumns = 6;
  using Row = std::array<std::string, kColumns>;
  std::vector<Row> rows{{"solver", "family", "ridge", "options", "reference", "what it is"}};
  Json list = Json::array();
  for (const bool is_of_matrices : {false, true})
    for (const SolverDescription& solver : is_of_matrices ? low_rank::solver_descriptions() : solver_descriptions()) {
      const std::string family = is_of_matrices ? "low rank" : "sparse";
      rows.push_back({std::string(solver.name), family, solver.needs_ridge ? "> 0" : ">= 0",
                      solver.options.empty() ? "-" : fmt::format("{}", fmt::join(solver.options, " ")),
                      std::string(solver.reference), std::string(solver.summary)});
      list.push_back({{"name", solver.name},
                      {"family", family},
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
                      {"options", solver.options.empty() ? Json::array() : Json(solver.options)}});
    }
  // The columns are as wide as their widest cell.
  std::array<std::size_t, kColumns> width{};
  for (const Row& row : rows)
    for (std::size_t k = 0; k + 1 < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t k = 0; k + 1 < row.size(); ++k) text += fmt::format("{:<{}}  ", row[k], width[k]);
    text += row.back() + "\n";
  }
  flags.tell({{"solvers", list}}, text);
  return kSuccess;
}

// Inside a Markdown table a bar ends the cell and a newline the row.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string readers_text(const Field& field) {
  const std::vector<std::string_view> vectors = readers_of(field, "l1"), matrices = readers_of(field, kTrace);
  if (matrices.empty()) return fmt::format("{}", fmt::join(vectors, ", "));
  return fmt::format("{}; of the set trace: {}", fmt::join(vectors, ", "), fmt::join(matrices, ", "));
}

std::string field_table(Field::Group group) {
  const bool is_research = group == Field::Group::research;
  std::string table =
      fmt::format("## {}\n\n| name | flag | values | default | meaning |{}\n|---|---|---|---|---|{}\n", heading(group),
                  is_research ? " solvers that read it |" : "", is_research ? "---|" : "");
  for (const Field& field : fields()) {
    if (field.group != group) continue;
    table += fmt::format("| `{}` | `{}` | {} | `{}` | {} |", field.name, flag_name(field.name), cell(field.values),
                         field.text(Request{}), cell(field.meaning));
    table += is_research ? fmt::format(" {} |\n", readers_text(field)) : "\n";
  }
  return table + "\n";
}

// A flag of the table, and not one of the same name with values of its own.
bool is_field_flag(const CLI::Option& option) {
  const Field* const field = field_of(option.get_name());
  return field != nullptr && heading(field->group) == option.get_group();
}

std::string command_section(const CLI::App& command, const std::string& name) {
  std::string section = fmt::format("### pdbfw {}\n\n{}.\n\n", name, command.get_description());
  std::string arguments;
  std::string shared;
  for (const CLI::Option* option : command.get_options()) {
    const std::string flag = option->get_name();
    if (flag == "--help" || flag.empty()) continue;  // hidden ones have no name
    if (is_field_flag(*option) || option->get_group() == kReadingHeading)
      shared += fmt::format("{}`{}`", shared.empty() ? "" : " ", flag);
    else
      arguments += fmt::format("| `{}` | {} |\n", flag, cell(option->get_description()));
  }
  if (!arguments.empty()) section += "| argument | meaning |\n|---|---|\n" + arguments + "\n";
  if (!shared.empty()) section += fmt::format("And from the tables above: {}.\n\n", shared);
  for (const CLI::App* kind : command.get_subcommands([](const CLI::App*) { return true; }))
    section += command_section(*kind, name + " " + kind->get_name());
  return section;
}

// The same for every command that takes DATA.
std::string reading_table(const CLI::App& command) {
  std::string table = "## Reading data\n\n| flag | meaning |\n|---|---|\n";
  for (const CLI::Option* option : command.get_options())
    if (option->get_group() == kReadingHeading)
      table += fmt::format("| `{}` | {} |\n", option->get_name(), cell(option->get_description()));
  return table + "\nThe formats, with an example of each: [data-formats.md](data-formats.md).\n\n";
}

constexpr std::string_view kDefaults =
    "## Why these defaults\n\n"
    "- `loss` `smooth_hinge`: rows that are met with a margin have no say, so few rows carry the model, and it is\n"
    "  smooth, which is what makes the proof cheap. `smoothing` 1 is its roundest form.\n"
    "- `set` `l1` and `radius` 100: for rows of length about 1, as text has them, this is wide enough for a good\n"
    "  classifier and still leaves most weights at zero. The summary says when the radius does not bind; where\n"
    "  accuracy on held-out rows matters, try 10, 30, 100, 300.\n"
    "- `ridge` 1/n: as heavy as one row. It makes the optimum unique and the proof fast, and hardly moves the model.\n"
    "- `tol` 1e-4: four proven digits of the objective; held-out accuracy seldom changes after that. Tighter costs\n"
    "  little.\n"
    "- No limits on time and passes: a run ends with its proof, with Ctrl-C, or when the gap no longer falls.\n\n";

std::string reference(const CLI::App& tool) {
  std::string page =
      "# Settings\n\n"
      "<!-- Made by `pdbfw reference` (make docs); edit src/apps/fields.cpp or cli/ instead. -->\n\n"
      "Every option of the model and of the solvers. The library, the command line and the model file use the same\n"
      "names; the command line writes hyphens for underscores. None of them is ever required.\n\n";
  for (const Field::Group group : {Field::Group::model, Field::Group::solving, Field::Group::research})
    page += field_table(group);
  page += reading_table(*tool.get_subcommand("info"));
  page += kDefaults;
  page += "## Commands\n\n";
  for (const CLI::App* command : tool.get_subcommands([](const CLI::App*) { return true; }))
    page += command_section(*command, command->get_name());
  page +=
      "## Exit codes\n\n"
      "| code | meaning |\n|---|---|\n"
      "| 0 | converged, or done |\n"
      "| 1 | bad usage or input; one line on standard error says what; nothing was written unless it says so |\n"
      "| 2 | `train`: stopped before the tolerance was met; the model is written and its gap reported. `certify`: the "
      "weights are not in the set, or the gap is above `--tol` |\n";
  return page;
}

}  // namespace

Command add_solvers(CLI::App& tool) {
  const auto [parser, flags] =
      new_command<ReportFlags>(tool, "solvers", "List the solvers: what each is, takes and reads");
  Flags(*parser).flag("--json", flags->is_json, "Print one JSON object: also which losses and sets each takes");
  return command_of(parser, flags, list_solvers,
                    "Those of the family low rank are for --set trace.\n\n"
                    "Example:\n"
                    "  pdbfw solvers");
}

Command add_reference(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("reference", "Print the reference of all options as Markdown");
  parser->footer(
      "Example:\n"
      "  pdbfw reference > docs/settings.md");
  return {parser, [&tool] {
            print(reference(tool));
            return kSuccess;
          }};
}

}  // namespace pdbfw::cli
