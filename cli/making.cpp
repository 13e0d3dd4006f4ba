#include "cli/making.hpp"

#include <algorithm>

#include "base/machine_memory.hpp"
#include "cli/interrupt.hpp"
#include "io/bytes/output_file.hpp"

namespace pdbfw::cli {

void MakingFlags::add_files(CLI::App& parser) {
  data.add(parser);
  parser.add_option("OUT", out, "Where the new data go, as text, same targets; - is standard output")
      ->required()
      ->type_name("");
}

void MakingFlags::add_map(CLI::App& parser) {
  learning.push_back(
      parser.add_option("--save-map", save_map, "Keep what was learnt, for data that come later")->type_name("FILE"));
  parser.add_option("--map", map, "Learn nothing: use what --save-map kept")->type_name("FILE");
}

void MakingFlags::add_rest(CLI::App& parser) {
  fields.add(parser, "threads");
  add_json(parser);
  add_quiet(parser);
}

void MakingFlags::check() const {
  for (const CLI::Option* flag : learning)
    if (map && flag->count() > 0) throw InputError(flag->get_name(), "with --map", "only where a map is learnt");
  if (data.path() == "-" && map == "-") throw InputError("map", "'-'", "a file when the data come from standard input");
  require_writable("OUT", out);
  if (out != "-") {
    require_other_file("OUT", out, data);
    require_other_file("OUT", out, {map.value_or("")});
  }
  if (out == "-" && is_json) throw InputError("OUT", "'-'", "a file, because --json uses standard output");
  if (!save_map) return;
  require_writable("save_map", *save_map);
  require_other_file("save_map", *save_map, data);
  require_other_file("save_map", *save_map, {out, "-"});
}

void MakingFlags::tell(const Made& made, const std::pair<std::string, std::string>& kind, const Json& own,
                       const Facts& more) const {
  Facts facts = {{"data", fmt::format("{}: {}, {}", data.name(), counted(made.rows, "row", "rows"),
                                      counted(made.columns, "column", "columns"))},
                 kind,
                 {"features", fmt::format("{}, {} non-zeros{}", made.features, made.nonzeros, made.note)}};
  facts.insert(facts.end(), more.begin(), more.end());
  const Index ignored = std::max<Index>(0, made.columns - made.learnt.value_or(made.columns));
  if (ignored > 0)
    facts.emplace_back("ignored",
                       fmt::format("{} beyond the {} of the map", counted(ignored, "column", "columns"), *made.learnt));
  facts.emplace_back("seconds", fmt::format("{:.3g}{}", made.seconds, made.seconds_of));
  Json object;
  object["rows"] = made.rows;
  object["columns"] = made.columns;
  object.update(own);
  object["features"] = made.features;
  object["nonzeros"] = made.nonzeros;
  if (made.learnt) object["ignored_columns"] = ignored;
  object["seconds"] = made.seconds;
  object["out"] = out;
  tell_after_writing(fmt::format("'{}'", out), [&] {
    if (is_json)
      print_json(object);
    else if (is_quiet)
      return;
    else if (out == "-")
      print_remark(aligned(facts));
    else
      print(aligned(facts));
  });
}

CLI::Option* add_number(CLI::App& parser, const std::string& name, double& value, const std::string& meaning) {
  return parser
      .add_option_function<std::string>(
          "--" + name, [&value, name](const std::string& text) { value = parse_number(name, text, "a number"); },
          meaning)
      ->type_name("NUMBER");
}

CLI::Option* add_count(CLI::App& parser, const std::string& name, Index& value, const std::string& meaning) {
  return parser
      .add_option_function<std::string>(
          "--" + name, [&value, name](const std::string& text) { value = parse_count(name, text, "an integer"); },
          meaning)
      ->type_name("NUMBER");
}

CLI::Option* add_gamma(CLI::App& parser, std::optional<double>& gamma, const std::string& meaning) {
  return parser
      .add_option_function<std::string>(
          "--gamma",
          [&gamma](const std::string& text) {
            gamma.reset();
            if (text != "auto") gamma = parse_number("gamma", text, "a finite number > 0, or auto");
          },
          meaning + "\n(a number > 0 | auto; default auto)")
      ->type_name("NUMBER");
}

void write_files(const MakingFlags& flags, const std::function<void(TextSink&)>& write_map,
                 const std::function<void(TextSink&)>& write_data) {
  const InterruptGuard interrupt;
  OutputFile data(flags.out);
  InterruptibleSink data_rows(data, interrupt);
  write_data(data_rows);
  if (!flags.save_map) {
    data.commit();
    return;
  }
  OutputFile map(*flags.save_map);
  write_map(map);
  map.finish();
  data.commit();
  map.commit();
}

void require_memory(std::string_view option, const std::string& value, double bytes) {
  if (bytes > static_cast<double>(machine_memory_bytes()))
    throw InputError(
        option, value,
        fmt::format("so few that the features fit into this machine's memory; they need {:.3g} GB", bytes / 1e9));
}

}  // namespace pdbfw::cli
