// pdbfw split DATA OUT_TRAIN OUT_TEST
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/output_files.hpp"
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
  require_output("OUT_TRAIN", flags.train, flags.data, {"-"});
  require_output("OUT_TEST", flags.test, flags.data, {flags.train, "-"});
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

Json json_of(const SplitFlags& flags, const Splitter& splitter) {
  return {{"rows", splitter.rows()},
          {"train_rows", splitter.rows() - splitter.test_rows()},
          {"test_rows", splitter.test_rows()},
          {"stratified", splitter.is_stratified()},
          {"train", flags.train},
          {"test", flags.test}};
}

std::string summary(const SplitFlags& flags, const Splitter& splitter) {
  const auto line = [](const std::string& name, Index rows) {
    return fmt::format("{}: {}", name, counted(rows, "row", "rows"));
  };
  return aligned({{"data", line(flags.data.name(), splitter.rows())},
                  {"train", line(flags.train, splitter.rows() - splitter.test_rows())},
                  {"test", line(flags.test, splitter.test_rows())},
                  {"labels", splitter.is_stratified() ? "each has its share in both" : "have no say"}});
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
  OutputFiles files(interrupt);
  TextSink &train_rows = files.open(flags.train), &test_rows = files.open(flags.test);
  rows.for_each([&](const RowBlock& block) { copy_rows(block, splitter, train_rows, test_rows); });
  files.commit();
  tell_after_writing(fmt::format("'{}' and '{}'", flags.train, flags.test), [&] {
    flags.tell([&] { return json_of(flags, splitter); }, [&] { return summary(flags, splitter); });
  });
  return kSuccess;
}

}  // namespace

Command add_split(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("split", "Cut data into rows to train and rows to test");
  const auto flags = std::make_shared<SplitFlags>();
  Splitter::Options& options = flags->options;
  flags->data.add(*parser);
  const Flags add(*parser);
  add.argument("OUT_TRAIN", flags->train, "Where the rows to train go");
  add.argument("OUT_TEST", flags->test, "Where the rows to test go");
  flags->test_fraction =
      add.number("test_fraction", options.test_fraction, "a number > 0 and < 1",
                 fmt::format("The share of rows to test.\n(a number > 0 and < 1; default {})", options.test_fraction));
  add.number("folds", options.folds, "an integer",
             "Cut into so many equal parts instead; --fold says which one\nis to test.\n(an integer, 2 .. 1000)");
  flags->fold =
      add.number("fold", options.fold, "an integer", "Which of the folds is to test.\n(an integer, 1 .. folds)");
  parser->add_flag_callback(
      "--no-stratify", [&options] { options.stratify = false; },
      "Draw from all rows together; else every label has its\nshare, where there are at most 20 labels");
  flags->fields.add(*parser, "seed");
  flags->fields.add(*parser, "threads");
  flags->add_report(*parser);
  return command_of(
      parser, flags, split,
      "Lines of text are copied as they are, in their order, without those that hold no row; they are read twice, and\n"
      "not kept. Other formats, and data from a pipe, are written as LIBSVM's text.\n\n"
      "Example:\n"
      "  pdbfw split data.txt.gz train.txt test.txt --test-fraction 0.25 --seed 1\n"
      "  pdbfw split data.txt train.txt test.txt --folds 5 --fold 1");
}

}  // namespace pdbfw::cli
