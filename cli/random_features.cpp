// pdbfw features random-binning and random-fourier: random features for two kernels.
#include "cli/features.hpp"
#include "data/learners.hpp"
#include "io/data/libsvm_file.hpp"

namespace pdbfw::cli {
namespace {

// --gamma NUMBER | auto, which is none.
CLI::Option* add_gamma(const Flags& flags, std::optional<double>& gamma, const std::string& meaning) {
  const auto read = [&gamma](const std::string& text) {
    gamma.reset();
    if (text != "auto") gamma = parse_number("gamma", text, "a finite number > 0, or auto");
  };
  return flags.read("--gamma", "NUMBER", read, meaning + "\n(a number > 0 | auto; default auto)");
}

struct RandomFourierFlags : MakingFlags {
  RandomFourierOptions options;
  std::string kernel{name_of(RandomFourierOptions::Kernel::gaussian)};

  void add_own(const Flags& add) {
    learning = {
        add.text("--kernel", "NAME", kernel,
                 "gaussian: exp(-gamma |x - x'|_2^2); laplacian:\nexp(-gamma |x - x'|_1).\n"
                 "(gaussian | laplacian; default gaussian)"),
        add.number("features", options.features, "an integer",
                   fmt::format("New features, a cosine and a sine for each frequency; the\nkernel's error falls like "
                               "1/sqrt(features).\n(an even number, 2 .. 1000000; default {})",
                               options.features)),
        add_gamma(add, options.gamma,
                  "How fast the kernel falls.\nauto: 1 / median distance of 1,000 pairs of rows, |.|_2^2 or\n|.|_1 as "
                  "in the kernel."),
        add.flag("--scale", options.scale, "Divide every column by its standard deviation first")};
  }
};

RandomFourier learn(const RowBlocks& rows, const RandomFourierOptions& options) {
  RandomFourierLearner learner(options);
  rows.for_each([&](const RowBlock& block) {
    learner.add(*block.data.A);
    const auto frequencies = static_cast<double>(options.features) / 2 * static_cast<double>(learner.columns());
    require_memory("features", fmt::format("{} for {} columns", options.features, learner.columns()),
                   frequencies * sizeof(double));
  });
  return learner.finish();
}

int random_fourier(const RandomFourierFlags& flags) {
  RandomFourierOptions options = flags.options;
  options.seed = flags.settings().seed;
  options.kernel = kernel_of(flags.kernel);
  validate(options);
  return make_by_rows<RandomFourier>(
      flags, [&](const RowBlocks& rows) { return learn(rows, options); },
      [](const RandomFourier& map, const RowBlocks&) { return [&map](Index) { return map.features; }; },
      [&](const RandomFourier& map, const TransformedRows& made) -> Made {
        return {.data = made,
                .features = map.features,
                .kind = {"map", fmt::format("{} kernel, gamma {:.6g}{}", name_of(map.kernel), map.gamma,
                                            options.scale ? ", columns scaled" : "")},
                .own = {{"kernel", name_of(map.kernel)}, {"gamma", map.gamma}},
                .learnt = map.columns};
      });
}

struct RandomBinningFlags : MakingFlags {
  RandomBinningOptions options;

  void add_own(const Flags& add) {
    learning = {
        add.number("grids", options.grids, "an integer",
                   fmt::format("Random grids: entries of a row; the kernel's error falls\nlike 1/sqrt(grids).\n"
                               "(an integer, 1 .. 100000; default {})",
                               options.grids)),
        add_gamma(add, options.gamma,
                  "How fast the kernel falls; more gives more features.\nauto: 1 / median l1 distance of 1,000 pairs "
                  "of rows."),
        add.number("features", options.features, "an integer",
                   "Instead of --gamma: take the gamma that gives about so\nmany features.\n(an integer >= grids)"),
        add.flag("--scale", options.scale, "Divide every column by its standard deviation first")};
  }
};

// For every grid: the numbers of a row's bins while they are found, then index and value; pitch and shift of a column.
// Beside them the columns' scale and, in every thread, what one looks up in a grid.
double bytes_needed(const DataMatrix& A, Index grids, int threads) {
  constexpr double kBytesPerEntry = 16, kBytesPerColumn = 16, kBytesOfScale = 8, kBytesOfLookUp = 48;
  const auto rows = static_cast<double>(A.rows()), columns = static_cast<double>(A.columns());
  return static_cast<double>(grids) * (kBytesPerEntry * rows + kBytesPerColumn * columns) +
         columns * (kBytesOfScale + kBytesOfLookUp * threads);
}

Made described(const RandomBinningFlags& flags, const DataMatrix& given, const RandomBinning& map,
               const DataMatrix& made) {
  const Index grids = std::ssize(map.grids), bins = made.rows() * grids, unknown = bins - made.nonzeros();
  Facts more;
  if (unknown > 0)
    more.emplace_back("unknown", fmt::format("{:.3g} % of the rows' bins are not in the map and have no entry",
                                             100.0 * static_cast<double>(unknown) / static_cast<double>(bins)));
  return {.data = {given.rows(), given.columns(), made.nonzeros()},
          .features = map.features(),
          .kind = {"map", fmt::format("{}, gamma {:.6g}{}", counted(grids, "grid", "grids"), map.gamma,
                                      flags.options.scale ? ", columns scaled" : "")},
          .own = {{"grids", grids}, {"gamma", map.gamma}, {"unknown_bins", unknown}},
          .learnt = map.columns,
          .more = more,
          .seconds_of = " without reading and writing"};
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
  flags.write([&](TextSink& sink) { write_features_to(sink, map); }, [&](TextSink& sink) { write_libsvm(sink, made); });
  flags.tell(described(flags, *data.A, map, *made.A), seconds);
  return kSuccess;
}

}  // namespace

Command add_random_binning(CLI::App& features) {
  return add_kind(
      features, "random-binning",
      "Sparse features for the Laplacian kernel exp(-gamma |x - x'|_1): non-linear models by train", random_binning,
      "Only bins that a training row falls into become features; rows of test data have no entry for others.\n\n"
      "Example:\n"
      "  pdbfw features random-binning train.txt train.bins --grids 300 --save-map bins.map\n"
      "  pdbfw features random-binning test.txt test.bins --map bins.map\n"
      "  pdbfw train train.bins bins.model --radius 50");
}

Command add_random_fourier(CLI::App& features) {
  return add_kind(features, "random-fourier",
                  "Dense features for the Gaussian or the Laplacian kernel: non-linear models by train", random_fourier,
                  "Rows are mapped as they are read: memory does not grow with their number.\n\n"
                  "Example:\n"
                  "  pdbfw features random-fourier train.txt train.waves --features 2000 --save-map waves.map\n"
                  "  pdbfw features random-fourier test.txt test.waves --map waves.map\n"
                  "  pdbfw train train.waves waves.model --radius 300");
}

}  // namespace pdbfw::cli
