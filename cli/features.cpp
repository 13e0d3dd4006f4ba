// pdbfw features KIND DATA OUT: data made from data. A new kind is one more add_kind.
#include "cli/features.hpp"

#include <algorithm>

#include "base/machine_memory.hpp"
#include "data/learners.hpp"

namespace pdbfw::cli {

void MakingFlags::check() const {
  for (const CLI::Option* flag : learning)
    if (map && flag->count() > 0) throw InputError(flag->get_name(), "with --map", "only where a map is learnt");
  if (data.path() == "-" && map == "-") throw InputError("map", "'-'", "a file when the data come from standard input");
  if (out != "-") require_output("OUT", out, data, {map.value_or("")});
  if (out == "-" && is_json) throw InputError("OUT", "'-'", "a file, because --json uses standard output");
  if (save_map) require_output("save_map", *save_map, data, {out, "-"});
}

void MakingFlags::write(const std::function<void(TextSink&)>& write_map,
                        const std::function<void(TextSink&)>& write_data) const {
  const InterruptGuard interrupt;
  OutputFiles files(interrupt);
  write_data(files.open(out));
  if (save_map) write_map(files.open(*save_map));
  files.commit();
}

void MakingFlags::tell(const Made& made, double seconds) const {
  Facts facts = {{"data", fmt::format("{}: {}, {}", data.name(), counted(made.data.rows, "row", "rows"),
                                      counted(made.data.columns, "column", "columns"))},
                 made.kind,
                 {"features", fmt::format("{}, {} non-zeros{}", made.features, made.data.nonzeros, made.note)}};
  facts.insert(facts.end(), made.more.begin(), made.more.end());
  const Index ignored = std::max<Index>(0, made.data.columns - made.learnt.value_or(made.data.columns));
  if (ignored > 0)
    facts.emplace_back("ignored",
                       fmt::format("{} beyond the {} of the map", counted(ignored, "column", "columns"), *made.learnt));
  facts.emplace_back("seconds", fmt::format("{:.3g}{}", seconds, made.seconds_of));
  Json object{{"rows", made.data.rows}, {"columns", made.data.columns}};
  object.update(made.own);
  object["features"] = made.features;
  object["nonzeros"] = made.data.nonzeros;
  if (made.learnt) object["ignored_columns"] = ignored;
  object["seconds"] = seconds;
  object["out"] = out;
  tell_after_writing(fmt::format("'{}'", out), [&] { ReportFlags::tell(object, aligned(facts), out == "-"); });
}

void require_memory(std::string_view option, const std::string& value, double bytes) {
  if (bytes > static_cast<double>(machine_memory_bytes()))
    throw InputError(
        option, value,
        fmt::format("so few that the features fit into this machine's memory; they need {:.3g} GB", bytes / 1e9));
}

namespace {

struct NormaliseFlags : MakingFlags {
  std::string rows{name_of(Normalisation::Rows::none)};
  std::string columns{name_of(Normalisation::Columns::none)};

  void add_own(const Flags& add) {
    draws = false;
    learning = {add.text("--rows", "NAME", rows,
                         "l2: divide every row by its length, after the columns.\n(none | l2; default none)"),
                add.text("--columns", "NAME", columns,
                         "Divide every column by its largest |entry| or by its\nstandard deviation; standardise takes "
                         "its mean away first,\nwhich fills in zeros.\n"
                         "(none | maximum | deviation | standardise; default none)")};
  }
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

int normalise(const NormaliseFlags& flags) {
  static_cast<void>(flags.settings());  // judged first
  const Normalisation::Options options{row_rule_of(flags.rows), column_rule_of(flags.columns)};
  if (!flags.map && options.rows == Normalisation::Rows::none && options.columns == Normalisation::Columns::none)
    throw InputError("rows and columns", "none", "--rows l2, or --columns, or both, or --map");
  return make_by_rows<Normalisation>(
      flags, [&](const RowBlocks& rows) { return learn(rows, options); },
      [](const Normalisation& map, const RowBlocks& rows) {
        require_few_entries(map, rows);
        return [&map](Index nonzeros) { return map.fills_in() ? std::ssize(map.scale) : nonzeros; };
      },
      [](const Normalisation& map, const TransformedRows& made) -> Made {
        const auto& [rows, columns] = map.options;
        const Index features = columns == Normalisation::Columns::none ? made.columns : std::ssize(map.scale);
        return {.data = made,
                .features = features,
                .kind = {"map", fmt::format("columns {}, rows {}", name_of(columns), name_of(rows))},
                .own = {{"row_rule", name_of(rows)}, {"column_rule", name_of(columns)}},
                .learnt = features,
                .note = map.fills_in() ? "; zeros were filled in (deviation keeps them)" : ""};
      });
}

struct PolynomialFlags : MakingFlags {
  Index degree = 2;
  std::optional<Index> hash{};
  Polynomial options;

  void add_own(const Flags& add) {
    add.number("degree", degree, "an integer", "How many factors a product has at most.\n(2 | 3; default 2)");
    add.number("gamma", options.gamma, "a number",
               "Of the kernel: columns count sqrt(gamma) times.\n(a finite number > 0; default 1)");
    add.number("coef0", options.coef0, "a number",
               "Of the kernel: products of fewer factors, which 0 leaves\nout.\n(a finite number >= 0; default 1)");
    add.number(
        "hash", hash, "an integer",
        "Hash the products, with random signs, into 2^BITS features.\n(1 .. 30; default: every product has its own)",
        "BITS");
  }
};

// Exact numbers only as long as the result can be read again.
MatrixPtr apply(const Polynomial& options, const DataMatrix& A) {
  const Index features = options.features(A.columns());
  if (!options.hash_bits && features > most_features_in_memory())
    throw InputError("degree", fmt::format("{} for {} columns", options.degree, A.columns()),
                     fmt::format("at most {} features, which this machine's memory can hold, and these are {}; --hash "
                                 "20 maps them into 2^20",
                                 most_features_in_memory(), features));
  return options.apply(A);
}

// Only what no rule allows is too large for an int.
int narrowed(std::string_view option, Index value, std::string_view rule) {
  if (!std::in_range<int>(value)) throw InputError(option, fmt::format("{}", value), rule);
  return static_cast<int>(value);
}

int polynomial(const PolynomialFlags& flags) {
  const Settings settings = flags.settings();
  Polynomial options = flags.options;
  options.degree = narrowed("degree", flags.degree, "2 or 3");
  if (flags.hash) options.hash_bits = narrowed("hash", *flags.hash, "a number of bits, 1 .. 30");
  options.seed = settings.seed;
  validate(options);
  if (flags.fields.given("seed") && !flags.hash)
    throw InputError("seed", fmt::format("{}", settings.seed), "only with --hash; nothing else is random here");
  const ReadOptions read_options = flags.data.read_options(settings.threads);
  flags.check();
  const Stopwatch watch;
  const RowBlocks rows(flags.data.path(), read_options);
  constexpr Index kMany = 100'000;  // whatever the degree: such a row is a piece of its own
  const Polynomial all_products{.degree = options.degree, .coef0 = 0};
  const RowTransformation mapping{[&](const DataMatrix& A) { return apply(options, A); },
                                  [&](Index nonzeros) { return all_products.features(std::min(kMany, nonzeros + 1)); }};
  TransformedRows made;
  flags.write({}, [&](TextSink& sink) { made = write_transformed(rows, mapping, settings.threads, sink); });
  const auto& [degree, gamma, coef0, hash_bits, seed] = options;
  flags.tell({.data = made,
              .features = options.features(made.columns),
              .kind = {"kernel", fmt::format("({:.6g} x'y + {:.6g})^{}{}", gamma, coef0, degree,
                                             hash_bits ? fmt::format(", hashed into 2^{}", *hash_bits) : "")},
              .own = {{"degree", degree},
                      {"gamma", gamma},
                      {"coef0", coef0},
                      {"hash", hash_bits ? Json(*hash_bits) : Json()}}},
             watch.seconds());
  return kSuccess;
}

}  // namespace

Command add_features(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("features", "Make new features from data, for non-linear models");
  const std::vector<Command> kinds = {
      add_random_binning(*parser), add_random_fourier(*parser),
      add_kind(*parser, "polynomial", "All products of two or three columns: the kernel (gamma x'y + coef0)^degree",
               polynomial,
               "Nothing is learnt: give the same options for training and test data. Rows are mapped as they are read: "
               "memory\n"
               "does not grow with their number.\n\n"
               "Example:\n"
               "  pdbfw features polynomial train.txt train.products --degree 2\n"
               "  pdbfw features polynomial test.txt test.products --degree 2\n"
               "  pdbfw features polynomial news20.binary.xz news20.products --hash 22"),
      add_kind(*parser, "normalise", "Rows of length 1, columns of one scale", normalise,
               "Rows are treated as they are read: memory does not grow with their number.\n\n"
               "Example:\n"
               "  pdbfw features normalise train.txt train.scaled --columns maximum --save-map scale.map\n"
               "  pdbfw features normalise test.txt test.scaled --map scale.map\n"
               "  pdbfw features normalise data.txt data.unit --rows l2")};
  parser->footer(
      "Example:\n"
      "  pdbfw features random-binning train.txt train.bins --grids 300");
  return {parser, [kinds] {
            const auto given =
                std::find_if(kinds.begin(), kinds.end(), [](const Command& kind) { return kind.parser->parsed(); });
            return given->run();
          }};
}

}  // namespace pdbfw::cli
