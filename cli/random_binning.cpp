// pdbfw features random-binning DATA OUT
#include <algorithm>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/making.hpp"
#include "data/learners.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/features/features_text.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw::cli {
namespace {

struct RandomBinningFlags : MakingFlags {
  RandomBinningOptions options;
};

// For every grid: the numbers of a row's bins while they are found, then index and value; pitch and shift of a column.
// Beside them the columns' scale and, in every thread, what one looks up in a grid.
double bytes_needed(const DataMatrix& A, Index grids, int threads) {
  constexpr double kBytesPerEntry = 16, kBytesPerColumn = 16, kBytesOfScale = 8, kBytesOfLookUp = 48;
  const auto rows = static_cast<double>(A.rows()), columns = static_cast<double>(A.columns());
  return static_cast<double>(grids) * (kBytesPerEntry * rows + kBytesPerColumn * columns) +
         columns * (kBytesOfScale + kBytesOfLookUp * threads);
}

void tell_result(const RandomBinningFlags& flags, const DataMatrix& given, const RandomBinning& map,
                 const DataMatrix& made, double seconds) {
  const auto grids = static_cast<Index>(map.grids.size());
  const Index unknown = made.rows() * grids - made.nonzeros();
  Facts more;
  if (unknown > 0)
    more.emplace_back("unknown",
                      fmt::format("{:.3g} % of the rows' bins are not in the map and have no entry",
                                  100.0 * static_cast<double>(unknown) / static_cast<double>(made.rows() * grids)));
  flags.tell({.data = {given.rows(), given.columns(), made.nonzeros()},
              .features = map.features(),
              .seconds = seconds,
              .learnt = map.columns,
              .seconds_of = " without reading and writing"},
             {"map", fmt::format("{}, gamma {:.6g}{}", counted(grids, "grid", "grids"), map.gamma,
                                 flags.options.scale ? ", columns scaled" : "")},
             {{"grids", grids}, {"gamma", map.gamma}, {"unknown_bins", unknown}}, more);
}

// All rows at once: the tables that find a bin's number can be larger than the new data, so no memory would be saved.
int random_binning(const RandomBinningFlags& flags) {
  const Settings settings = flags.settings();
  const ReadOptions read_options = flags.data.read_options(settings.threads);
  validate(flags.options);
  flags.check();
  RandomBinning map;
  if (flags.map) map = read_features<RandomBinning>(*flags.map);
  const Dataset data = read_dataset(flags.data.path(), read_options);

  RandomBinningOptions options = flags.options;
  options.seed = settings.seed;
  options.threads = settings.threads;
  const Index grids = flags.map ? static_cast<Index>(map.grids.size()) : options.grids;
  require_memory("grids", fmt::format("{} for {} x {} data", grids, data.A->rows(), data.A->columns()),
                 bytes_needed(*data.A, grids, settings.threads));
  const Stopwatch watch;
  if (!flags.map) map = RandomBinning::learn(*data.A, options);
  const Dataset made{map.apply(*data.A, settings.threads), data.target};
  const double seconds = watch.seconds();  // without reading and writing
  write_files(
      flags, [&](TextSink& sink) { write_features_to(sink, map); }, [&](TextSink& sink) { write_libsvm(sink, made); });
  tell_result(flags, *data.A, map, *made.A, seconds);
  return kSuccess;
}

}  // namespace

Command add_random_binning(CLI::App& features) {
  CLI::App* parser = features.add_subcommand(
      "random-binning", "Sparse features for the Laplacian kernel exp(-gamma |x - x'|_1): non-linear models by train");
  const auto flags = std::make_shared<RandomBinningFlags>();
  RandomBinningOptions& options = flags->options;
  flags->add_files(*parser);
  const Flags add(*parser);
  flags->learning = {
      add.number("grids", options.grids, "an integer",
                 fmt::format("Random grids: entries of a row; the kernel's error falls\nlike 1/sqrt(grids).\n"
                             "(an integer, 1 .. 100000; default {})",
                             options.grids)),
      add_gamma(add, options.gamma,
                "How fast the kernel falls; more gives more features.\nauto: 1 / median l1 distance of 1,000 pairs of "
                "rows."),
      add.number("features", options.features, "an integer",
                 "Instead of --gamma: take the gamma that gives about so\nmany features.\n(an integer >= grids)"),
      add.flag("--scale", options.scale, "Divide every column by its standard deviation first")};
  flags->add_map(*parser);
  flags->add_seed(*parser);
  flags->add_rest(*parser);
  return command_of(
      parser, flags, random_binning,
      "Only bins that a training row falls into become features; rows of test data have no entry for others.\n\n"
      "Example:\n"
      "  pdbfw features random-binning train.txt train.bins --grids 300 --save-map bins.map\n"
      "  pdbfw features random-binning test.txt test.bins --map bins.map\n"
      "  pdbfw train train.bins bins.model --radius 50");
}

}  // namespace pdbfw::cli
