// pdbfw features KIND: data made from data. A new kind is one more function add_... in a file of its own.
#include "cli/making.hpp"

#include <algorithm>

#include "base/machine_memory.hpp"

namespace pdbfw::cli {

Command add_features(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("features", "Make new features from data, for non-linear models");
  const std::vector<Command> kinds = {add_random_binning(*parser), add_random_fourier(*parser), add_polynomial(*parser),
                                      add_normalise(*parser)};
  parser->footer(
      "Example:\n"
      "  pdbfw features random-binning train.txt train.bins --grids 300");
  return {parser, [kinds] {
            const auto given =
                std::find_if(kinds.begin(), kinds.end(), [](const Command& kind) { return kind.parser->parsed(); });
            return given->run();
          }};
}

void MakingFlags::add_files(CLI::App& parser) {
  data.add(parser);
  Flags(parser).argument("OUT", out, "Where the new data go, as text, same targets; - is standard output");
}

void MakingFlags::add_map(CLI::App& parser) {
  const Flags flags(parser);
  learning.push_back(flags.text("--save-map", "FILE", save_map, "Keep what was learnt, for data that come later"));
  flags.text("--map", "FILE", map, "Learn nothing: use what --save-map kept");
}

void MakingFlags::add_seed(CLI::App& parser) {
  fields.add(parser, "seed");
  learning.push_back(parser.get_option("--seed"));
}

void MakingFlags::add_rest(CLI::App& parser) {
  fields.add(parser, "threads");
  add_report(parser);
}

void MakingFlags::check() const {
  for (const CLI::Option* flag : learning)
    if (map && flag->count() > 0) throw InputError(flag->get_name(), "with --map", "only where a map is learnt");
  if (data.path() == "-" && map == "-") throw InputError("map", "'-'", "a file when the data come from standard input");
  if (out != "-") require_output("OUT", out, data, {map.value_or("")});
  if (out == "-" && is_json) throw InputError("OUT", "'-'", "a file, because --json uses standard output");
  if (save_map) require_output("save_map", *save_map, data, {out, "-"});
}

void MakingFlags::tell(const Made& made, const std::pair<std::string, std::string>& kind, const Json& own,
                       const Facts& more) const {
  Facts facts = {{"data", fmt::format("{}: {}, {}", data.name(), counted(made.data.rows, "row", "rows"),
                                      counted(made.data.columns, "column", "columns"))},
                 kind,
                 {"features", fmt::format("{}, {} non-zeros{}", made.features, made.data.nonzeros, made.note)}};
  facts.insert(facts.end(), more.begin(), more.end());
  const Index ignored = std::max<Index>(0, made.data.columns - made.learnt.value_or(made.data.columns));
  if (ignored > 0)
    facts.emplace_back("ignored",
                       fmt::format("{} beyond the {} of the map", counted(ignored, "column", "columns"), *made.learnt));
  facts.emplace_back("seconds", fmt::format("{:.3g}{}", made.seconds, made.seconds_of));
  Json object;
  object["rows"] = made.data.rows;
  object["columns"] = made.data.columns;
  object.update(own);
  object["features"] = made.features;
  object["nonzeros"] = made.data.nonzeros;
  if (made.learnt) object["ignored_columns"] = ignored;
  object["seconds"] = made.seconds;
  object["out"] = out;
  tell_after_writing(fmt::format("'{}'", out),
                     [&] { ReportFlags::tell([&] { return object; }, [&] { return aligned(facts); }, out == "-"); });
}

CLI::Option* add_gamma(const Flags& flags, std::optional<double>& gamma, const std::string& meaning) {
  const auto read = [&gamma](const std::string& text) {
    gamma.reset();
    if (text != "auto") gamma = parse_number("gamma", text, "a finite number > 0, or auto");
  };
  return flags.read("--gamma", "NUMBER", read, meaning + "\n(a number > 0 | auto; default auto)");
}

void write_files(const MakingFlags& flags, const std::function<void(TextSink&)>& write_map,
                 const std::function<void(TextSink&)>& write_data) {
  const InterruptGuard interrupt;
  OutputFiles files(interrupt);
  write_data(files.open(flags.out));
  if (flags.save_map) write_map(files.open(*flags.save_map));
  files.commit();
}

TransformedRows write_transformed_files(const MakingFlags& flags, const RowBlocks& rows,
                                        const RowTransformation& transformation, int threads,
                                        const std::function<void(TextSink&)>& write_map) {
  TransformedRows made;
  write_files(flags, write_map, [&](TextSink& sink) { made = write_transformed(rows, transformation, threads, sink); });
  return made;
}

void require_memory(std::string_view option, const std::string& value, double bytes) {
  if (bytes > static_cast<double>(machine_memory_bytes()))
    throw InputError(
        option, value,
        fmt::format("so few that the features fit into this machine's memory; they need {:.3g} GB", bytes / 1e9));
}

}  // namespace pdbfw::cli
