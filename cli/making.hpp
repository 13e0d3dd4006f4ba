// What the kinds of `pdbfw features` share: their arguments, the map that is learnt and kept, and the report.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/output_files.hpp"
#include "io/bytes/byte_streams.hpp"
#include "io/row_blocks.hpp"

namespace pdbfw::cli {

// Each adds its kind to `pdbfw features`.
[[nodiscard]] Command add_random_binning(CLI::App& features);
[[nodiscard]] Command add_random_fourier(CLI::App& features);
[[nodiscard]] Command add_polynomial(CLI::App& features);
[[nodiscard]] Command add_normalise(CLI::App& features);

// What every kind has to tell.
struct Made {
  TransformedRows data{};  // what was read and what was written
  Index features = 0;
  double seconds = 0;
  std::optional<Index> learnt{};  // columns that the map knows; none: there is no map
  std::string note{};             // behind the features
  std::string seconds_of{};       // behind the seconds
};

struct MakingFlags : ReportFlags {
  DataArgument data;
  FieldFlags fields;
  std::string out;
  std::optional<std::string> map{};            // one that was learnt before; none: learn
  std::optional<std::string> save_map{};       // none: do not
  std::vector<const CLI::Option*> learning{};  // flags that have no effect with a map

  // DATA and OUT come first, then the kind's own flags, then --save-map and --map, --seed where something is drawn, and
  // the rest.
  void add_files(CLI::App& parser);
  void add_map(CLI::App& parser);
  void add_seed(CLI::App& parser);
  void add_rest(CLI::App& parser);

  [[nodiscard]] Settings settings() const { return fields.request().settings; }
  // Throws InputError for flags and file names that cannot be, before anything is read.
  void check() const;
  // Prints facts, or an object that says the same. `kind` and `own` are what only this kind has to tell, `more` are
  // facts behind the features.
  void tell(const Made& made, const std::pair<std::string, std::string>& kind, const Json& own,
            const Facts& more = {}) const;
};

// --gamma NUMBER | auto, which is none.
CLI::Option* add_gamma(const Flags& flags, std::optional<double>& gamma, const std::string& meaning);

// Writes the new data, and the map if it is to be kept. Both are on the disk before the first gets its name: either can
// fail, and then neither appears. Throws Interrupted for a signal while the data are written.
void write_files(const MakingFlags& flags, const std::function<void(TextSink&)>& write_map,
                 const std::function<void(TextSink&)>& write_data);

// The same for data that are transformed row by row.
[[nodiscard]] TransformedRows write_transformed_files(const MakingFlags& flags, const RowBlocks& rows,
                                                      const RowTransformation& transformation, int threads,
                                                      const std::function<void(TextSink&)>& write_map);

// Throws InputError when a number of `option` asks for more bytes than this machine has.
void require_memory(std::string_view option, const std::string& value, double bytes);

}  // namespace pdbfw::cli
