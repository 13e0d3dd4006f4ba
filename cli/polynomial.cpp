// pdbfw features polynomial DATA OUT
#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/machine_memory.hpp"
#include "cli/commands.hpp"
#include "cli/making.hpp"
#include "data/learners.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw::cli {
namespace {

struct PolynomialFlags : MakingFlags {
  Index degree = 2;
  std::optional<Index> hash{};
  Polynomial options;
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

Index entries_of_row(const Polynomial& options, Index nonzeros) {
  constexpr Index kMany = 100'000;  // whatever the degree: such a row is a piece of its own
  const Index size = std::min(kMany, nonzeros + 1);
  return options.degree == 2 ? size * (size + 1) / 2 : size * (size + 1) * (size + 2) / 6;
}

void tell_result(const PolynomialFlags& flags, const Polynomial& options, const TransformedRows& made, double seconds) {
  const Index features = options.features(made.columns);
  flags.tell({.data = made, .features = features, .seconds = seconds},
             {"kernel", fmt::format("({:.6g} x'y + {:.6g})^{}{}", options.gamma, options.coef0, options.degree,
                                    options.hash_bits ? fmt::format(", hashed into 2^{}", *options.hash_bits) : "")},
             {{"degree", options.degree},
              {"gamma", options.gamma},
              {"coef0", options.coef0},
              {"hash", options.hash_bits ? Json(*options.hash_bits) : Json()}});
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
  const RowTransformation mapping{[&](const DataMatrix& A) { return apply(options, A); },
                                  [&](Index nonzeros) { return entries_of_row(options, nonzeros); }};
  const TransformedRows made = write_transformed_files(flags, rows, mapping, settings.threads, [](TextSink&) {});
  tell_result(flags, options, made, watch.seconds());
  return kSuccess;
}

}  // namespace

Command add_polynomial(CLI::App& features) {
  CLI::App* parser = features.add_subcommand(
      "polynomial", "All products of two or three columns: the kernel (gamma x'y + coef0)^degree");
  const auto flags = std::make_shared<PolynomialFlags>();
  flags->add_files(*parser);
  const Flags add(*parser);
  add.number("degree", flags->degree, "an integer", "How many factors a product has at most.\n(2 | 3; default 2)");
  add.number("gamma", flags->options.gamma, "a number",
             "Of the kernel: columns count sqrt(gamma) times.\n"
             "(a finite number > 0; default 1)");
  add.number("coef0", flags->options.coef0, "a number",
             "Of the kernel: products of fewer factors, which 0 leaves\nout.\n"
             "(a finite number >= 0; default 1)");
  add.number(
      "hash", flags->hash, "an integer",
      "Hash the products, with random signs, into 2^BITS features.\n(1 .. 30; default: every product has its own)",
      "BITS");
  flags->fields.add(*parser, "seed");
  flags->add_rest(*parser);
  return command_of(
      parser, flags, polynomial,
      "Nothing is learnt: give the same options for training and test data. Rows are mapped as they are read: memory\n"
      "does not grow with their number.\n\n"
      "Example:\n"
      "  pdbfw features polynomial train.txt train.products --degree 2\n"
      "  pdbfw features polynomial test.txt test.products --degree 2\n"
      "  pdbfw features polynomial news20.binary.xz news20.products --hash 22");
}

}  // namespace pdbfw::cli
