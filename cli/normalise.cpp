// pdbfw features normalise DATA OUT
#include <algorithm>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/making.hpp"
#include "data/learners.hpp"
#include "io/features/features_text.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw::cli {
namespace {

struct NormaliseFlags : MakingFlags {
  std::string rows{name_of(Normalisation::Rows::none)};
  std::string columns{name_of(Normalisation::Columns::none)};
};

// A text of 20 GB or so.
constexpr Index kMostFilledIn = 1'000'000'000;

// Throws InputError when the zeros of all rows would become too many entries.
void require_few_entries(const Normalisation& map, const RowBlocks& data) {
  const auto width = static_cast<Index>(map.scale.size());
  if (!map.fills_in() || width == 0) return;
  Index rows = 0;
  data.for_each([&](const RowBlock& block) { rows += block.data.A->rows(); });
  if (rows > kMostFilledIn / width)
    throw InputError("columns", fmt::format("standardise for {} rows of {} columns", rows, width),
                     fmt::format("at most {} entries, and zeros become entries; deviation keeps them", kMostFilledIn));
}

// Where only rows change there is nothing to learn.
Normalisation learn(const RowBlocks& data, const Normalisation::Options& options) {
  if (options.columns == Normalisation::Columns::none) return {options, {}, {}};
  NormalisationLearner learner(options);
  constexpr double kBytesPerColumn = 78;  // sums, then centre and scale, while both are there
  data.for_each([&](const RowBlock& block) {
    const Index columns = block.data.A->columns();
    require_memory("columns", fmt::format("{} of them", columns), kBytesPerColumn * static_cast<double>(columns));
    learner.add(*block.data.A);
  });
  return learner.finish();
}

void tell_result(const NormaliseFlags& flags, const Normalisation& map, const TransformedRows& made, double seconds) {
  const bool has_rule = map.options.columns != Normalisation::Columns::none;
  const Index features = has_rule ? static_cast<Index>(map.scale.size()) : made.columns;
  flags.tell({.data = made,
              .features = features,
              .seconds = seconds,
              .learnt = features,
              .note = map.fills_in() ? "; zeros were filled in (deviation keeps them)" : ""},
             {"map", fmt::format("columns {}, rows {}", name_of(map.options.columns), name_of(map.options.rows))},
             {{"row_rule", name_of(map.options.rows)}, {"column_rule", name_of(map.options.columns)}});
}

int normalise(const NormaliseFlags& flags) {
  const Settings settings = flags.settings();
  const Normalisation::Options options{row_rule_of(flags.rows), column_rule_of(flags.columns)};
  if (!flags.map && options.rows == Normalisation::Rows::none && options.columns == Normalisation::Columns::none)
    throw InputError("rows and columns", "none", "--rows l2, or --columns, or both, or --map");
  const ReadOptions read_options = flags.data.read_options(settings.threads);
  flags.check();
  const Stopwatch watch;
  Normalisation map;
  if (flags.map) map = read_features<Normalisation>(*flags.map);
  const RowBlocks data(flags.data.path(), read_options);
  if (!flags.map) map = learn(data, options);
  require_few_entries(map, data);
  const auto apply = [&](const DataMatrix& A) { return map.apply(A); };
  const auto entries = [&](Index nonzeros) { return map.fills_in() ? static_cast<Index>(map.scale.size()) : nonzeros; };
  const TransformedRows made = write_transformed_files(flags, data, {apply, entries}, settings.threads,
                                                       [&](TextSink& sink) { write_features_to(sink, map); });
  tell_result(flags, map, made, watch.seconds());
  return kSuccess;
}

}  // namespace

Command add_normalise(CLI::App& features) {
  CLI::App* parser = features.add_subcommand("normalise", "Rows of length 1, columns of one scale");
  const auto flags = std::make_shared<NormaliseFlags>();
  flags->add_files(*parser);
  const Flags add(*parser);
  flags->learning = {
      add.text("--rows", "NAME", flags->rows,
               "l2: divide every row by its length, after the columns.\n(none | l2; default none)"),
      add.text("--columns", "NAME", flags->columns,
               "Divide every column by its largest |entry| or by its\nstandard deviation; standardise takes its "
               "mean away first,\nwhich fills in zeros.\n"
               "(none | maximum | deviation | standardise; default none)")};
  flags->add_map(*parser);
  flags->add_rest(*parser);
  return command_of(parser, flags, normalise,
                    "Rows are treated as they are read: memory does not grow with their number.\n\n"
                    "Example:\n"
                    "  pdbfw features normalise train.txt train.scaled --columns maximum --save-map scale.map\n"
                    "  pdbfw features normalise test.txt test.scaled --map scale.map\n"
                    "  pdbfw features normalise data.txt data.unit --rows l2");
}

}  // namespace pdbfw::cli
