// pdbfw split DATA OUT_TRAIN OUT_TEST
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/making.hpp"
#include "cli/options.hpp"
#include "io/bytes/output_file.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/row_blocks.hpp"
#include "linalg/chosen_rows.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw::cli {
namespace {

struct SplitFlags : ReportFlags {
  DataArgument data;
  FieldFlags fields;
  std::string train, test;
  Splitter::Options options;
  const CLI::Option* test_fraction = nullptr;
  const CLI::Option* fold = nullptr;
};

void check(const SplitFlags& flags) {
  Splitter::validate(flags.options);
  if (flags.options.folds && flags.test_fraction->count() > 0)
    throw InputError("test_fraction", "with --folds", "one of the two");
  if (!flags.options.folds && flags.fold->count() > 0) throw InputError("fold", "without --folds", "both or none");
  if (flags.options.folds && flags.fold->count() == 0) throw InputError("folds", "without --fold", "both or none");
  require_writable("OUT_TRAIN", flags.train);
  require_other_file("OUT_TRAIN", flags.train, flags.data);
  require_other_file("OUT_TRAIN", flags.train, {"-"});
  require_writable("OUT_TEST", flags.test);
  require_other_file("OUT_TEST", flags.test, flags.data);
  require_other_file("OUT_TEST", flags.test, {flags.train, "-"});
}

bool has_content(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  return first != line.npos && line[first] != '#';
}

// Calls visit(target, line) for the rows of a block of text. Lines without a row are left out.
template <class Visit>
void for_each_line(const RowBlock& block, const Visit& visit) {
  std::string_view rest = block.text;
  for (const double target : block.data.target) {
    std::string_view line;
    do {
      line = rest.substr(0, rest.find('\n') + 1);
      rest.remove_prefix(line.size());
    } while (!has_content(line));
    visit(target, line);
  }
}

void copy_rows(const RowBlock& block, Splitter& splitter, TextSink& train, TextSink& test) {
  if (!block.text.empty()) {
    for_each_line(block,
                  [&](double target, std::string_view line) { (splitter.is_test(target) ? test : train).write(line); });
    return;
  }
  for (Index i = 0; i < block.data.A->rows(); ++i) {
    const double target = block.data.target[static_cast<std::size_t>(i)];
    write_libsvm(splitter.is_test(target) ? test : train, {row_range(*block.data.A, i, i + 1), {target}});
  }
}

void tell_result(const SplitFlags& flags, const Splitter& splitter) {
  const Index train_rows = splitter.rows() - splitter.test_rows();
  if (flags.is_json) {
    Json object;
    object["rows"] = splitter.rows();
    object["train_rows"] = train_rows;
    object["test_rows"] = splitter.test_rows();
    object["stratified"] = splitter.is_stratified();
    object["train"] = flags.train;
    object["test"] = flags.test;
    print_json(object);
  } else if (!flags.is_quiet) {
    print(aligned({{"data", fmt::format("{}: {}", flags.data.name(), counted(splitter.rows(), "row", "rows"))},
                   {"train", fmt::format("{}: {}", flags.train, counted(train_rows, "row", "rows"))},
                   {"test", fmt::format("{}: {}", flags.test, counted(splitter.test_rows(), "row", "rows"))},
                   {"labels", splitter.is_stratified() ? "each has its share in both" : "have no say"}}));
  }
}

int split(const SplitFlags& given) {
  SplitFlags flags = given;
  const Settings settings = flags.fields.request().settings;
  flags.options.seed = settings.seed;
  check(flags);
  const RowBlocks rows(flags.data.path(), flags.data.read_options(settings.threads));
  Splitter splitter(flags.options);
  rows.for_each([&](const RowBlock& block) {
    for (const double target : block.data.target) splitter.count(target);
  });
  const InterruptGuard interrupt;
  OutputFile train(flags.train), test(flags.test);
  InterruptibleSink train_rows(train, interrupt), test_rows(test, interrupt);
  rows.for_each([&](const RowBlock& block) { copy_rows(block, splitter, train_rows, test_rows); });
  train.finish();
  test.finish();
  train.commit();
  test.commit();
  tell_after_writing(fmt::format("'{}' and '{}'", flags.train, flags.test), [&] { tell_result(flags, splitter); });
  return kSuccess;
}

}  // namespace

Command add_split(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("split", "Cut data into rows to train and rows to test");
  const auto flags = std::make_shared<SplitFlags>();
  Splitter::Options& options = flags->options;
  flags->data.add(*parser);
  parser->add_option("OUT_TRAIN", flags->train, "Where the rows to train go")->required()->type_name("");
  parser->add_option("OUT_TEST", flags->test, "Where the rows to test go")->required()->type_name("");
  flags->test_fraction =
      parser
          ->add_option_function<std::string>(
              "--test-fraction",
              [&options](const std::string& text) {
                options.test_fraction = parse_number("test_fraction", text, "a number > 0 and < 1");
              },
              fmt::format("The share of rows to test.\n(a number > 0 and < 1; default {})", options.test_fraction))
          ->type_name("NUMBER");
  parser
      ->add_option_function<std::string>(
          "--folds", [&options](const std::string& text) { options.folds = parse_count("folds", text, "an integer"); },
          "Cut into so many equal parts instead; --fold says which one\nis to test.\n(an integer, 2 .. 1000)")
      ->type_name("NUMBER");
  flags->fold = add_count(*parser, "fold", options.fold, "Which of the folds is to test.\n(an integer, 1 .. folds)");
  parser->add_flag_callback(
      "--no-stratify", [&options] { options.stratify = false; },
      "Draw from all rows together; else every label has its\nshare, where there are at most 20 labels");
  flags->fields.add(*parser, "seed");
  flags->fields.add(*parser, "threads");
  flags->add_json(*parser);
  flags->add_quiet(*parser);
  parser->footer(
      "Lines of text are copied as they are, in their order, without those that hold no row; they are read twice, and\n"
      "not kept. Other formats, and data from a pipe, are written as LIBSVM's text.\n\n"
      "Example:\n"
      "  pdbfw split data.txt.gz train.txt test.txt --test-fraction 0.25 --seed 1\n"
      "  pdbfw split data.txt train.txt test.txt --folds 5 --fold 1");
  return {parser, [flags] { return split(*flags); }};
}

}  // namespace pdbfw::cli
