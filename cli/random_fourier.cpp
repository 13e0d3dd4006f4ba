// pdbfw features random-fourier DATA OUT
#include <algorithm>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/making.hpp"
#include "data/learners.hpp"
#include "io/features/features_text.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw::cli {
namespace {

struct RandomFourierFlags : MakingFlags {
  RandomFourierOptions options;
  std::string kernel{name_of(RandomFourierOptions::Kernel::gaussian)};
};

void require_memory_for(Index features, Index columns) {
  require_memory("features", fmt::format("{} for {} columns", features, columns),
                 static_cast<double>(features) / 2 * static_cast<double>(columns) * sizeof(double));
}

RandomFourier learn(const RowBlocks& rows, const RandomFourierOptions& options) {
  RandomFourierLearner learner(options);
  rows.for_each([&](const RowBlock& block) {
    learner.add(*block.data.A);
    require_memory_for(options.features, learner.columns());
  });
  return learner.finish();
}

void tell_result(const RandomFourierFlags& flags, const RandomFourier& map, const TransformedRows& made,
                 double seconds) {
  flags.tell({.data = made, .features = map.features, .seconds = seconds, .learnt = map.columns},
             {"map", fmt::format("{} kernel, gamma {:.6g}{}", name_of(map.kernel), map.gamma,
                                 flags.options.scale ? ", columns scaled" : "")},
             {{"kernel", name_of(map.kernel)}, {"gamma", map.gamma}});
}

int random_fourier(const RandomFourierFlags& flags) {
  const Settings settings = flags.settings();
  RandomFourierOptions options = flags.options;
  options.kernel = kernel_of(flags.kernel);
  options.seed = settings.seed;
  validate(options);
  const ReadOptions read_options = flags.data.read_options(settings.threads);
  flags.check();
  const Stopwatch watch;
  RandomFourier map;
  if (flags.map) map = read_features<RandomFourier>(*flags.map);
  const RowBlocks rows(flags.data.path(), read_options);
  if (!flags.map) map = learn(rows, options);
  const RowTransformation mapping{[&](const DataMatrix& A) { return map.apply(A); },
                                  [&](Index) { return map.features; }};
  const TransformedRows made = write_transformed_files(flags, rows, mapping, settings.threads,
                                                       [&](TextSink& sink) { write_features_to(sink, map); });
  tell_result(flags, map, made, watch.seconds());
  return kSuccess;
}

}  // namespace

Command add_random_fourier(CLI::App& features) {
  CLI::App* parser = features.add_subcommand(
      "random-fourier", "Dense features for the Gaussian or the Laplacian kernel: non-linear models by train");
  const auto flags = std::make_shared<RandomFourierFlags>();
  RandomFourierOptions& options = flags->options;
  flags->add_files(*parser);
  const Flags add(*parser);
  flags->learning = {
      add.text("--kernel", "NAME", flags->kernel,
               "gaussian: exp(-gamma |x - x'|_2^2); laplacian:\nexp(-gamma |x - x'|_1).\n"
               "(gaussian | laplacian; default gaussian)"),
      add.number("features", options.features, "an integer",
                 fmt::format("New features, a cosine and a sine for each frequency; the\nkernel's error falls like "
                             "1/sqrt(features).\n(an even number, 2 .. 1000000; default {})",
                             options.features)),
      add_gamma(add, options.gamma,
                "How fast the kernel falls.\nauto: 1 / median distance of 1,000 pairs of rows, |.|_2^2 or\n|.|_1 as in "
                "the kernel."),
      add.flag("--scale", options.scale, "Divide every column by its standard deviation first")};
  flags->add_map(*parser);
  flags->add_seed(*parser);
  flags->add_rest(*parser);
  return command_of(parser, flags, random_fourier,
                    "Rows are mapped as they are read: memory does not grow with their number.\n\n"
                    "Example:\n"
                    "  pdbfw features random-fourier train.txt train.waves --features 2000 --save-map waves.map\n"
                    "  pdbfw features random-fourier test.txt test.waves --map waves.map\n"
                    "  pdbfw train train.waves waves.model --radius 300");
}

}  // namespace pdbfw::cli
