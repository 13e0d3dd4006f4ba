#include "cli/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/names.hpp"

namespace pdbfw::cli {
namespace {

void check_model(const Model& model) {
  Formulation formulation = model.formulation;
  // The smallest factor stands for all: the problem that is tried has one feature.
  if (std::vector<double>& scale = formulation.ridge_scale; !scale.empty())
    scale = {*std::min_element(scale.begin(), scale.end())};
  const bool wants_labels = target_kind(formulation) == TargetKind::labels;
  if (wants_labels && !model.labels)
    throw InputError("labels", "none", fmt::format("two labels, because the loss is {}", formulation.loss));
  if (!wants_labels && model.labels)
    throw InputError("labels", fmt::format("{} {}", (*model.labels)[0], (*model.labels)[1]),
                     fmt::format("no labels, because the loss is {}", formulation.loss));
}

template <class Number>
Number parse(std::string_view option, std::string_view text, std::string_view rule) {
  constexpr std::size_t kLongestQuote = 64;
  Number value{};
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + (has_plus ? 1 : 0), end, value);
  if (error != std::errc() || stop != end)
    throw InputError(option, fmt::format("'{}'", text.substr(0, kLongestQuote)), rule);
  return value;
}

}  // namespace

std::string flag_name(std::string_view field_name) {
  std::string flag = "--" + std::string(field_name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string_view heading(FieldGroup group) {
  switch (group) {
    case FieldGroup::model:
      return "Model";
    case FieldGroup::solving:
      return "Solving";
    case FieldGroup::research:
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
  return request;
}

void FieldFlags::require_a_say(const Request& request) const {
  for (const auto& [field, option] : flags_) {
    if (field->group != FieldGroup::research || option->count() == 0) continue;
    const std::vector<std::string_view> readers = readers_of(*field);
    if (std::find(readers.begin(), readers.end(), request.settings.solver) == readers.end())
      throw InputError(field->name, fmt::format("'{}'", option->results().back()),
                       fmt::format("only for --solver {}", fmt::join(readers, ", ")));
  }
}

std::vector<std::string_view> readers_of(const Field& field) {
  std::vector<std::string_view> readers;
  for (const SolverDescription& solver : solver_descriptions())
    if (solver.reads(field.name)) readers.push_back(solver.name);
  return readers;
}

void DataArgument::add(CLI::App& parser) {
  parser
      .add_option("DATA", path_,
                  "The data in LIBSVM's text format, plain, gzip, bzip2, xz or zstd, or as a\n"
                  "cache file (see pdbfw convert); - is standard input")
      ->required()
      ->type_name("");
  parser
      .add_option("--values", values_,
                  "How values are kept in memory; sums are always float64.\n(float64 | float32; default float64)")
      ->type_name("NAME");
}

ReadOptions DataArgument::read_options(int threads, Index min_features) const {
  const bool float32 = chosen("values", values_, {"float64", "float32"}) == 1;
  return {threads, float32, min_features};
}

Index parse_count(std::string_view option, std::string_view text, std::string_view rule) {
  return parse<Index>(option, text, rule);
}

double parse_number(std::string_view option, std::string_view text, std::string_view rule) {
  return parse<double>(option, text, rule);
}

std::size_t chosen(std::string_view option, std::string_view text, const std::vector<std::string_view>& names) {
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) throw_unknown_name(option, text, names);
  return static_cast<std::size_t>(at - names.begin());
}

void require_one_stdin(const std::string& data, const std::string& model) {
  if (data == "-" && model == "-") throw InputError("MODEL", "'-'", "a file when the data come from standard input");
}

void require_writable(std::string_view option, const std::string& path) {
  namespace fs = std::filesystem;
  const std::string quoted = fmt::format("'{}'", path);
  if (path == "-") return;
  if (path.empty()) throw InputError(option, quoted, "a file name");
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(option, quoted, "a file, but this is a folder");
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) throw InputError(option, quoted, "a file in a folder that exists");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw InputError(option, quoted, fmt::format("a file in a folder that can be written ({})", std::strerror(errno)));
}

void require_other_file(std::string_view option, const std::string& path, const std::vector<std::string>& taken) {
  namespace fs = std::filesystem;
  for (const std::string& other : taken) {
    std::error_code error;
    const bool is_same_file = fs::is_regular_file(path, error) && fs::equivalent(path, other, error);
    if (path == other || is_same_file)
      throw InputError(option, fmt::format("'{}'", path), "a file that is not used for something else here");
  }
}

TargetKind target_kind(const Formulation& formulation) {
  // The smallest problem there is; the target 1 fits every loss.
  MatrixPtr one = own_csr<double, std::int32_t>(1, 1, {0, 1}, {0}, {1.0});
  return make_problem(std::move(one), {1.0}, formulation).loss->target_kind();
}

Model load_model(const std::string& path) {
  Model model = read_model(path);
  try {
    check_model(model);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path == "-" ? "standard input" : path, error.what()));
  }
  return model;
}

}  // namespace pdbfw::cli
