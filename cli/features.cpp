// pdbfw features KIND: data made from data. A new kind is one more function add_...
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "io/machine_memory.hpp"
#include "io/output_file.hpp"
#include "io/random_binning_text.hpp"
#include "pdbfw/random_binning_file.hpp"

namespace pdbfw::cli {
namespace {

struct RandomBinningFlags {
  DataArgument data;
  FieldFlags fields;
  std::string out;
  std::optional<std::string> map{};       // one that was learnt before; none: learn
  std::optional<std::string> save_map{};  // none: do not
  RandomBinningOptions options;
  std::vector<const CLI::Option*> learning{};  // flags that have no say with a map
  bool is_json = false;
  bool is_quiet = false;
};

struct RandomBinningReport {
  const RandomBinningFlags& flags;
  const DataMatrix& given;
  const RandomBinning& map;
  const DataMatrix& made;
  double seconds;  // without reading and writing

  [[nodiscard]] Index ignored_columns() const { return std::max<Index>(0, given.columns() - map.columns); }
  [[nodiscard]] Index unknown_bins() const {
    return made.rows() * static_cast<Index>(map.grids.size()) - made.nonzeros();
  }
};

void check_early(const RandomBinningFlags& flags) {
  for (const CLI::Option* flag : flags.learning)
    if (flags.map && flag->count() > 0) throw InputError(flag->get_name(), "with --map", "only where a map is learnt");
  validate(flags.options);
  if (flags.data.path() == "-" && flags.map == "-")
    throw InputError("map", "'-'", "a file when the data come from standard input");
  require_writable("OUT", flags.out);
  if (flags.out != "-") require_other_file("OUT", flags.out, {flags.data.path(), flags.map.value_or("")});
  if (flags.out == "-" && flags.is_json) throw InputError("OUT", "'-'", "a file, because --json uses standard output");
  if (!flags.save_map) return;
  require_writable("save_map", *flags.save_map);
  require_other_file("save_map", *flags.save_map, {flags.data.path(), flags.out, "-"});
}

// Numbers of a row's bins while they are found, then index and value.
void require_memory(const DataMatrix& A, Index grids) {
  constexpr double kBytesPerEntry = 16, kBytesPerColumn = 16;
  const double bytes = static_cast<double>(grids) * (kBytesPerEntry * static_cast<double>(A.rows()) +
                                                     kBytesPerColumn * static_cast<double>(A.columns()));
  if (bytes > static_cast<double>(machine_memory_bytes()))
    throw InputError(
        "grids", fmt::format("{} for {} x {} data", grids, A.rows(), A.columns()),
        fmt::format("so few that the features fit into this machine's memory; they need {:.3g} GB", bytes / 1e9));
}

std::string summary(const RandomBinningReport& report) {
  const RandomBinning& map = report.map;
  Facts facts = {
      {"data", fmt::format("{}: {}, {}", report.flags.data.name(), counted(report.given.rows(), "row", "rows"),
                           counted(report.given.columns(), "column", "columns"))},
      {"map", fmt::format("{}, gamma {:.6g}{}", counted(static_cast<Index>(map.grids.size()), "grid", "grids"),
                          map.gamma, report.flags.options.scale ? ", columns scaled" : "")},
      {"features", fmt::format("{}, {} non-zeros", map.features(), report.made.nonzeros())}};
  if (report.unknown_bins() > 0)
    facts.emplace_back("unknown", fmt::format("{:.3g} % of the rows' bins are not in the map and have no entry",
                                              100.0 * static_cast<double>(report.unknown_bins()) /
                                                  static_cast<double>(report.unknown_bins() + report.made.nonzeros())));
  if (report.ignored_columns() > 0)
    facts.emplace_back("ignored", fmt::format("{} beyond the {} of the map",
                                              counted(report.ignored_columns(), "column", "columns"), map.columns));
  facts.emplace_back("seconds", fmt::format("{:.3g} without reading and writing", report.seconds));
  return aligned(facts);
}

Json to_json(const RandomBinningReport& report) {
  Json object;
  object["rows"] = report.given.rows();
  object["columns"] = report.given.columns();
  object["grids"] = report.map.grids.size();
  object["gamma"] = report.map.gamma;
  object["features"] = report.map.features();
  object["nonzeros"] = report.made.nonzeros();
  object["unknown_bins"] = report.unknown_bins();
  object["ignored_columns"] = report.ignored_columns();
  object["seconds"] = report.seconds;
  object["out"] = report.flags.out;
  return object;
}

void tell(const RandomBinningReport& report) {
  if (report.flags.is_json)
    print_json(to_json(report));
  else if (report.flags.is_quiet)
    return;
  else if (report.flags.out == "-")
    print_remark(summary(report));
  else
    print(summary(report));
}

// The map is on the disk before the data get their name: either can fail, and then neither appears.
void write_files(const RandomBinningFlags& flags, const RandomBinning& map, const Dataset& made) {
  if (!flags.save_map) {
    write_dataset(flags.out, made);
    return;
  }
  OutputFile map_file(*flags.save_map);
  write_random_binning_to(map_file, map);
  map_file.finish();
  write_dataset(flags.out, made);
  map_file.commit();
}

int random_binning(const RandomBinningFlags& flags) {
  const Settings settings = flags.fields.request().settings;
  const ReadOptions read_options = flags.data.read_options(settings.threads);
  check_early(flags);
  RandomBinning map;
  if (flags.map) map = read_random_binning(*flags.map);
  const Dataset data = read_dataset(flags.data.path(), read_options);

  RandomBinningOptions options = flags.options;
  options.seed = settings.seed;
  options.threads = settings.threads;
  require_memory(*data.A, flags.map ? static_cast<Index>(map.grids.size()) : options.grids);
  const Stopwatch watch;
  if (!flags.map) map = learn_random_binning(*data.A, options);
  const Dataset made{map.apply(*data.A, settings.threads), data.target};
  const double seconds = watch.seconds();
  write_files(flags, map, made);
  const RandomBinningReport report{flags, *data.A, map, *made.A, seconds};
  tell_after_writing(fmt::format("'{}'", flags.out), [&] { tell(report); });
  return kSuccess;
}

void add_random_binning(CLI::App& features, const std::shared_ptr<std::function<int()>>& run) {
  CLI::App* parser = features.add_subcommand(
      "random-binning", "Sparse features for the Laplacian kernel exp(-gamma |x - x'|_1): non-linear models by train");
  const auto flags = std::make_shared<RandomBinningFlags>();
  RandomBinningOptions& options = flags->options;
  flags->data.add(*parser);
  parser->add_option("OUT", flags->out, "Where the new data go, same format, same targets; - is standard output")
      ->required()
      ->type_name("");
  flags->learning = {
      parser
          ->add_option_function<std::string>(
              "--grids",
              [&options](const std::string& text) { options.grids = parse_count("grids", text, "an integer"); },
              fmt::format("Random grids: entries of a row; the kernel's error falls\nlike 1/sqrt(grids).\n"
                          "(an integer, 1 .. 100000; default {})",
                          options.grids))
          ->type_name("NUMBER"),
      parser
          ->add_option_function<std::string>(
              "--gamma",
              [&options](const std::string& text) {
                options.gamma.reset();
                if (text != "auto") options.gamma = parse_number("gamma", text, "a finite number > 0, or auto");
              },
              "How fast the kernel falls; more gives more features.\nauto: 1 / median l1 distance of 1,000 pairs of "
              "rows.\n(a number > 0 | auto; default auto)")
          ->type_name("NUMBER"),
      parser->add_flag("--scale", options.scale, "Divide every column by its standard deviation first"),
      parser->add_option("--save-map", flags->save_map, "Keep what was learnt, for data that come later")
          ->type_name("FILE")};
  parser->add_option("--map", flags->map, "Learn nothing: use what --save-map kept")->type_name("FILE");
  flags->fields.add(*parser, "seed");
  flags->learning.push_back(parser->get_option("--seed"));
  flags->fields.add(*parser, "threads");
  parser->add_flag("--json", flags->is_json, "Print one JSON object instead of the summary");
  parser->add_flag("--quiet", flags->is_quiet, "Print nothing but errors");
  parser->footer(
      "Only bins that a training row falls into become features; rows of test data have no entry for others.\n\n"
      "Example:\n"
      "  pdbfw features random-binning train.txt train.bins --grids 300 --save-map bins.map\n"
      "  pdbfw features random-binning test.txt test.bins --map bins.map\n"
      "  pdbfw train train.bins bins.model --radius 50");
  parser->callback([run, flags] { *run = [flags] { return random_binning(*flags); }; });
}

}  // namespace

Command add_features(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("features", "Make new features from data, for non-linear models");
  const auto run = std::make_shared<std::function<int()>>();
  add_random_binning(*parser, run);
  parser->footer(
      "Example:\n"
      "  pdbfw features random-binning train.txt train.bins --grids 300");
  return {parser, [run] { return (*run)(); }};
}

}  // namespace pdbfw::cli
