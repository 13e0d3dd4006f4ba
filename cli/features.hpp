// What the kinds of `pdbfw features` share: their arguments, the map that is learnt and kept, and the report.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "io/features/features_text.hpp"
#include "io/row_blocks.hpp"

namespace pdbfw::cli {

[[nodiscard]] Command add_random_binning(CLI::App& features);
[[nodiscard]] Command add_random_fourier(CLI::App& features);

// What a kind has to tell about the data that it made.
struct Made {
  TransformedRows data{};  // what was read and what was written
  Index features = 0;
  std::pair<std::string, std::string> kind{};  // the fact that only this kind has to tell, and its keys
  Json own{};
  std::optional<Index> learnt{};  // columns that the map knows; none: there is no map
  std::string note{};             // behind the features
  Facts more{};                   // behind them, too
  std::string seconds_of{};       // behind the seconds
};

// What the kinds share: their arguments, the map that is learnt and kept, and the report.
struct MakingFlags : ReportFlags {
  DataArgument data;
  FieldFlags fields;
  std::string out;
  std::optional<std::string> map{};            // one that was learnt before; none: learn
  std::optional<std::string> save_map{};       // none: do not
  std::vector<const CLI::Option*> learning{};  // flags that have no effect with a map; none: nothing is learnt
  bool draws = true;                           // something is random

  [[nodiscard]] Settings settings() const { return fields.request().settings; }
  // Throws InputError for flags and file names that cannot be, before anything is read.
  void check() const;
  // Writes the new data, and the map if it is to be kept. Both are on the disk before the first gets its name: either
  // can fail, and then neither appears. Throws Interrupted for a signal while the data are written.
  void write(const std::function<void(TextSink&)>& write_map, const std::function<void(TextSink&)>& write_data) const;
  // Prints facts, or an object that says the same.
  void tell(const Made& made, double seconds) const;
};

// Throws InputError when a number of `option` asks for more bytes than this machine has.
void require_memory(std::string_view option, const std::string& value, double bytes);

// Learns the map from the rows, or reads it, and writes what it makes of them. Rows come block by block: memory does
// not grow with their number.
template <class Map, class Learn, class Entries, class Describe>
int make_by_rows(const MakingFlags& flags, const Learn& learn, const Entries& entries_of_row,
                 const Describe& describe) {
  const int threads = flags.settings().threads;
  const ReadOptions read_options = flags.data.read_options(threads);
  flags.check();
  const Stopwatch watch;
  Map map;
  if (flags.map) map = read_features<Map>(*flags.map);
  const RowBlocks rows(flags.data.path(), read_options);
  if (!flags.map) map = learn(rows);
  const RowTransformation mapping{[&](const DataMatrix& A) { return map.apply(A); }, entries_of_row(map, rows)};
  TransformedRows made;
  flags.write([&](TextSink& sink) { write_features_to(sink, map); },
              [&](TextSink& sink) { made = write_transformed(rows, mapping, threads, sink); });
  flags.tell(describe(map, made), watch.seconds());
  return kSuccess;
}

// DATA and OUT come first, then the kind's own flags, those of the map and of the seed, and the rest.
template <class Kind>
Command add_kind(CLI::App& features, const char* name, const char* meaning, int (*run)(const Kind&),
                 const char* footer) {
  const auto [parser, kind] = new_command<Kind>(features, name, meaning);
  const Flags add(*parser);
  kind->data.add(*parser);
  add.argument("OUT", kind->out, "Where the new data go, as text, same targets; - is standard output");
  kind->add_own(add);
  if (!kind->learning.empty()) {
    kind->learning.push_back(
        add.text("--save-map", "FILE", kind->save_map, "Keep what was learnt, for data that come later"));
    add.text("--map", "FILE", kind->map, "Learn nothing: use what --save-map kept");
  }
  if (kind->draws) {
    kind->fields.add(*parser, "seed");
    kind->learning.push_back(parser->get_option("--seed"));
  }
  kind->fields.add(*parser, "threads");
  kind->add_report(*parser);
  return command_of(parser, kind, run, footer);
}

}  // namespace pdbfw::cli
