#include "cli/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "apps/low_rank_registry.hpp"
#include "base/machine_memory.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "io/cache/block_file.hpp"
#include "io/data/idx_reader.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::cli {
namespace {

template <class Number>
Number parse(std::string_view option, std::string_view text, std::string_view rule) {
  constexpr std::size_t kLongestQuote = 64;
  const std::optional<Number> value = option_from<Number>(text);
  if (!value) throw InputError(option, fmt::format("'{}'", text.substr(0, kLongestQuote)), rule);
  return *value;
}

// Throws InputError unless the family of this set has the name; the other one does.
void require_family(std::string_view option, const std::string& name, const std::string& set,
                    const std::vector<std::string_view>& vectors, const std::vector<std::string_view>& matrices) {
  const std::vector<std::string_view>& own = set == kTrace ? matrices : vectors;
  if (std::find(own.begin(), own.end(), name) == own.end())
    throw InputError(option, fmt::format("'{}'", name),
                     fmt::format("one of {} for the set {}", fmt::join(own, ", "), set));
}

std::array<double, 2> parse_classes(std::string_view text) {
  constexpr std::string_view kRule = "two different numbers with a comma between them";
  const std::array<double, 2> classes = parse_pair("classes", text, kRule);
  if (!std::isfinite(classes[0]) || !std::isfinite(classes[1]) || classes[0] == classes[1])
    throw InputError("classes", fmt::format("'{}'", text), kRule);
  return classes;
}

}  // namespace

Index parse_count(std::string_view option, std::string_view text, std::string_view rule) {
  return parse<Index>(option, text, rule);
}

double parse_number(std::string_view option, std::string_view text, std::string_view rule) {
  return parse<double>(option, text, rule);
}

std::optional<Index> parse_top(const std::string& text) {
  constexpr std::string_view kRule = "an integer >= 1";
  if (text.empty()) return std::nullopt;
  const Index top = parse_count("top", text, kRule);
  if (top < 1) throw InputError("top", fmt::format("'{}'", text), kRule);
  return top;
}

double parse_positive(std::string_view option, std::string_view text) {
  constexpr std::string_view kRule = "a finite number > 0";
  const double number = parse_number(option, text, kRule);
  if (!(number > 0)) throw InputError(option, fmt::format("'{}'", text), kRule);
  return number;
}

std::vector<double> parse_list(std::string_view option, std::string_view text, std::string_view rule) {
  std::vector<double> numbers;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    numbers.push_back(parse_number(option, rest.substr(0, comma), rule));
    if (comma + 1 == rest.size()) throw InputError(option, fmt::format("'{}'", text), rule);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return numbers;
}

std::array<double, 2> parse_pair(std::string_view option, std::string_view text, std::string_view rule) {
  const std::vector<double> numbers = parse_list(option, text, rule);
  if (numbers.size() != 2) throw InputError(option, fmt::format("'{}'", text), rule);
  return {numbers[0], numbers[1]};
}

std::vector<double> parse_positive_list(std::string_view option, std::string_view text) {
  constexpr std::string_view kRule = "finite numbers > 0, separated by commas";
  std::vector<double> numbers = parse_list(option, text, kRule);
  if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return number > 0; }))
    throw InputError(option, fmt::format("'{}'", text), kRule);
  return numbers;
}

Index parse_bytes(std::string_view option, std::string_view text) {
  constexpr std::string_view kRule = "a number of bytes, such as 500M or 1.5G";
  constexpr std::string_view kUnits = "KMGT";
  constexpr double kStep = 1024, kMost = 0x1p62;
  std::string_view rest = text;
  for (const std::string_view end : {"iB", "B"})
    if (rest.ends_with(end)) rest.remove_suffix(end.size());
  double factor = 1;
  if (const std::size_t unit = rest.empty() ? kUnits.npos : kUnits.find(rest.back()); unit != kUnits.npos) {
    factor = std::pow(kStep, static_cast<double>(unit + 1));
    rest.remove_suffix(1);
  }
  const double bytes = factor * parse<double>(option, rest, kRule);
  if (!(bytes >= 1 && bytes <= kMost)) throw InputError(option, fmt::format("'{}'", text), kRule);
  return static_cast<Index>(bytes);
}

std::size_t chosen(std::string_view option, std::string_view text, const std::vector<std::string_view>& names) {
  return place_of(option, text, names);
}

std::string flag_name(std::string_view field_name) {
  std::string flag = "--" + std::string(field_name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

const Field* field_of(std::string_view flag) {
  for (const Field& field : fields())
    if (flag_name(field.name) == flag) return &field;
  return nullptr;
}

std::string_view heading(Field::Group group) {
  switch (group) {
    case Field::Group::model:
      return "Model";
    case Field::Group::solving:
      return "Solving";
    case Field::Group::research:
      return "Research (for --solver pdbfw and the baselines, see pdbfw solvers; never needed)";
  }
  return {};
}

void FieldFlags::add_all(CLI::App& parser) {
  for (const Field& field : fields()) add(parser, field);
}

void FieldFlags::add(CLI::App& parser, std::string_view field_name) { add(parser, field(field_name)); }

void FieldFlags::add(CLI::App& parser, const Field& field) {
  const std::string description =
      fmt::format("{}\n({}; default {})", field.meaning, field.values, field.text(Request{}));
  CLI::Option* option = parser.add_option(flag_name(field.name), CLI::callback_t(), description);
  option->type_name(field.values.find(" | ") == std::string_view::npos ? "NUMBER" : "NAME");
  option->group(std::string(heading(field.group)));
  flags_.push_back({&field, option});
}

bool FieldFlags::given(std::string_view field_name) const {
  return std::any_of(flags_.begin(), flags_.end(),
                     [&](const Flag& flag) { return flag.field->name == field_name && flag.option->count() > 0; });
}

void FieldFlags::apply(Request& request) const {
  for (const auto& [field, option] : flags_)
    if (option->count() > 0) field->set(request, option->results().back());
}

Request FieldFlags::request() const {
  Request request;
  apply(request);
  if (request.formulation.set == kPolytope && !given("radius")) request.formulation.radius = 1;
  return request;
}

void FieldFlags::require_a_say(const Request& request) const {
  const auto& [formulation, settings] = request;
  if (given("loss")) require_family("loss", formulation.loss, formulation.set, loss_names(), low_rank::loss_names());
  // For the set trace without a loss, the data say which loss it is.
  if (given("loss") || !is_low_rank(formulation)) require_loss_to_read(formulation);
  require_family("solver", settings.solver, formulation.set, solver_names(), low_rank::solver_names());
  for (const auto& [field, option] : flags_) {
    if (field->group != Field::Group::research || option->count() == 0) continue;
    const std::vector<std::string_view> readers = readers_of(*field, formulation.set);
    if (std::find(readers.begin(), readers.end(), settings.solver) == readers.end())
      throw InputError(field->name, fmt::format("'{}'", option->results().back()),
                       fmt::format("only for --solver {}", fmt::join(readers, ", ")));
  }
}

void FieldFlags::require_loss_to_read(const Formulation& formulation) const {
  for (const auto& [field, option] : flags_)
    if (option->count() > 0 && !reads(formulation.loss, *field))
      throw InputError(field->name, fmt::format("'{}'", option->results().back()),
                       fmt::format("none for the loss {}", formulation.loss));
}

bool reads(std::string_view loss, const Field& field) {
  if (field.name == "smoothing") return loss.ends_with("smooth_hinge") || loss == "multiclass_hinge";
  if (field.name == "huber_width") return loss == "huber";
  return true;
}

bool is_low_rank(const Formulation& formulation) { return formulation.set == kTrace; }

std::vector<std::string_view> readers_of(const Field& field, std::string_view set) {
  std::vector<std::string_view> readers;
  for (const SolverDescription& solver : set == kTrace ? low_rank::solver_descriptions() : solver_descriptions())
    if (solver.reads(field.name)) readers.push_back(solver.name);
  return readers;
}

void ReportFlags::add_report(CLI::App& parser, const char* json, const char* quiet) {
  Flags(parser).flag("--json", is_json, json);
  add_quiet(parser, quiet);
}

void ReportFlags::add_quiet(CLI::App& parser, const char* meaning) {
  Flags(parser).flag("-q,--quiet", is_quiet, meaning);
}

void ReportFlags::tell(const std::function<Json()>& object, const std::function<std::string()>& text,
                       bool is_output_taken) const {
  if (is_json)
    print_json(object());
  else if (!is_quiet)
    (is_output_taken ? print_remark : print)(text());
}

void ReportFlags::tell(const Json& object, const std::string& text, bool is_output_taken) const {
  tell([&] { return object; }, [&] { return text; }, is_output_taken);
}

void ProblemFiles::add(CLI::App& parser, bool has_atoms) {
  const Flags model(parser, heading(Field::Group::model));
  if (has_atoms)
    model.text("--atoms", "FILE", atoms_,
               "Set polytope: its atoms, one a row, in any format of DATA; targets are not looked at\n"
               "and, but for a CSV file's first column, need not be there");
  model.text("--sample-weight", "FILE", sample_weight_,
             "What each row counts, 2 as much as the row twice: a number >= 0 a line, a .npy array or an idx file");
  model.text("--penalty-weight", "FILE", penalty_weight_,
             "What the weight of each feature counts in the set and in the ridge, 0: the feature is free: a number\n"
             ">= 0 a line, a .npy array or an idx file");
  model.text("--free-features", "LIST", free_features_,
             "Features that neither the set nor the ridge hold back, by their numbers in the data, from 1 up");
}

void ProblemFiles::read(int threads, Formulation& formulation) const {
  read_atoms(threads, formulation);
  for (const auto& [option, path, numbers] :
       {std::tuple("sample_weight", &sample_weight_, &formulation.sample_weight),
        std::tuple("penalty_weight", &penalty_weight_, &formulation.penalty_weight)}) {
    if (*path == "-") throw InputError(option, "'-'", "a file; only DATA may be standard input");
    if (!path->empty() && is_low_rank(formulation))
      throw InputError(option, fmt::format("'{}'", *path), "none for the set trace");
    if (!path->empty()) *numbers = read_labels(*path);
  }
  read_free_features(formulation);
}

void ProblemFiles::read_atoms(int threads, Formulation& formulation) const {
  const bool is_polytope = formulation.set == kPolytope;
  if (is_polytope && atoms_.empty()) throw InputError("atoms", "none", "a file of them for the set polytope");
  if (!is_polytope && !atoms_.empty())
    throw InputError("atoms", fmt::format("'{}'", atoms_), "only for --set polytope");
  if (atoms_ == "-") throw InputError("atoms", "'-'", "a file; only DATA may be standard input");
  if (is_polytope) formulation.atoms = read_dataset(atoms_, {.threads = threads, .needs_targets = false}).A;
}

void ProblemFiles::read_free_features(Formulation& formulation) const {
  if (free_features_.empty()) return;
  if (is_low_rank(formulation))
    throw InputError("free_features", fmt::format("'{}'", free_features_), "none for the set trace");
  constexpr std::string_view kRule = "whole numbers from 1 up, separated by commas";
  formulation.free_features.clear();
  for (const double j : parse_list("free_features", free_features_, kRule)) {
    if (!(j >= 1 && j == std::floor(j) && j < 9e15))
      throw InputError("free_features", fmt::format("'{}'", free_features_), kRule);
    formulation.free_features.push_back(static_cast<Index>(j) - 1);
  }
}

void MemoryArgument::add(CLI::App& parser) {
  Flags(parser, kReadingHeading)
      .text("--memory", "SIZE", memory_,
            "How much memory the data may take, such as 500M or 2G. A cache file in blocks (see pdbfw convert\n"
            "--memory) that would take more stays on the disk and is read in every pass over it.\n"
            "(default: what the machine has, or less where ulimit or a control group says so)");
}

void MemoryArgument::apply(const std::string& path, ReadOptions& options) const {
  if (!memory_) return;
  options.memory = std::min(parse_bytes("memory", *memory_), usable_memory());
  const bool is_one_file = path.find("{rank}") == std::string::npos;
  if (is_one_file && !blocked_shape(path))
    throw InputError("memory", fmt::format("'{}'", *memory_),
                     "only for cache files in blocks, which pdbfw convert --memory writes");
}

void MemoryArgument::refuse_for(std::string_view what) const {
  if (memory_) throw InputError("memory", fmt::format("'{}'", *memory_), fmt::format("none for {}", what));
}

constexpr std::string_view kDataMeaning =
    "LIBSVM's text format, a cache file (see pdbfw convert), CSV,\n"
    "MNIST's idx, Matrix Market or NumPy's .npy and .npz; plain, gzip,\n"
    "bzip2, xz or zstd; - is standard input";

void DataArgument::add(CLI::App& parser) {
  const auto set = [this](const std::string& path) { paths_ = {path}; };
  parser.add_option_function<std::string>("DATA", set, fmt::format("The data: {}", kDataMeaning))
      ->required()
      ->type_name("");
  add_reading(parser);
}

void DataArgument::add_several(CLI::App& parser) {
  Flags(parser)
      .optional_argument(
          "DATA", paths_,
          fmt::format("The data; with --memory any number of files, or a pattern in quotes:\n{}", kDataMeaning))
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_reading(parser);
}

std::string DataArgument::take_last(const std::string& argument) {
  if (paths_.size() < 2) throw InputError(fmt::format("{} is required; see pdbfw convert --help", argument));
  std::string last = paths_.back();
  paths_.pop_back();
  return last;
}

void DataArgument::add_reading(CLI::App& parser) {
  const Flags reading(parser, kReadingHeading);
  reading.text("--values", "NAME", values_,
               "How values are kept in memory; sums are always float64.\n(float64 | float32; default float64)");
  reading.text("--data-format", "NAME", format_,
               "Of DATA; auto looks at the first bytes, then at the name.\n"
               "(auto | libsvm | cache | csv | idx | matrix_market | npy | npz; default auto)");
  reading.text("--labels", "FILE", labels_,
               "The label of every row, for data that hold none: a number a line, .npy or idx.\n"
               "(default for MNIST's images: the labels beside them, by name)");
  reading.text("--label-column", "NAME", label_column_,
               "CSV: the column of the label, by name, by number, or by number from the end.\n"
               "(a name; 1, 2, ...; -1, -2, ...; default 1)");
  reading.text("--header", "NAME", header_,
               "CSV: whether the first line holds names; auto: it does if one of its cells is no number.\n"
               "(auto | yes | no; default auto)");
  reading.text("--classes", "A,B", classes_, "Keep the rows with these two labels: A becomes -1 and B becomes +1");
}

std::vector<std::string> DataArgument::files() const {
  std::vector<std::string> all = paths_;
  all.push_back(labels_ ? *labels_ : labels_beside_images(path()));
  return all;
}

ReadOptions DataArgument::read_options(int threads, Index min_features) const {
  ReadOptions options{.threads = threads, .float32 = false, .min_features = min_features};
  options.float32 = chosen("values", values_, {"float64", "float32"}) == 1;
  options.format = static_cast<DataFormat>(
      chosen("data_format", format_, {"auto", "libsvm", "cache", "csv", "idx", "matrix_market", "npy", "npz"}));
  if (labels_ == "") throw InputError("labels", "''", "a file");
  if (labels_ == "-") throw InputError("labels", "'-'", "a file; only DATA may be standard input");
  options.labels = labels_.value_or("");
  if (label_column_ == "") throw InputError("label_column", "''", "a name or a number");
  options.label_column = label_column_.value_or("");
  options.header = static_cast<ReadOptions::Header>(chosen("header", header_, {"auto", "yes", "no"}));
  if (classes_) options.classes = parse_classes(*classes_);
  return options;
}

void require_one_stdin(const std::string& data, const std::string& model) {
  if (data == "-" && model == "-") throw InputError("MODEL", "'-'", "a file when the data come from standard input");
}

}  // namespace pdbfw::cli
